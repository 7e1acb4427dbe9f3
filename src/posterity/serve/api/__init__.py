"""The REST interface under /api/v1, and the protocols of archives: OAI-PMH, Memento, feeds."""
