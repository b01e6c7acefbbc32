"""Speaker stand-in that records the file, gain and pitch of each sound."""

from __future__ import annotations


class Recorder:
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
        """Return the names of the sounds played since the last call, without variant numbers and without rebounds.

        A sound counts as a rebound if the same sound was played before it at more than twice its gain.
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
