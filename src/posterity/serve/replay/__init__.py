"""Archived pages shown again: cleaned of everything that runs or loads, with the parts of the record outlined."""
