"""Pages of the window.

Pages don't import each other; navigation between them goes through the host.
"""
