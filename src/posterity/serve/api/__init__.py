"""The REST interface under /api/v1, OAI-PMH, Memento and feeds."""
