"""Answers to five questions about the table, as sentences that can be read aloud."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from shibumi3d.app.wording import owned
from shibumi3d.i18n import _, language, ngettext
from shibumi3d.rules.wording import capital

from ..marbles import secrets
from ..ui.tree import Thing
from .parts import MatchTable

if TYPE_CHECKING:
    from shibumi3d.match.match import Match
    from shibumi3d.rules.game import Move, State

    from .doing import Doing
    from .status import Status
    from .timing import Timing


class Asked(Protocol):
    """Page with a table about which questions can be asked."""

    match: Match
    names: list[str]

    def remark(self, sentence: str) -> None:
        """Show a message that isn't about a particular place on the table."""

    def pointed_at(self) -> str:
        """Return the key of the item under the pointer or the keyboard cursor, or an empty string."""

    def things(self) -> Sequence[Thing]:
        """Return the items on the table."""


class Questions:
    """Answers to the questions, each of which has its own function key.

    After F8 has given the number of choices, each further press describes one choice. If nothing is pointed at, each
    press of F4 describes another level.
    """

    def __init__(self, page: Asked) -> None:
        self._page = page
        self._at: tuple[Any, int] = (None, 0)
        self._above: tuple[Any, int] = (None, 0)
        """Moment at which the last choice, or level, was named, and its number."""

    def keys(self) -> Mapping[str, Callable[[], None]]:
        """Return the key bindings.

        They are F3 (last move), F4 (what is here), F7 (own things), F8 (choices) and F9 (time).
        """
        asked = {"f3": self.last, "f4": self.here, "f7": self.mine, "f8": self.choices, "f9": self.time}
        return {key: lambda answer=answer: self._page.remark(answer()) for key, answer in asked.items()}  # type: ignore[misc]  # mypy infers no default

    def here(self) -> str:
        """Describe the item pointed at, the lines through it, and what else is on its level.

        If nothing is pointed at, describe a whole level instead, and the next level on each further call.
        """
        things, key = self._page.things(), self._page.pointed_at()
        found = next((thing for thing in things if thing.key == key), None)
        group = found.group if found is not None else self._next_group(things)
        beside = [
            thing.name for thing in things if thing.group == group and thing is not found and thing.stands
        ]
        # Items with the same name share one description, which says how many there are.
        told = "; ".join(dict.fromkeys(beside)) or _("nothing")
        first = [found.name, found.does, *map(capital, found.lines)] if found is not None else []
        level = _("{level}: {told}", level=capital(group), told=told) if group else capital(told)
        return ". ".join([*filter(None, first), level])

    def choices(self) -> str:
        """Return the number of choices or, on further calls, a description of the next one.

        If there are no choices, return whose turn it is, or why nobody is to move.
        """
        moves, place = self.moves(), self.place()
        if not moves:
            return self.standing()
        asked, number = self._at
        number = number + 1 if asked == place and number + 1 <= len(moves) else 0
        self._at = place, number
        if not number:
            return ngettext("{n} choice", "{n} choices", len(moves))
        told = self._page.match.game.say(self.own_view(), moves[number - 1], language(), self._page.names)
        return _("{number} of {of}: {told}", number=number, of=len(moves), told=capital(told))

    def _next_group(self, things: Sequence[Thing]) -> str:
        places = [thing for thing in things if thing.stands or thing.lines]
        groups = list(dict.fromkeys(thing.group for thing in places)) or [""]
        asked, number = self._above
        self._above = self.place(), (number + 1) % len(groups) if asked == self.place() else 0
        return groups[self._above[1]]

    def owned(self, view: State, seat: int) -> str:
        """Return a sentence about what a seat owns, aims for, may take and has scored."""
        return owned(self._page.match.game, view, seat, self._page.names)

    # Overridden by each kind of page

    def place(self) -> Any:
        """Return a key that identifies the position shown."""
        raise NotImplementedError

    def moves(self) -> Sequence[Move]:
        """Return the moves that may be chosen now; the result is empty if they must not be revealed."""
        raise NotImplementedError

    def own_view(self) -> State:
        """Return the state, limited to what the seat to move may know."""
        raise NotImplementedError

    def standing(self) -> str:
        """Return whose turn it is, or why nobody is to move."""
        raise NotImplementedError

    def last(self) -> str:
        """Return who moved last, and what the move did."""
        raise NotImplementedError

    def mine(self) -> str:
        """Return a sentence about what the player owns, aims for and has scored."""
        raise NotImplementedError

    def time(self) -> str:
        """Return whose turn it is, and the remaining time of each player who has a clock."""
        raise NotImplementedError


class Played(Asked, MatchTable, Protocol):
    """Page of a match that is being played."""

    status: Status
    timing: Timing

    @property
    def doing(self) -> Doing:
        """Object that makes moves on the table."""

    def told_of(self, number: int) -> str:
        """Return who made move ``number`` and what it did, as a sentence.

        The caller must make sure that the viewer may know the move.
        """


class MatchQuestions(Questions):
    """Answers about a match that is being played, from the point of view of the person to move."""

    def __init__(self, page: Played) -> None:
        super().__init__(page)
        self.page = page

    def place(self) -> Any:
        return self.page.session.cursor

    def moves(self) -> Sequence[Move]:
        session = self.page.session
        return self.page.doing.open_moves() if session.asking and session.asked is not None else ()

    def own_view(self) -> State:
        return self.page.session.own_view()

    def standing(self) -> str:
        return self.page.status.sentence()

    def last(self) -> str:
        page, session = self.page, self.page.session
        number = session.cursor - 1
        if number < 0:
            return _("Nothing has been played yet")
        if session.masked(number):
            return _("{who} chose in secret", who=page.names[page.match.plies[number].seat])
        return page.told_of(number)

    def mine(self) -> str:
        session = self.page.session
        return self.owned(session.view, session.asked if session.asked is not None else session.sitting)

    def time(self) -> str:
        page = self.page
        clocks = [(name, page.timing.line(seat)) for seat, name in enumerate(page.names)]
        told = [_("{who}: {did}", who=name, did=line) for name, line in clocks if line]
        return ". ".join([page.status.sentence(), *told])


class Shown(Asked, Protocol):
    """Page that shows a position of a match that isn't being played."""

    @property
    def at_ply(self) -> int:
        """Number of moves made before the position shown."""

    @property
    def viewer(self) -> int | None:
        """Viewer, in the form accepted by :func:`shibumi3d.app.marbles.secrets.view_of`."""

    @property
    def state(self) -> State:
        """State shown, including hidden information."""

    def caption(self) -> str:
        """Return what the last move did, or what there is to do here."""


class MomentQuestions(Questions):
    """Answers about a position that isn't being played. They cover all seats."""

    def __init__(self, page: Shown) -> None:
        super().__init__(page)
        self.page = page

    def place(self) -> Any:
        return self.page.at_ply, self.page.match

    def _seen(self) -> Any:
        return secrets.view_of(self.page.match.game, self.page.state, self.page.viewer)

    def moves(self) -> Sequence[Move]:
        page, game, state = self.page, self.page.match.game, self.page.state
        # If the seat to move knows more than the viewer, its choices would give secrets away.
        if state.to_move is None or (page.viewer is not None and self.own_view() != self._seen()):
            return ()
        return game.moves(state, state.to_move)

    def own_view(self) -> State:
        return self.page.match.game.view(self.page.state, self.page.state.to_move)

    def standing(self) -> str:
        seat = self.page.state.to_move
        if seat is None:
            return _("The game is over")
        asked = self.page.match.game.ask_line(self._seen(), language(), self.page.names)
        return _("{who} to move – {asked}", who=self.page.names[seat], asked=asked)

    def last(self) -> str:
        return self.page.caption()

    def mine(self) -> str:
        view = self._seen()
        return ". ".join(self.owned(view, seat) for seat in range(len(self.page.names)))

    def time(self) -> str:
        return self.standing()
