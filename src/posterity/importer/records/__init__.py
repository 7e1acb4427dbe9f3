"""Records out of files that hold them ready-made: our own exports, and what WordPress and Blogger give their users."""
