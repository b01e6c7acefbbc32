"""The pages of the window. None imports another: the ways between them are the host's."""
