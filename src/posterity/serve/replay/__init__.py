"""Replay of archived pages: without scripts and external resources, with the parts of the record outlined."""
