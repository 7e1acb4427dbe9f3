"""The pipeline over a blog's pages, from any source: profile, records, comments, changes."""
