"""A gallery of blog skins: generated blogs with known contents in the markup of many platforms."""
