"""Five questions to the table, each answered in one sentence at its foot, and read aloud where that is wished."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from shibumi3d.rules.wording import capital

from ..text import language, say
from ..ui.tree import Thing
from .parts import MatchTable
from .seat_line import score_of

if TYPE_CHECKING:
    from .doing import Doing
    from .status import Status
    from .timing import Timing


class Asked(MatchTable, Protocol):
    """A match that is asked about."""

    status: Status
    timing: Timing

    @property
    def doing(self) -> Doing:
        """What makes moves."""

    def remark(self, sentence: str) -> None:
        """Say something that belongs to no place of the table."""

    def told_of(self, number: int) -> str:
        """Return what was played in the move of that number, which all may know, and by whom."""

    def pointed_at(self) -> str:
        """Return the key of the thing that pointer or cursor is on; empty where there is none."""

    def things(self) -> Sequence[Thing]:
        """Return what stands or lies there."""


class Questions:
    """Answers what is asked; who asks again what may be done is told one choice after the other."""

    def __init__(self, page: Asked) -> None:
        self.page = page
        self._at: tuple[int, int] | None = None
        """Of the choice told last: after how many moves it was asked, and its number."""

    def keys(self) -> Mapping[str, Callable[[], None]]:
        """Return what the keys ask."""
        asked = {"f3": self.last, "f4": self.here, "f7": self.mine, "f8": self.choices, "f9": self.time}
        return {key: lambda answer=answer: self.page.remark(answer()) for key, answer in asked.items()}  # type: ignore[misc]  # mypy infers no default

    def last(self) -> str:
        """Return who moved last and what came of it."""
        page, session = self.page, self.page.session
        number = session.cursor - 1
        if number < 0:
            return say("asked.nothing")
        ply = page.match.plies[number]
        if session.masked(number):
            return say("chose-in-secret", who=page.names[ply.seat])
        return page.told_of(number)

    def here(self) -> str:
        """Return what is pointed at, and all that stands on its level or lies beside it."""
        things, key = self.page.things(), self.page.pointed_at()
        found = next((thing for thing in things if thing.key == key), None)
        group = found.group if found is not None else next((thing.group for thing in things), "")
        beside = [
            thing.name for thing in things if thing.group == group and thing is not found and thing.stands
        ]
        # What is one of many alike is told with their number.
        told = "; ".join(dict.fromkeys(beside)) or say("asked.empty")
        first = [*filter(None, (found.name, found.does))] if found is not None else []
        first += map(capital, found.lines) if found is not None else ()
        return ". ".join([*first, say("asked.level", level=capital(group), told=told) if group else told])

    def mine(self) -> str:
        """Return what is the player's own, what it is after, and what it has scored."""
        page, session = self.page, self.page.session
        seat = session.asked if session.asked is not None else session.sitting
        own = page.match.game.own_line(session.view, seat, language())
        score = score_of(session.view, session.facts, seat)
        told = " · ".join(filter(None, (own, say("asked.points", points=score) if score else "")))
        return say("asked.did", who=page.names[seat], did=told or say("asked.nothing-own"))

    def choices(self) -> str:
        """Return how many choices there are; asked again, the next of them; else why nobody may choose."""
        page, session = self.page, self.page.session
        moves = page.doing.open_moves() if session.asking and session.asked is not None else ()
        if not moves:
            return page.status.sentence()
        number = -1
        if self._at is not None and self._at[0] == session.cursor and self._at[1] + 1 < len(moves):
            number = self._at[1] + 1
        fresh = self._at is None or self._at[0] != session.cursor or number < 0
        self._at = session.cursor, -1 if fresh else number
        if fresh:
            return say("asked.choices", len(moves))
        told = page.match.game.say(session.own_view(), moves[number], language(), page.names)
        return say("asked.choice", number=number + 1, of=len(moves), told=capital(told))

    def time(self) -> str:
        """Return whose turn it is, and what time each has where there are clocks."""
        page = self.page
        clocks = [(name, page.timing.line(seat)) for seat, name in enumerate(page.names)]
        told = [say("asked.did", who=name, did=line) for name, line in clocks if line]
        return ". ".join([page.status.sentence(), *told])
