"""Jobs that leave traces, kill their process or fail, in a module that worker processes can import."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from pathlib import Path
from time import sleep
from typing import ClassVar

from shibumi3d.lab.jobs import GameText, Row


@dataclass(frozen=True, slots=True)
class Traced:
    """Job that records each start in a file and then succeeds, unless ``ends`` says otherwise.

    The file is in ``folder`` and is named after ``number``. If ``ends`` is "failed", the job raises ValueError. If it
    is "deadly", the job kills its process at every start; if it is "killed" or "killed late", only at the first start.
    It does so after 0.3 seconds or, if ``ends`` is "killed late", after 2 seconds.
    """

    kind: ClassVar[str] = "traced"
    table: GameText
    number: int
    folder: str
    ends: str = ""

    def run(self) -> list[Row]:
        start_file = Path(self.folder, str(self.number))
        first = not start_file.exists()
        with start_file.open("a") as file:
            file.write(f"{os.getpid()}\n")
        if self.ends == "deadly" or (first and self.ends.startswith("killed")):
            sleep(
                2.0 if self.ends == "killed late" else 0.3
            )  # until earlier actions of the process have been noticed
            os.kill(os.getpid(), signal.SIGKILL)
        if self.ends == "failed":
            raise ValueError(f"job {self.number}")
        return [{"number": self.number}]


@dataclass(frozen=True, slots=True)
class Slow:
    """Job that records each start in a file and then sleeps for ``seconds``."""

    kind: ClassVar[str] = "slow"
    table: GameText
    number: int
    folder: str
    seconds: float

    def run(self) -> list[Row]:
        with Path(self.folder, str(self.number)).open("a") as file:
            file.write("begun\n")
        sleep(self.seconds)
        return [{"number": self.number}]


def start_counts(folder: Path) -> list[int]:
    """Return the number of starts recorded in ``folder`` for each job, in the order of the job numbers.

    Jobs that haven't started are left out.
    """
    files = sorted(
        (file for file in folder.iterdir() if file.name.isdecimal()), key=lambda file: int(file.name)
    )
    return [len(file.read_text().splitlines()) for file in files]
