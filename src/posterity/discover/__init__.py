"""Discovery of posts and blogs: feeds, sitemaps, platform APIs and links."""
