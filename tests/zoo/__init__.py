"""Odd and hostile blogs with known contents: each is served on loopback, harvested and compared with the truth."""
