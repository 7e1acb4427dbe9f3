"""The REST interface under /api/v1, and the protocols that archives speak: OAI-PMH, Memento, feeds."""
