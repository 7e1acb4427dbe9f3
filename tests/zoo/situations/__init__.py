"""The situations, one file for each topic; `tests.zoo.registry` collects them."""
