"""Harvests of many blogs on many machines: a queue in PostgreSQL, and workers that take blogs from it.

NewCrawl and UpdateCrawl are functions of (URL, date) over a shared back end (BlogForever paper, section 2.4). Here they
are tasks; the crawl does not know that it runs in a fleet.
"""
