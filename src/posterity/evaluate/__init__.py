"""Evaluation: data sets, measures, a runner with limits, tables and a report; other extractors as candidates."""
