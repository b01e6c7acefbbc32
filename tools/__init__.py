"""Developer tools, not needed to play: benchmarks, other measurements, proofs and generators of shipped files."""
