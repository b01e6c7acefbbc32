"""What is played and what of it is seen: the match, the moment shown, who looks. No pixels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from shibumi3d.match.match import Match
from shibumi3d.match.ply import Ply
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.state import State

from ...marbles import reveals, secrets


class Session:
    """What is played and what of it is seen: the match, the moment shown, who looks. No pixels."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.still_shut: Callable[[], bool] = lambda: False
        """Whether what is being revealed can't be seen yet."""
        self.looking: int | None = None
        self.reveal: reveals.Reveal | None = None
        """What was chosen in secret, while all look at it."""
        self.looker: int | None = None
        """Who looked at the board last."""

    @property
    def state(self) -> State:
        looking = self.looking
        if looking is None or looking >= self.match.cursor:
            state: State = self.match.state
        else:
            state = self.match.plies[looking - 1].state if looking else self.match.first
        return state

    def passed(self) -> Sequence[Ply]:
        return self.match.plies if self.looking is None else self.match.plies[: self.looking]

    @property
    def live(self) -> bool:
        """Whether the board shows the game as it is now."""
        return self.looking is None

    @property
    def opening(self) -> bool:
        """Whether all look at what was chosen in secret."""
        return self.reveal is not None

    @property
    def asking(self) -> bool:
        """Whether somebody may choose something now."""
        return self.live and not self.opening

    @property
    def viewer(self) -> int | None:
        """The seat of the person at the screen, or all; None when the match is over and nothing is secret any more."""
        seat: int | None = self.match.state.to_move
        if self.opening:
            return secrets.ALL
        if not self.match.by_computer(seat):
            return seat
        # Computers do not look: the person who looked last does.
        persons = self.persons
        if len(persons) == 1:
            return persons[0]
        return self.looker if self.looker in persons else secrets.ALL

    @property
    def persons(self) -> list[int]:
        """The seats at which somebody sits."""
        return [number for number, seat in enumerate(self.match.seats) if not seat.computer]

    def past(self, seat: int) -> list[State]:
        """The states at which the turns before this one began, as ``seat`` may know them."""
        if not self.match.plies:
            return []
        begun = [self.match.first, *[ply.state for ply in self.match.plies[:-1]]]
        return [self.match.game.view(state, seat) for state in begun if not state.step]

    _seen: tuple[State, int | None, State] | None = None

    def seen(self) -> State:
        state, viewer = self.state, self.viewer
        if self._seen is None or self._seen[0] is not state or self._seen[1] != viewer:
            self._seen = (state, viewer, secrets.seen(self.match.game, state, viewer))
        return self._seen[2]

    _gains: tuple[State, tuple[int, ...]] | None = None

    def gains(self) -> tuple[int, ...]:
        """How the last turn changed the score of each seat."""
        seen = self.seen()
        if not self.live or not self.match.plies:
            return (0,) * seen.seats
        if self._gains is None or self._gains[0] is not seen:
            before = self.seen_before(self.turn_start())
            same = before.game_number == seen.game_number
            pairs = zip(seen.scores, before.scores, strict=True)
            self._gains = seen, tuple(now - then if same else 0 for now, then in pairs)
        return self._gains[1]

    _masked: tuple[tuple[State, int, int | None], frozenset[int]] | None = None

    def masked(self, ply: int) -> bool:
        if self.shut_from is not None and ply >= self.shut_from:
            return True
        key = (self.match.state, len(self.match.undone), self.viewer)
        if self._masked is None or self._masked[0][0] is not key[0] or self._masked[0][1:] != key[1:]:
            every = self.match.plies
            hidden = secrets.masked(self.match, every, self.viewer)
            if self.viewer is not None:
                # What was taken back may still be known to one seat alone.
                for number, gone in enumerate(self.match.undone, len(every)):
                    at = gone.state if gone.state.result is None else self.match.state
                    if gone.seat != self.viewer and (
                        secrets.kept(self.match.game, at, self.viewer, gone.events)
                        or (gone.state.in_secret and gone.events)
                    ):
                        hidden |= {number}
            self._masked = (key, hidden)
        return ply in self._masked[1]

    def covered(self) -> frozenset[int]:
        return secrets.covered(self.match.state, self.viewer)

    def all_know(self, events: Sequence[ev.Event]) -> Sequence[ev.Event]:
        """The events as everybody may know them."""
        return self.match.game.told(self.match.state, events, None)

    def known(self, events: Iterable[ev.Event]) -> list[ev.Event]:
        """The events as the person at the screen may know them."""
        return secrets.told(self.match.game, self.match.state, self.viewer, events)

    @property
    def shut_from(self) -> int | None:
        """The number of the first of the moves that are still shut while all look; None: nothing is."""
        if self.reveal is None or not self.still_shut():
            return None
        return self.reveal.first

    def turn_start(self) -> int:
        """The number of the first ply of the last turn, or of this one if it has begun."""
        plies = self.match.plies
        first = len(plies) - 1
        while first > 0 and plies[first - 1].turn == plies[-1].turn:
            first -= 1
        return max(first, 0)

    def seen_before(self, ply: int) -> State:
        """The state before ply number ``ply``, as the person at the screen may know it."""
        state = self.match.plies[ply - 1].state if ply else self.match.first
        return secrets.seen(self.match.game, state, self.viewer)
