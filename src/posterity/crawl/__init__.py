"""The crawl of a blog through Scrapy: requests, politeness, capture, worker processes."""
