"""The archive as a corpus: one file per export format."""
