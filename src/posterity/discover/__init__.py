"""What a blog offers: its feeds, and the links on its pages."""
