"""Renders pages in a browser (Playwright), for pages whose content is made by scripts."""
