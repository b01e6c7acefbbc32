"""What was won and lost: kept when a match ends, and counted on a page."""
