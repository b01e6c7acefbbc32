"""A speaker for tests."""

from __future__ import annotations


class Recorder:
    """A speaker that only remembers what it was to play: file, gain, pitch."""

    def __init__(self) -> None:
        self.played: list[tuple[str, float, float]] = []
        self.hushed = 0

    def open(self) -> None:
        pass

    def play(self, name: str, gain: float, pitch: float) -> None:
        self.played.append((name, gain, pitch))

    def stop_all(self) -> None:
        self.hushed += 1

    def heard(self) -> list[str]:
        """What was played since the last call, without the numbers of the variants."""
        names = [name.rpartition("-")[0] for name, _, _ in self.played]
        self.played.clear()
        return names
