"""Replay of archived pages: without scripts and external resources, with the fields of the record outlined."""
