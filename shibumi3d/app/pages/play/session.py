"""What the viewer may see of a match with marbles, and what the last turn changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shibumi3d.match.match import Match
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.state import State

from ...board.session import Session
from ...board.who import once
from ...marbles import reveals, secrets


class MarbleSession(Session):
    """Match with marbles, limited to what the viewer may see.

    Before each choice, the person who makes it sees their own view, even if the choice is public.
    """

    def __init__(self, match: Match) -> None:
        super().__init__(match)
        self.still_shut: Callable[[], bool] = lambda: False
        """Callback that returns whether the choices being revealed are still hidden."""
        self.reveal: reveals.Reveal | None = None
        """Secret choices being revealed to everybody, or None."""

    @property
    def telltale(self) -> bool:
        # Thinking time depends on the number of possible moves, not on what the seat holds in secret.
        return False

    @property
    def opening(self) -> bool:
        return self.reveal is not None

    @once
    def asking(self) -> bool:
        return self.live and not self.opening and not self.suspended

    @once
    def private(self) -> bool:
        return self.asked is not None

    @once
    def viewer(self) -> int | None:
        return secrets.ALL if self.opening else super().viewer

    @once
    def onlooker(self) -> int:
        # Computers don't look at the screen, so the viewer is still the person who looked last.
        return self.looker if self.looker in self.persons else secrets.ALL

    def knows_more(self, seat: int) -> bool:
        persons, match = self.persons, self.match
        other = self.looker if self.looker is not None else persons[(persons.index(seat) + 1) % len(persons)]
        more: bool = match.game.view(match.state, seat) != match.game.view(match.state, other)
        return more

    @once
    def sitting(self) -> int:
        if self.opening:
            # Marbles that come out of a box go to the seat that moves next.
            following = self.match.state.to_move
            return self.match.plies[-1].seat if following is None else following
        viewer = self.viewer
        return self.match.state.mover if viewer in (None, secrets.ALL) else viewer

    @property
    def told(self) -> State:
        """State shown on the cards, which excludes choices that haven't been revealed yet."""
        shut = self.shut_from
        told: State = self.view if shut is None else self.view_before(shut)
        return told

    _sentence: tuple[State, str] | None = None

    def came_of(self) -> str:
        """Return a text on the outcome of the secret choices that the last move revealed.

        The text is empty if the move revealed none.
        """
        plies, state = self.match.plies, self.match.state
        if not plies or not reveals.revealed(plies[-1].events):
            return ""
        if self._sentence is None or self._sentence[0] is not state:
            reveal = reveals.common(self.match, plies, self.match.names)
            self._sentence = state, reveal.sentence if reveal is not None else ""
        return self._sentence[1]

    def gains(self) -> tuple[int, ...]:
        """Return how the last turn changed each seat's score."""
        return self.gained

    @once
    def gained(self) -> tuple[int, ...]:
        """Change of each seat's score in the last turn.

        It is 0 while an earlier position is shown, and after a new game of a series has begun.
        """
        seen: State = self.view
        if not self.live or not self.match.plies:
            return (0,) * seen.seats
        before = self.view_before(self.turn_start())
        same = before.game_number == seen.game_number
        return tuple(now - then if same else 0 for now, then in zip(seen.scores, before.scores, strict=True))

    @property
    def unread(self) -> frozenset[int]:
        """Numbers of the moves that the viewer may not know at present, including undone ones."""
        shut = self.shut_from
        if shut is None:
            return self.hidden
        return self.hidden | frozenset(range(shut, self.match.cursor + len(self.match.undone)))

    def masked(self, number: int) -> bool:
        return number in self.unread

    def kept_back(self) -> frozenset[int]:
        match, viewer = self.match, self.viewer
        # A move that was undone may still be known to only one seat.
        return frozenset(
            number
            for number, gone in enumerate(match.undone, match.cursor)
            if viewer is not None and gone.seat != viewer
            if (gone.state.in_secret and gone.events)
            or secrets.kept(
                match.game, match.state if gone.state.result is not None else gone.state, viewer, gone.events
            )
        )

    @once
    def cloths(self) -> frozenset[int]:
        """Boards whose contents the viewer may not see."""
        return secrets.covered(self.match.state, self.viewer)

    def all_know(self, events: Sequence[ev.Event]) -> Sequence[ev.Event]:
        """Return ``events`` reduced to what everybody may know."""
        return self.match.game.as_seen_by(self.match.state, events, None)

    @property
    def shut_from(self) -> int | None:
        """Number of the first secret choice of the current reveal, while the choices are still hidden.

        It is None if nothing is being revealed, or if the choices are already visible.
        """
        if self.reveal is None or not self.still_shut():
            return None
        return self.reveal.first
