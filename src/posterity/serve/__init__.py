"""The archive in a browser and for programs: pages, the live demo, REST, feeds, OAI-PMH and Memento."""
