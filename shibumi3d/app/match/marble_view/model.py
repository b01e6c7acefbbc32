"""Model of a match with marbles: what the viewer may see, and what the last turn changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from shibumi3d.match.marbles import marble_events, marble_moves, marble_state
from shibumi3d.match.match import Match
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.state import State

from ....match import visibility
from ... import secret_reveals
from ..model import MatchModel, cached_per_moment

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.move import Move


class MarbleMatchModel(MatchModel):
    """Model of a match with marbles.

    A person who makes a choice sees their own private view, even if the choice is public.
    """

    def __init__(self, match: Match) -> None:
        super().__init__(match)
        self.are_boxes_closed: Callable[[], bool] = lambda: False
        """Callback that returns whether the choices being revealed are still hidden."""
        self.reveal: secret_reveals.Reveal | None = None
        """Secret choices being revealed to everybody, or None if there are none."""

    @cached_per_moment
    def state(self) -> State:
        return marble_state(super().state)

    @cached_per_moment
    def observation(self) -> State:
        return marble_state(super().observation)

    def observation_before(self, ply: int) -> State:
        return marble_state(super().observation_before(ply))

    def chooser_observation(self) -> State:
        return marble_state(super().chooser_observation())

    def legal_moves(self) -> tuple[Move, ...]:
        return marble_moves(super().legal_moves())

    @property
    def timing_leaks_secrets(self) -> bool:
        # Thinking time depends on the number of possible moves, not on what the seat holds in secret.
        return False

    @property
    def is_revealing(self) -> bool:
        return self.reveal is not None

    @cached_per_moment
    def can_choose(self) -> bool:
        return self.is_live and not self.is_revealing and not self.suspended

    @cached_per_moment
    def is_private_choice(self) -> bool:
        return self.choosing_seat is not None

    @cached_per_moment
    def viewer(self) -> int | None:
        return visibility.ALL_SEATS if self.is_revealing else super().viewer

    @cached_per_moment
    def default_viewer(self) -> int:
        # Computers don't look at the screen, so the viewer is still the person who last viewed the table.
        return self.last_viewer if self.last_viewer in self.human_seats else visibility.ALL_SEATS

    def has_more_knowledge(self, seat: int) -> bool:
        if not super().has_more_knowledge(seat):
            return False
        persons, match = self.human_seats, self.match
        other = (
            self.last_viewer
            if self.last_viewer is not None
            else persons[(persons.index(seat) + 1) % len(persons)]
        )
        more: bool = match.game.observe(match.state, seat) != match.game.observe(match.state, other)
        return more

    @cached_per_moment
    def perspective_seat(self) -> int:
        if self.is_revealing:
            # Marbles that come out of a box go to the seat that moves next.
            following = self.match.state.to_move
            return self.match.plies[-1].seat if following is None else following
        viewer = self.viewer
        return self.match.state.mover if viewer is None or viewer == visibility.ALL_SEATS else viewer

    @property
    def card_state(self) -> State:
        """Observation that the players' cards show.

        If secret choices are about to be revealed, this is the observation before they were made.
        """
        shut = self.first_covered_choice
        return self.observation if shut is None else self.observation_before(shut)

    _outcome_cache: tuple[State, str] | None = None

    def reveal_outcome(self) -> str:
        """Describe the outcome of the secret choices that the last move revealed to everybody.

        Returns an empty string if it revealed none, or none that can be shown.
        """
        plies, state = self.match.plies, marble_state(self.match.state)
        if not plies or not secret_reveals.includes_reveal(plies[-1].events):
            return ""
        cached = self._outcome_cache
        if cached is None or cached[0] is not state:
            reveal = secret_reveals.public_reveal(self.match, plies, self.match.names)
            cached = self._outcome_cache = state, reveal.sentence if reveal is not None else ""
        return cached[1]

    @cached_per_moment
    def score_changes(self) -> tuple[int, ...]:
        """Change in each seat's score during the last turn.

        All changes are 0 if no turn has been played, if an earlier position is shown, or if the turn led to a new game
        of a series.
        """
        seen = self.observation
        if not self.is_live or not self.match.plies:
            return (0,) * seen.seats
        before = self.observation_before(self.last_turn_start())
        same = before.game_number == seen.game_number
        return tuple(now - then if same else 0 for now, then in zip(seen.scores, before.scores, strict=True))

    @property
    def unrevealed_plies(self) -> frozenset[int]:
        """Indices of the moves that are currently hidden from the viewer, including undone ones."""
        shut = self.first_covered_choice
        if shut is None:
            return self.hidden_plies
        return self.hidden_plies | frozenset(range(shut, self.match.cursor + len(self.match.undone)))

    def is_ply_hidden(self, ply: int) -> bool:
        return ply in self.unrevealed_plies

    def hidden_undone_plies(self) -> frozenset[int]:
        match, viewer = self.match, self.viewer
        # A move that was undone may still be known to only one seat.
        return frozenset(
            number
            for number, gone in enumerate(match.undone, match.cursor)
            if viewer is not None and gone.seat != viewer
            if (marble_state(gone.state).is_in_secret_block and gone.events)
            or visibility.hides_any(
                match.game, match.state if gone.state.result is not None else gone.state, viewer, gone.events
            )
        )

    @cached_per_moment
    def covered_boards(self) -> frozenset[int]:
        """Indices of the boards whose contents are hidden from the viewer."""
        return visibility.covered_boards(self.match.state, self.viewer)

    def public_events(self, events: Sequence[ev.Event]) -> Sequence[ev.Event]:
        """Return ``events`` reduced to what everybody may know."""
        return marble_events(self.match.game.observe_events(self.match.state, events, None))

    @property
    def first_covered_choice(self) -> int | None:
        """Index of the first of the secret moves that are about to be revealed.

        It is None if nothing is being revealed, or if the moves are already visible.
        """
        if self.reveal is None or not self.are_boxes_closed():
            return None
        return self.reveal.first_ply
