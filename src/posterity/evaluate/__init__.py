"""The bench: data sets, measures, a runner with limits, tables and a report; rivals behind our own interface."""
