"""Speaker for tests that records what is played."""

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
        """What was played since the last call, without the numbers of the variants and without rebounds.

        After a rebound, a marble sounds as before, but more softly.
        """
        names = [
            name.rpartition("-")[0]
            for number, (name, gain, _) in enumerate(self.played)
            if not any(
                name.rpartition("-")[0] == other.rpartition("-")[0] and gain < 0.5 * loud
                for other, loud, _ in self.played[:number]
            )
        ]
        self.played.clear()
        return names
