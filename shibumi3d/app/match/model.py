"""Model of a match page: the position shown, who must choose, who is looking, and what the viewer may know.

Nothing here depends on how a table is drawn. Only the model decides when the privacy screen covers the board between
two people who share a device. The board is covered before a choice made with a private view, unless the person whose
private view was shown last may know everything that the new view shows. While everybody is looking, no private
information is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, cast

from shibumi3d.match.history import Ply
from shibumi3d.match.marbles import marble_state
from shibumi3d.match.match import Match
from shibumi3d.rules.game import State
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.state import State as MarbleState

from ...match import visibility

if TYPE_CHECKING:
    from shibumi3d.rules.game import Event, Move
    from shibumi3d.scene.marbles.signs import Sign

    from ..host.settings import Settings


class VisiblePosition(Protocol):
    """One position in a match, and what the viewer may know of it."""

    @property
    def state(self) -> MarbleState:
        """Complete state of the position, including hidden information."""

    @property
    def observation(self) -> MarbleState:
        """The state being shown, limited to what the viewer may know."""

    @property
    def covered_boards(self) -> frozenset[int]:
        """Indices of the boards that are hidden from the viewer and therefore drawn covered."""

    @property
    def unrevealed_plies(self) -> frozenset[int]:
        """Indices of the moves that are hidden from the viewer."""

    @property
    def can_choose(self) -> bool:
        """Whether choices are accepted now."""

    @property
    def is_revealing(self) -> bool:
        """Whether secret choices are being revealed to everybody."""

    @property
    def perspective_seat(self) -> int:
        """Seat from whose side the table is shown.

        With three or more players, it is also the only seat whose own marbles are shown beside the boards.
        """

    def shown_plies(self) -> Sequence[Ply]:
        """Return the moves that led to the state shown."""

    def public_events(self, events: Sequence[ev.Event]) -> Sequence[ev.Event]:
        """Return ``events``, limited to what everybody may know."""


class OpenPosition:
    """Current position of ``match``, with nothing hidden and no choices allowed."""

    can_choose = is_revealing = False
    covered_boards: frozenset[int] = frozenset()
    unrevealed_plies: frozenset[int] = frozenset()

    def __init__(self, match: Match) -> None:
        self.match = match

    @property
    def state(self) -> MarbleState:
        return marble_state(self.match.state)

    @property
    def observation(self) -> MarbleState:
        return self.state

    @property
    def perspective_seat(self) -> int:
        """Seat to move, from whose side the table is shown."""
        return self.state.mover

    def shown_plies(self) -> Sequence[Ply]:
        return self.match.plies

    def public_events(self, events: Sequence[ev.Event]) -> Sequence[ev.Event]:
        """Return the events unchanged, because nothing is hidden."""
        return events


T = TypeVar("T")


class Memo(Generic[T]):
    """Cached result of ``compute``; an access recomputes it if a dependency has changed.

    ``get_dependencies`` returns the dependencies, which are compared by identity.
    """

    def __init__(self, compute: Callable[[], T], get_dependencies: Callable[[], tuple[object, ...]]) -> None:
        self._compute, self._get_dependencies = compute, get_dependencies
        self._cached: tuple[tuple[object, ...], T] | None = None

    def invalidate(self) -> None:
        """Discard the value, so that the next access recomputes it."""
        self._cached = None

    def get(self) -> T:
        """Return the value; recompute it first if a dependency has changed."""
        dependencies = self._get_dependencies()
        if self._cached is not None:
            for new, old in zip(dependencies, self._cached[0], strict=True):
                if new is not old:
                    break
            else:
                return self._cached[1]
        value = self._compute()
        self._cached = dependencies, value
        return value


@dataclass(frozen=True, slots=True, eq=False)
class BoardsSnapshot:
    """Snapshot of a position in a match with marbles, as a page shows it.

    ``state`` is the state shown, and ``observation`` is the same state limited to what the viewer may know.
    ``shown_plies`` holds the moves that led to the state, and ``hidden_plies`` the indices of the moves that are hidden
    from the viewer.

    ``covered_boards`` holds the indices of the boards whose contents are hidden from the viewer, and ``active_board``
    is the index of the current board. The table is shown from the side of the seat ``perspective_seat``. ``can_choose``
    says whether somebody may make a choice now.

    ``marbles`` maps (board, point) to the colour of the marble that is there when all animations have ended.
    ``placed_cells`` refers to the last turn in which the viewer saw a marble being set down. It lists the cell of the
    first marble that each move of that turn set down, unless the cell is empty again. ``static_signs`` holds the signs
    that don't depend on the pointer.
    """

    settings: Settings
    state: MarbleState
    observation: MarbleState
    shown_plies: Sequence[Ply]
    hidden_plies: frozenset[int]
    covered_boards: frozenset[int]
    active_board: int
    perspective_seat: int
    can_choose: bool
    marbles: Mapping[tuple[int, int], int]
    placed_cells: tuple[tuple[int, int], ...]
    static_signs: tuple[Sign, ...]


@dataclass(frozen=True, slots=True)
class ResponderChoice:
    """Answer to a question put to several seats at once: the ``seat`` that will respond, or -1 if none will."""

    seat: int


ValueT = TypeVar("ValueT")
EventT = TypeVar("EventT", bound="Event")


def cached_per_moment(compute: Callable[[Any], ValueT]) -> ValueT:
    """Turn a method of :class:`MatchModel` into a property whose value is cached until the current moment ends.

    A moment ends when the match or a public attribute of the model changes.
    """

    def read(model: MatchModel) -> ValueT:
        if model._match_version != model.match.version:
            model.start_moment()
        cached = model._cached
        if compute not in cached:
            cached[compute] = compute(model)
        result: ValueT = cached[compute]
        return result

    # Type checkers see the type of the value, as with a property.
    return cast("ValueT", property(read, doc=compute.__doc__))


class MatchModel:
    """Model of a match page: the position shown, what the viewer may know, and the seats that must choose.

    ``viewed_ply`` is the number of moves shown, or None for the current state. ``last_viewer`` is the seat whose
    private view was last shown, or None if no private view has been shown.
    """

    def __init__(self, match: Match) -> None:
        self.match = match
        self.viewed_ply: int | None = None
        self.last_viewer: int | None = None
        self.facts = match.game.facts(len(match.seats))
        self.in_lesson = False
        """Whether this is a lesson or problem, where the screen is never covered and seats are never asked together."""
        self.suspended = False
        """Whether choices are suspended although the match goes on."""
        self._responder_choice: tuple[State, int] | None = None
        """The state in which a seat last announced that it wants to respond, and that seat; None if none has."""

    def __setattr__(self, name: str, value: object) -> None:
        """Set an attribute; if it is public and its value has changed, start a new moment.

        Values that are cached for a moment depend only on the match and on public attributes.
        """
        changes = not name.startswith("_") and (name not in self.__dict__ or self.__dict__[name] is not value)
        object.__setattr__(self, name, value)
        if changes:
            self.start_moment()

    def start_moment(self) -> None:
        """Start a new moment: discard all cached values and replace :attr:`moment_key`."""
        self._cached: dict[Callable[[Any], Any], Any] = {}
        self._moment_key = object()
        self._match_version = self.match.version

    @property
    def moment_key(self) -> object:
        """Object that identifies the current moment.

        It is replaced whenever the match or a public attribute of the model has changed.
        """
        if self._match_version != self.match.version:
            self.start_moment()
        return self._moment_key

    @cached_per_moment
    def human_seats(self) -> list[int]:
        """Seats played by people."""
        return [number for number, seat in enumerate(self.match.seats) if not seat.is_computer]

    @property
    def is_live(self) -> bool:
        """Whether the current state is shown, rather than an earlier one."""
        return self.viewed_ply is None

    @cached_per_moment
    def can_choose(self) -> bool:
        """Whether choices are accepted now: the current state is shown, and choices aren't suspended."""
        return self.is_live and not self.suspended

    @property
    def is_revealing(self) -> bool:
        """Whether secret choices are being revealed to everybody.

        This is False unless a subclass overrides it.
        """
        return False

    @cached_per_moment
    def first_choosing_computer(self) -> int | None:
        """First of the computer seats that must choose, or None if there are none."""
        return next(iter(self.choosing_computers), None)

    @cached_per_moment
    def choosing_computers(self) -> tuple[int, ...]:
        """Seats of the computer players that must choose, each listed once."""
        ask = self.match.state.decision
        return tuple(filter(self.match.is_computer_seat, dict.fromkeys(ask.seats))) if ask is not None else ()

    @cached_per_moment
    def timing_leaks_secrets(self) -> bool:
        """Whether the thinking time of a computer player could reveal private information.

        This is possible only if one of the computer players that must choose knows something that a spectator doesn't.
        In addition, the choices must be secret, or a seat must be able to decline privately.
        """
        match, ask = self.match, self.match.state.decision
        if ask is None or not (ask.visibility == "hidden" or (ask.visibility == "own" and ask.default)):
            return False
        common = match.game.observe(match.state, None)
        return any(match.game.observe(match.state, seat) != common for seat in self.choosing_computers)

    @cached_per_moment
    def response_seats(self) -> tuple[int, ...]:
        """Seats that are asked together whether any of them wants to respond; empty if no seats are asked.

        The question is asked openly, before any of them looks at a private view. Seats that don't respond play the
        default move.
        """
        ask = self.match.state.decision
        if (
            ask is None
            or ask.visibility != "own"
            or not ask.default
            or self.first_choosing_computer is not None
        ):
            return ()
        if (
            len(self.human_seats) < 2
            or not self.facts.has_secrets
            or self.in_lesson
            or self._responder is not None
        ):
            return ()
        return tuple(ask.seats)

    @property
    def _responder(self) -> int | None:
        return (
            self._responder_choice[1]
            if self._responder_choice and self._responder_choice[0] is self.match.state
            else None
        )

    def set_responder(self, seat: int) -> None:
        """Record that ``seat`` wants to respond in the current state and will look at its private view."""
        self._responder_choice = self.match.state, seat
        self.start_moment()

    @cached_per_moment
    def choosing_seat(self) -> int | None:
        """Seat of the person who must choose now, or None.

        It is None while a computer player must choose, while people are being asked whether anyone wants to respond
        (see :attr:`response_seats`), and when the match is over.
        """
        ask = self.match.state.decision
        if ask is None or self.first_choosing_computer is not None or self.response_seats:
            return None
        if self._responder is not None:
            return self._responder
        return self.last_viewer if self.last_viewer in ask.seats else ask.seats[0]

    @cached_per_moment
    def is_private_choice(self) -> bool:
        """Whether a person has to choose privately now."""
        ask = self.match.state.decision
        return ask is not None and ask.visibility != "open" and self.choosing_seat is not None

    @cached_per_moment
    def viewer(self) -> int | None:
        """Seat whose view is shown, or :data:`.ALL_SEATS` to show only what everybody may know.

        When the match is over, this is None, and everything is shown.
        """
        if self.match.state.to_move is None:
            return None
        if len(self.human_seats) == 1:
            return self.human_seats[0]
        return self.choosing_seat if self.is_private_choice else self.default_viewer

    @cached_per_moment
    def default_viewer(self) -> int:
        """Default viewer, which is :data:`.ALL_SEATS` unless a subclass overrides it.

        It isn't used when the match is over, when exactly one person plays, or while a seat has to choose privately.
        """
        return visibility.ALL_SEATS

    @cached_per_moment
    def needs_privacy_screen(self) -> bool:
        """Whether the table must be hidden until the person who is to choose has taken the seat."""
        seat = self.choosing_seat
        if (
            seat is None
            or not self.is_private_choice
            or len(self.human_seats) < 2
            or seat == self.last_viewer
        ):
            return False
        return not self.in_lesson and self.has_more_knowledge(seat)

    def has_more_knowledge(self, seat: int) -> bool:
        """Return whether ``seat`` is allowed to know things that :attr:`last_viewer` isn't.

        Unless a subclass overrides this, the result is whether the game has secrets.
        """
        return self.facts.has_secrets

    def begin_private_choice(self) -> int | None:
        """If the current choice is private, record the choosing seat as ``last_viewer``.

        Returns the choosing seat if the screen must be covered before the choice, else None.
        """
        seat, covered = self.choosing_seat, self.needs_privacy_screen
        if self.is_private_choice:
            self.last_viewer = seat
        return seat if covered else None

    @cached_per_moment
    def perspective_seat(self) -> int:
        """Seat from whose side the table is shown."""
        viewer = self.viewer
        if viewer is not None and viewer != visibility.ALL_SEATS:
            return viewer
        return self.choosing_seat if self.choosing_seat is not None else self.match.state.mover

    @cached_per_moment
    def state(self) -> State:
        """State shown, including hidden information."""
        return self.match.state if self.viewed_ply is None else self.match.state_after(self.viewed_ply)

    @property
    def cursor(self) -> int:
        """Number of moves made up to the state shown."""
        return self.match.cursor if self.viewed_ply is None else self.viewed_ply

    def shown_plies(self) -> Sequence[Ply]:
        """Return the moves that led to the state shown."""
        return self.match.plies[: self.cursor]

    @cached_per_moment
    def observation(self) -> State:
        """State shown, limited to what the viewer may know."""
        state, viewer, cached = self.state, self.viewer, self._observation_cache
        if cached is None or cached[0] is not state or cached[1] != viewer:
            cached = state, viewer, visibility.observe(self.match.game, state, viewer)
            self._observation_cache = cached
        return cached[2]

    _observation_cache: tuple[State, int | None, State] | None = None
    """The state and the viewer for which the cached observation was computed, and the observation.

    As long as neither changes, :attr:`observation` is the same object, so callers may compare observations by identity.
    """

    def observation_before(self, ply: int) -> State:
        """Return the state before the move with index ``ply``, limited to what the viewer may know."""
        return visibility.observe(self.match.game, self.match.state_after(ply), self.viewer)

    def chooser_observation(self) -> State:
        """Return the current state, limited to what :attr:`choosing_seat` may know."""
        return self.match.game.observe(self.match.state, self.choosing_seat)

    def observe_events(self, events: Iterable[EventT]) -> list[EventT]:
        """Return the part of ``events`` that the viewer may know.

        ``events`` must be those that led to the state shown.
        """
        return visibility.observe_events(self.match.game, self.state, self.viewer, events)

    def observe_plies(self, plies: Iterable[Ply]) -> list[Event]:
        """Return the events of ``plies``, limited to what the viewer may know."""
        events: list[Event] = []
        for ply in plies:
            events += visibility.observe_events(self.match.game, ply.state, self.viewer, ply.events)
        return events

    def legal_moves(self) -> tuple[Move, ...]:
        """Return the legal moves of the person who must choose now.

        The result is empty if no person must choose now, if an earlier position is shown, or if the table must be
        hidden until the person has taken the seat.
        """
        if self.choosing_seat is None or not self.is_live or self.needs_privacy_screen:
            return ()
        return self.match.game.moves(self.match.state, self.choosing_seat)

    @cached_per_moment
    def hidden_plies(self) -> frozenset[int]:
        """Indices of the moves, including undone ones, that are hidden from the viewer."""
        match = self.match
        back = self.hidden_undone_plies() if match.undone else frozenset()
        return visibility.hidden_plies(match, match.plies, self.viewer) | back

    def is_ply_hidden(self, ply: int) -> bool:
        """Return whether the move with index ``ply`` is hidden from the viewer.

        ``ply`` can also be the index of an undone move.
        """
        return ply in self.hidden_plies

    def hidden_undone_plies(self) -> frozenset[int]:
        """Return the indices of the undone moves that are hidden from the viewer."""
        match = self.match
        every = match.plies + match.undone
        # The last move of a match reveals everything. Ignore that once it has been undone, since play may continue
        # differently.
        ended = every[-1].state.result is not None
        hidden = visibility.hidden_plies(match, every[:-1] if ended else every, self.viewer)
        return frozenset(number for number in hidden if number >= match.cursor)

    def past_observations(self, seat: int) -> list[State]:
        """Return all earlier states in which a turn began, each limited to what ``seat`` may know.

        The list is empty for games in which positions can't repeat.
        """
        if not self.facts.positions_may_repeat or not self.match.plies:
            return []
        states = [self.match.initial_state, *[ply.state for ply in self.match.plies[:-1]]]
        return [self.match.game.observe(state, seat) for state in states if not state.step]

    def last_turn_start(self) -> int:
        """Return the index of the first move of the last turn, finished or not; return 0 if there are no moves."""
        plies = self.match.plies
        first = len(plies) - 1
        while first > 0 and plies[first - 1].turn == plies[-1].turn:
            first -= 1
        return max(first, 0)

    def automatic_move(self) -> Move | None:
        """Return the move to play automatically, or None.

        A move is played automatically if it is the default of an open choice and no other move is legal.
        """
        ask = self.match.state.decision
        if ask is None or ask.visibility != "open" or not ask.default:
            return None
        moves = self.match.game.moves(self.match.state, ask.seats[0])
        return moves[0] if len(moves) == 1 and moves[0].text == ask.default else None

    def last_turn_events(self) -> Sequence[Event]:
        """Return the events of the last turn shown, limited to what the viewer may know."""
        plies = self.match.plies[: self.cursor]
        turn = [ply for ply in plies if ply.turn == plies[-1].turn] if plies else []
        return self.observe_events([event for ply in turn for event in ply.events])
