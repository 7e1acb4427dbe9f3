"""A gallery of blog skins: generated blogs in the markup of many platforms, whose every word is known."""
