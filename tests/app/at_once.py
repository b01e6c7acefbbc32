"""Stand-in for a worker; it runs jobs in the test's own process, so that no test has to wait for them."""

from __future__ import annotations

import pickle
from typing import Any

from shibumi3d.search.worker import Answer, pickle_value, run_job


class AtOnce:
    is_busy = False

    def __init__(self, limit: float | None = None) -> None:
        self.report: Any = None

    def submit(self, name: str, *args: Any, **options: Any) -> None:
        self.answer: Answer | None = pickle.loads(run_job(pickle_value((name, args, options, None))))
        self.report = None

    def poll(self) -> Answer | None:
        answer, self.answer = self.answer, None
        return answer

    def hurry(self) -> None: ...

    def cancel(self) -> None: ...

    def close(self) -> None: ...
