"""The Playwright side: a browser for pages that only exist in one."""
