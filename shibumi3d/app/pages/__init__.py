"""Pages of the window.

Pages don't import each other; they navigate to each other through the host.
"""
