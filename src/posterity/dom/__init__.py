"""Bytes to a read-only document, and nodes to text, HTML and Markdown. Only this package imports the HTML parser."""

from posterity.dom.document import Document, document_of, parse, readable_document
from posterity.dom.markdown import markdown_of
from posterity.dom.plain_text import text_of
from posterity.dom.tree import Tree

__all__ = ["Document", "Tree", "document_of", "markdown_of", "parse", "readable_document", "text_of"]
