"""What a stylesheet names: the patterns of comments, imports and addresses in CSS.

Each pattern of a name has three groups, of which one holds it: in double quotes, in single quotes, or bare.
"""

from __future__ import annotations

import re

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
IMPORT = re.compile(r"""@import\s+(?:url\(\s*)?(?:"([^"]*)"|'([^']*)'|([^\s"'();]+))""", re.IGNORECASE)
ADDRESS = re.compile(r"""\burl\(\s*(?:"([^"]*)"|'([^']*)'|([^\s"'()]+))\s*\)""", re.IGNORECASE)
# The whole statement: its fourth group is the medium that the import is for.
IMPORT_STATEMENT = re.compile(IMPORT.pattern + r"\s*\)?([^;{}]*);?", re.IGNORECASE)
