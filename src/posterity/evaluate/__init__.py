"""Evaluation of methods and other extractors: data sets, measures, a runner with limits, tables and a report."""
