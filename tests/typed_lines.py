"""Lines typed in the terminal, for tests."""

from __future__ import annotations

from collections.abc import Callable


def make_reader(lines: list[str], on_prompt: Callable[[str], object]) -> Callable[[str], str]:
    """Return a function like :func:`input` that pops its answers from the start of ``lines``.

    It calls ``on_prompt`` with each prompt. Once there are no more lines, it raises EOFError.
    """

    def read(prompt: str) -> str:
        on_prompt(prompt)
        if not lines:
            raise EOFError
        return lines.pop(0)

    return read
