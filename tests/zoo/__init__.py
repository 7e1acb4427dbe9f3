"""Odd and hostile blogs with exact truth: each is served on loopback, harvested, and compared with what it holds."""
