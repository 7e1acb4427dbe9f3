"""The situations, one file for each theme; `tests.zoo.registry` collects them."""
