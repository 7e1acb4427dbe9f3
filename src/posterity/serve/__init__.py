"""The web server of an archive: HTML pages, the live demo, REST, feeds, OAI-PMH and Memento."""
