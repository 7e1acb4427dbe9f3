"""Many blogs on many machines: a queue in PostgreSQL, workers that take blogs from it, batch extraction on Dask.

NewCrawl and UpdateCrawl are functions of (URL, date) over a shared back end (BlogForever paper, section 2.4). Here they
are tasks; nothing below this package knows that it runs in a fleet.
"""
