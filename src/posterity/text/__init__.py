"""Functions on plain text: normal forms, words, similarity, language, dates."""
