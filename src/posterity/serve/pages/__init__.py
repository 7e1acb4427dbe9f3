"""The HTML pages of the web interface."""
