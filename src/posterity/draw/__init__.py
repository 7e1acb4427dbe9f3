"""Charts as SVG that stand in a page by themselves: for reports on methods and on corpora."""
