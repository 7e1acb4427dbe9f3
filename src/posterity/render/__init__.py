"""Renders pages whose content is created by scripts, in a browser (Playwright)."""
