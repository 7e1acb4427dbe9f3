"""x"""
TITLE: dict[str, float] = {}
