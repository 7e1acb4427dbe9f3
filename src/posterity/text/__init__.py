"""Texts compared and cleaned: normal form, words, bigrams, similarity."""
