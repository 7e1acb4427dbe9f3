"""Functions on plain text: normal form, words, similarity, language, dates."""
