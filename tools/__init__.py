"""Tools for developers, not needed to play: benchmarks and generators of shipped files."""
