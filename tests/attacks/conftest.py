"""The archive that the server's attacks use: the bundled blog, harvested once."""

from tests.integration.serve.conftest import blog_archive

__all__ = ["blog_archive"]
