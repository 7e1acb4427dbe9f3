"""The pipeline over a blog's pages, whoever supplies them: profile, records, comments, changes."""
