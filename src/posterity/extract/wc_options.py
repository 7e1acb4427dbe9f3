"""The switches of the thesis's own tool, `wc.py`, and what each has become here.

Document 002 lists them in its appendix. Those that change how a page is cleaned are options of wc-single and
wc-multi (`Context.options`, under the long names of the thesis); the others say where pages come from or how
records are written, and belong to the command line. `FLAGS` is the whole table; `wc_options` reads the options of a
context.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from posterity.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping


class WcOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How wc-single and wc-multi clean. Any of them can be combined, as in Table 3.3."""

    # wc-multi cleans as wc-single does. The reference page is not looked at.
    singlemode: bool = False
    # WCC2, WCC^R: a page of little text per structural element (tables, lists of links) gives no post.
    sparse: bool = False
    # WCC^P: a page built differently from the reference page is cleaned as a single page.
    prune: bool = False
    # WCC^F: only the target node is cleaned, against the target node of the reference page.
    fromtarget: bool = False
    # The page's main headline becomes the first line of the text.
    addtitle: bool = False


class Flag(msgspec.Struct, frozen=True):
    """One flag of `wc.py`: its letter and long name there, its name on our command line, and what it does.

    `option` is the key in `Context.options`, or None when the flag does not concern the methods.
    """

    letter: str
    thesis_name: str
    name: str
    option: str | None
    does: str


FLAGS: tuple[Flag, ...] = (
    Flag("i", "input", "PAGE", None, "the page to clean"),
    Flag("d", "directory", "PAGE", None, "a folder of pages, all of them cleaned"),
    Flag(
        "s",
        "singlemode",
        "--singlemode",
        "singlemode",
        "clean each page alone (wc-single); comparing is the default of wc-multi",
    ),
    Flag(
        "r",
        "sparse",
        "--sparse",
        "sparse",
        "leave out pages of tables and lists, with little text per structural element",
    ),
    Flag("e", "reference", "--reference", None, "the page of the same site that wc-multi compares with"),
    Flag("t", "addtitle", "--addtitle", "addtitle", "put the page's main headline at the beginning of the text"),
    Flag("p", "prune", "--prune", "prune", "clean pages that are built differently from the reference page alone"),
    Flag("v", "verbose", "--explain", None, "say what was done with each page"),
    Flag("f", "fromtarget", "--fromtarget", "fromtarget", "compare the target nodes of the two pages only"),
    Flag("c", "clave", "--clave", None, "begin every document with a line <doc> (--format cleaneval)"),
)


def wc_options(options: Mapping[str, object]) -> WcOptions:
    """Return the options that these methods know; others belong to other methods and are passed over.

    A value that is neither true nor false raises `InputError`: the text "false" must not switch anything on.
    """
    known = {name: options[name] for name in WcOptions.__struct_fields__ if name in options}
    for name, value in known.items():
        if not isinstance(value, bool):
            raise InputError(f"The option {name!r} is a switch: give true or false, not {value!r}.")
    return WcOptions(**known)  # type: ignore[arg-type]
