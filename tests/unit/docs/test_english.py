"""Unidiomatic phrases stay out of documentation, help, messages and web pages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
# Personification, and "to be had".
PHRASES = re.compile(
    r"\b(?:can|could|cannot|could not) be had\b|\bis no size\b|\bnobody (?:takes|has|else|waits|may)\b"
    r"|\bthere are probably\b|named \d+ posts, \d+ of them first|\bown word\b|\bwould fare\b|\bclothes\b"
    r"|\b(?:page|feed|rule|URL|report|command|file|server|browser|test|message|transaction|method|field)s?"
    r" (?:itself )?(?:says?|tells|speaks|answers)\b"
    r"|\b(?:answers|answered) (?:with|that|every|the same)\b|\bto mend\b|\bmended\b|\bpages? (?:is|are|must be) drawn\b"
    r"|\bdrawn pages?\b|\bteach(?:es)? (?:a rule|rules)\b|\bwitness(?:es)?\b|\bnursery\b"
    # Phrases that are correct but unusual in technical English.
    r"|\bharvested whole\b|\bcalled by (?:its|their) (?:number|day|year)|\bservers? of files\b|\bshare their fate\b"
    r"|\bwhat did not gain\b|\bpacked (?:sitemaps?|bod(?:y|ies))\b|\bmakes no sense\b|\bnothing answers\b"
    r"|\basked for by\b|\bwithout a word\b|(?<!there )\bis no (?:date|day|URL|archive|page|feed|name of)\b"
    r"|\bone (?:post|URL|page|token) a (?:line|row|post)\b|\bagain to go on\b",
    re.IGNORECASE,
)
PAGES = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md"]
PAGES += [ROOT / "CHANGELOG.md", ROOT / "benchmarks" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES += sorted((ROOT / "src").rglob("*.html"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_page_reads_as_english(page: Path) -> None:
    text = " ".join(page.read_text(encoding="utf-8").split())
    assert [found[0] for found in PHRASES.finditer(text)] == []


def sentences() -> Iterator[tuple[str, str]]:
    """The texts of exceptions, and of all output and help of commands, with their locations."""
    for file in sorted((ROOT / "src").rglob("*.py")):
        is_command = "cli" in file.parts
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise) or (is_command and isinstance(node, ast.Call)):
                words = [part.value for part in ast.walk(node) if isinstance(part, ast.Constant)]
                yield f"{file.relative_to(ROOT)}:{node.lineno}", " ".join(str(word) for word in words)


def test_messages_read_as_english() -> None:
    found = {place: match[0] for place, text in sentences() if (match := PHRASES.search(text))}
    assert found == {}


@pytest.mark.parametrize(
    "sentence",
    [
        "The page could not be had.",
        "The report says which.",
        "Nobody takes part.",
        "'x' is no size.",
        "drawn pages",
        "Posts called by their number are harvested.",
        "'x' is no date.",
        "The blog is harvested whole.",
    ],
)
def test_phrases_are_found(sentence: str) -> None:
    assert PHRASES.search(sentence)
