"""Imports files of finished records: exports of Posterity, WordPress and Blogger."""
