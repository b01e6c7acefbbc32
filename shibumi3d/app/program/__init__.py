"""The program put together: the only part that knows every page."""
