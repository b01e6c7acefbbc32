"""Marble games without search or texts: moves, states, views and previews.

The rules come from a game file. :mod:`.game` extends the class in this module with search and texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from random import Random
from types import TracebackType
from typing import Any

from shibumi3d.i18n import InvalidValueError, Message
from shibumi3d.rules.errors import IllegalMove, RuleFailure
from shibumi3d.rules.game import Deal, DefaultTexts, Position
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles import position
from shibumi3d.rules.marbles.colours import COLOUR_LETTERS
from shibumi3d.rules.marbles.determinization import deduce_stocks, determinize
from shibumi3d.rules.marbles.encoding import encode_observation, list_all_choices
from shibumi3d.rules.marbles.engine.fast_game import FastGame
from shibumi3d.rules.marbles.engine.rules import (
    REASON_REPETITION,
    REASON_TIMEOUT,
    WORK_BUDGET,
    Result,
    Rules,
    Snapshot,
)
from shibumi3d.rules.marbles.engine.snapshots import position_tuple
from shibumi3d.rules.marbles.engines import Runner, get_engine, get_runner
from shibumi3d.rules.marbles.facts import MarbleFacts, compute_facts
from shibumi3d.rules.marbles.language.rules_compiler import compile_rules
from shibumi3d.rules.marbles.move import Move, normalize_notation
from shibumi3d.rules.marbles.notable_events import find_notable_events
from shibumi3d.rules.marbles.notation import decode_choice, encode_move
from shibumi3d.rules.marbles.observations import make_view, observe_events, secret_parts_of
from shibumi3d.rules.marbles.preview import MovePreview, preview_choice
from shibumi3d.rules.marbles.state import MarbleOutcome, State
from shibumi3d.rules.source import Item

HISTORY_FIELDS = ("turn_start", "history")
"""Snapshot fields that record past positions; a :class:`.Position` doesn't contain them."""

MAX_KNOWN_MOVES = 10_000
"""Maximum number of decoded moves to cache for a board; when it is exceeded, all are discarded.

A limit is needed because the number of moves that choose a set of points is practically unlimited.
"""


def _format_source_location(location: str) -> Message | str:
    """Return a location such as "game.yaml:12" as readable text, or "" if it names no file and line."""
    file, _, line = location.rpartition(":")
    return Message("{file}, line {line}", file=file, line=line) if file else ""


class _LocatedFailures:
    """Context manager that says where the rules failed.

    If the rules fail or loop forever, the machine is reset, and a RuleFailure is raised that names the game and the
    place in its file. This is a class because a generator-based context manager would slow down every move noticeably.
    """

    __slots__ = ("_item", "_runner", "_title")

    def __init__(self, title: str, item: Item, runner: Runner) -> None:
        self._title, self._item, self._runner = title, item, runner

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, failure: BaseException | None, trace: TracebackType | None
    ) -> None:
        if failure is None or not isinstance(failure, RuleFailure | RecursionError):
            return
        place = _format_source_location(self._runner.reset_after_failure()) or self._item.location.file
        if isinstance(failure, RuleFailure):
            raise RuleFailure(
                "{game}: {problem} ({place})", game=self._title, problem=failure, place=place
            ) from None
        raise RuleFailure("{game}: the rules loop forever ({place})", game=self._title, place=place) from None


class BasicGame(DefaultTexts[State, Move, ev.Event]):
    """A game defined by a game file, for one board size and variant.

    ``item`` contains the rules in the file. ``meta`` is the metadata of the file, or None. ``players`` is the minimum
    and maximum number of seats. The rules are compiled for a number of seats when that number is first used.
    """

    kind = "marbles"

    def __init__(
        self,
        id: str,
        title: str,
        item: Item,
        players: tuple[int, int],
        size: int = 4,
        variant: str = "",
        meta: Any = None,
    ) -> None:
        self.id = id
        self.title = title
        self.players = players
        self.size = size
        self.variant = variant
        self.meta = meta
        self._item = item
        self._rules_by_seats: dict[int, Rules] = {}
        self._legal_moves_cache: tuple[Snapshot | None, dict[str, int], tuple[Move, ...]] = (None, {}, ())
        """Snapshot for which moves were last listed, the codes of these moves by text, and the moves."""
        self._last_applied: tuple[State, str, State, tuple[ev.Event, ...]] | None = None
        """Last move applied: the state before, the move's text, the state after and the events."""
        self._preview_cache: tuple[Snapshot | None, dict[str, MovePreview]] = (None, {})
        """Snapshot for which moves were last previewed, and the previews by move text."""
        self.learned_folder = ""
        """Folder with learned weights, or "" for none."""
        self.effort = 0.0
        """Work done when moves were last listed, made or previewed, as a fraction of the work limit."""
        self._facts_by_seats: dict[int, MarbleFacts] = {}
        self.cache: dict[tuple[str, int], Any] = {}
        """Cache for other modules, keyed by a name of their choice and the number of seats."""

    @property
    def form(self) -> Mapping[str, int | str]:
        """Chosen board size and variant."""
        return {"size": self.size, "variant": self.variant}

    def facts(self, seats: int | None = None) -> MarbleFacts:
        """Return the facts about the game with the given number of seats (by default, the minimum).

        Raises InvalidValueError if the game does not allow that number.
        """
        rules = self._rules_for(seats)
        if rules.seats not in self._facts_by_seats:
            self._facts_by_seats[rules.seats] = compute_facts(rules, self.players, self.size, self.meta or {})
        return self._facts_by_seats[rules.seats]

    def __repr__(self) -> str:
        extra = f", variant={self.variant!r}" if self.variant else ""
        return f"game({self.id!r}, size={self.size}{extra})"

    # ------------------------------------------------------------ states and moves

    def _rules_for(self, seats: int | None = None) -> Rules:
        """Return the compiled rules for the given number of seats (by default, the minimum).

        Raises InvalidValueError if the game does not allow that number.
        """
        seats = self.check_seats(seats)
        if seats not in self._rules_by_seats:
            self._rules_by_seats[seats] = compile_rules(self._item, size=self.size, seats=seats)
        return self._rules_by_seats[seats]

    def all_move_texts(self, seats: int | None = None) -> tuple[str, ...]:
        """Return the texts of all moves that can ever occur with ``seats`` seats (None: the minimum).

        The list can also contain moves that are never legal. It meets the requirements of :class:`.NumericallyEncoded`.
        Raises InvalidValueError if the game does not allow the number of seats, or if players choose shapes or numbers,
        which can't be listed.
        """
        return list_all_choices(self._rules_for(seats), self.title)

    def encode_observation(self, view: State, seat: int) -> tuple[tuple[int, ...], list[float]]:
        """Return the observation of ``seat`` as numbers: the shape of an array and its values.

        See :func:`.encode_observation`.
        """
        return encode_observation(view, seat)

    def start(self, seats: int | None = None, seed: int = 0, deal: Deal | None = None) -> State:
        """Return the initial state of a match.

        By default, ``seats`` is the minimum. ``seed`` determines all random outcomes that ``deal`` doesn't preset.
        ``deal`` maps names of stocks to letters of colours. For a stock from which the rules draw at random, the
        letters give the order of the first draws; for any other stock, they are exactly what it contains before the
        setup. If each seat has a stock of the same name, the name is mapped to a sequence with one string for each
        seat, or to a single string that applies to each of these stocks.

        Raises ValueError if the game doesn't allow the number of seats, or if ``deal`` contains an unknown stock or
        invalid contents. Raises RuleFailure if the setup can't be completed, for example because the stocks in ``deal``
        contain too few marbles.
        """
        rules = self._rules_for(seats)
        contents, orders = _resolve_deal(self.title, rules, deal or {})
        runner = get_runner(rules)
        with _LocatedFailures(self.title, self._item, runner):
            machine = runner.machine
            machine.seed = seed
            machine.events = None
            machine.is_looking_ahead = False
            machine.draw_orders = orders
            machine.draw_count = 0
            machine.game_number = 1
            machine.totals = ()
            runner.engine.begin_match(machine, contents)
            return State(rules, runner.take_snapshot(), seed)

    def position(
        self,
        boards: str | Sequence[str],
        *,
        seats: int | None = None,
        to_move: int = 0,
        seed: int = 0,
        phase: int = 0,
        stocks: Deal | None = None,
    ) -> State:
        """Return the state at the start of a turn on the given boards.

        ``boards`` is a list with the text of each board, or a plain string for a single board. ``seats`` is the number
        of seats (None: the minimum), ``to_move`` is the seat to move, ``phase`` is the index of the phase, and ``seed``
        determines all random outcomes. If the turn offers no choice, play continues automatically to the next choice or
        to the end of the match.

        ``stocks`` maps names of stocks to their contents, written as colour letters. For a stock that every seat has,
        the value is a sequence with one string per seat. A shorter sequence sets only the stocks of the first seats,
        and a plain string only that of the first seat. Stocks that are not set have their initial contents, except the
        box: marbles are moved between it and the boards to turn the initial position into the given one. If the box has
        too few marbles of a colour for this, it is left with none of that colour, and no error is raised.

        Raises ValueError if the position is not valid, and RuleFailure if a rule can't be carried out.
        """
        rules = self._rules_for(seats)
        texts = [boards] if isinstance(boards, str) else list(boards)
        if len(texts) != len(rules.board_names):
            raise InvalidValueError(
                "wrong number of boards: {game} has {boards}, not {given}",
                game=self.title,
                boards=len(rules.board_names),
                given=len(texts),
            )
        if not 0 <= to_move < rules.seats:
            raise InvalidValueError("seat {seat} is to move, but there is no such seat", seat=to_move + 1)
        if not 0 <= phase < len(rules.phases):
            raise InvalidValueError("{game} has no phase {phase}", game=self.title, phase=phase + 1)
        drawn: list[tuple[int, ...]] = []
        for text in texts:
            size, cells = position.parse_board(text)
            if size != rules.pyramid.size:
                raise InvalidValueError(
                    "the board in this position has size {size}, but the game needs size {game}",
                    size=size,
                    game=rules.pyramid.size,
                )
            drawn.append(cells)
        contents: dict[int, list[int]] = {}
        for name, stock in (stocks or {}).items():
            if name not in rules.stock_names:
                raise InvalidValueError("{game} has no stock '{name}'", game=self.title, name=name)
            first = rules.stock_names.index(name)
            strings = [stock] if isinstance(stock, str) else list(stock)
            if len(strings) > rules.stock_names.count(name):
                raise InvalidValueError(
                    "there are fewer than {count} stocks named '{name}'", name=name, count=len(strings)
                )
            for i, letters in enumerate(strings):
                if set(letters) - set(COLOUR_LETTERS):
                    raise InvalidValueError(
                        "the stock '{name}' may only contain the letters {letters}",
                        name=name,
                        letters=", ".join(COLOUR_LETTERS),
                    )
                contents[first + i] = [letters.count(letter) for letter in COLOUR_LETTERS]
        runner = get_runner(rules)
        with _LocatedFailures(self.title, self._item, runner):
            machine = runner.machine
            machine.seed = seed
            machine.events = None
            machine.is_looking_ahead = False
            machine.draw_orders = ()
            machine.draw_count = 0
            machine.game_number = 1
            machine.totals = ()
            runner.engine.begin_at_position(machine, drawn, contents, phase, to_move)
            return State(rules, runner.take_snapshot(), seed)

    def notable_events(
        self, before: State, after: State, events: Sequence[ev.Event], seat: int
    ) -> frozenset[str]:
        """Return the names of the notable events among ``events``; see :class:`.RecognizesNotableEvents`."""
        return find_notable_events(before, after, events, seat)

    def position_of(self, state: State) -> Position | None:
        """Return the position that describes this state, or None if there is no such position.

        The first state of a match that starts from the position is the same as this state, except for its history, its
        number of turns and its random seed. There is no position in the middle of a turn, during the setup or after the
        end of the match.
        """
        if state._snapshot.choices_made or state._snapshot.result is not None or state._snapshot.phase < 0:
            return None
        rules, found = state._rules, Position(state.boards, state._snapshot.mover, state._snapshot.phase)
        try:
            start = self._snapshot_from(found, state.seats)
            if start.stocks != state._snapshot.stocks:
                stocks = {
                    name: tuple(
                        "".join(map(str.__mul__, COLOUR_LETTERS, held)) for held in state.stock_contents(name)
                    )
                    for name in dict.fromkeys(rules.stock_names)
                    if state.stock_contents(name) != State(rules, start, None).stock_contents(name)
                }
                found = replace(found, stocks=stocks)
                start = self._snapshot_from(found, state.seats)
        except (ValueError, RuleFailure):
            return None
        past = {name: getattr(start, name) for name in HISTORY_FIELDS}
        return (
            found
            if position_tuple(rules, state._snapshot._replace(**past)) == position_tuple(rules, start)
            else None
        )

    def _snapshot_from(self, position: Position, seats: int) -> Snapshot:
        state = self.position(
            position.boards,
            seats=seats,
            to_move=position.to_move,
            phase=position.phase,
            stocks=position.stocks,
        )
        return state._snapshot

    def make_fast_game(self, seats: int | None = None, seed: int = 0) -> FastGame:
        """Return the fast version of the game that searches use.

        ``seats`` is the number of seats (None: the minimum). ``seed`` seeds the random numbers of playouts and random
        moves. Raises InvalidValueError if the game does not allow the number of seats.
        """
        rules = self._rules_for(seats)
        fast_game: FastGame = get_engine(self.size).FastGame(rules, seed)
        return fast_game

    def moves(self, state: State, seat: int | None = None) -> tuple[Move, ...]:
        """Return the legal moves of ``seat`` (None: the seat to move) in a fixed order, without duplicates.

        There are none if the match is over or if ``seat`` is not the seat to move. In a view, the result contains only
        moves that are legal whatever the hidden information is, and it is empty while another seat chooses in secret.
        Raises RuleFailure if a rule can't be carried out.
        """
        if seat is not None and seat != state.to_move:
            return ()
        if state.common_view is not None and state.common_view[0] != state.to_move:
            return ()
        if self._legal_moves_cache[0] is not state._snapshot:
            self._cache_legal_moves(state)
        return self._legal_moves_cache[2]

    def _cache_legal_moves(self, state: State) -> None:
        runner, rules = get_runner(state._rules), state._rules
        with _LocatedFailures(self.title, self._item, runner):
            machine = runner.load(
                state._snapshot if state.seed is not None else deduce_stocks(rules, state._snapshot),
                state.seed,
            )
            codes = runner.engine.legal_choices(machine)
        self.effort = 1 - machine.work_left / WORK_BUDGET
        board = state._snapshot.board_index
        known: dict[int, Move] = runner.moves_by_code.setdefault(board, {})
        if len(known) > MAX_KNOWN_MOVES:
            known.clear()
        for code in codes:
            if code not in known:
                known[code] = Move(*decode_choice(rules, code, board))
        moves = tuple([known[code] for code in codes])
        self._legal_moves_cache = (
            state._snapshot,
            dict(zip([move.text for move in moves], codes, strict=True)),
            moves,
        )

    def apply(self, state: State, move: Move | str) -> tuple[State, tuple[ev.Event, ...]]:
        """Return the state after a move, and the events that it caused, in order.

        ``state`` itself is not modified. Raises IllegalMove if the move is not legal, and RuleFailure if a rule can't
        be carried out.
        """
        text = str(move).strip()
        if (
            self._last_applied is not None
            and self._last_applied[0] is state
            and self._last_applied[1] == text
        ):
            # The move that is made is usually the one whose result was requested just before.
            return self._last_applied[2:]
        if self._legal_moves_cache[0] is not state._snapshot:
            self._cache_legal_moves(state)
        code = self._legal_moves_cache[1].get(text)
        if code is None:
            if state._snapshot.result is not None:
                raise IllegalMove("'{move}': the match is over", move=text)
            raise IllegalMove("'{move}' is not possible now", move=text)
        runner = get_runner(state._rules)
        with _LocatedFailures(self.title, self._item, runner):
            machine = runner.load(state._snapshot, state.seed)
            events: list[ev.Event] = []
            machine.events = events
            runner.loaded = None
            runner.engine.play_choice(machine, code)
            self.effort = 1 - machine.work_left / WORK_BUDGET
            after = State(state._rules, runner.take_snapshot(), state.seed)
        self._last_applied = (state, text, after, tuple(machine.events))
        return self._last_applied[2:]

    def agree_to_draw(self, state: State) -> tuple[State, tuple[ev.Event, ...]]:
        """Return the final state after the seats agree to a draw by repetition, and the event that ends the match.

        Raises IllegalMove if the match is already over.
        """
        return _end_match(state, (), REASON_REPETITION)

    def lose_on_time(self, state: State, seat: int) -> tuple[State, tuple[ev.Event, ...]]:
        """Return the final state, in which all seats but ``seat`` win on time, and the event that ends the match.

        Raises IllegalMove if the match is already over.
        """
        return _end_match(
            state,
            tuple(other_seat for other_seat in range(state.seats) if other_seat != seat),
            REASON_TIMEOUT,
        )

    def preview(self, view: State, move: Move) -> MovePreview:
        """Preview a legal move.

        The result contains the effects that are certain, given only the information in this view.
        """
        if self._preview_cache[0] is not view._snapshot:
            self._preview_cache = (view._snapshot, {})
        known = self._preview_cache[1]
        self.effort = 0.0
        if move.text not in known:
            runner = get_runner(view._rules)
            known[move.text] = preview_choice(runner, view, encode_move(view._rules, move))
            self.effort = 1 - runner.machine.work_left / WORK_BUDGET
        return known[move.text]

    def outcome(self, state: State) -> MarbleOutcome | None:
        """Return how the match ended, or None if it is not over."""
        return state.result

    def parse(self, state: State, text: str, seat: int | None = None) -> Move:
        """Return the legal move of ``seat`` (None: the seat to move) with the given text.

        Raises IllegalMove if there is none.
        """
        wanted = normalize_notation(text)
        result = next((move for move in self.moves(state, seat) if move.text == wanted), None)
        if result is None:
            raise IllegalMove("'{move}' is not possible now", move=text.strip())
        return result

    def decode_move(self, state: State, move_code: int) -> Move:
        """Return the move in ``state`` that a :class:`.FastGame` encodes as ``move_code``."""
        return Move(*decode_choice(state._rules, move_code, state._snapshot.board_index))

    # ------------------------------------------------------------ hidden information

    def determinize(self, view: State, seat: int, rng: Random) -> State:
        """Return a random full state that is consistent with what ``seat`` sees in ``view``.

        Such a state is called a determinization (Cowling et al. 2012). It has a new random seed.
        """
        rules = view._rules
        me = view.seat_of_player(seat)
        snapshot, in_block = determinize(get_runner(rules), rules, view._snapshot, me, rng)
        if in_block and snapshot.me == me:
            snapshot = snapshot._replace(
                secret_parts=((me, secret_parts_of(snapshot, rules), snapshot.step_index),)
            )
        return State(rules, snapshot, rng.getrandbits(48))

    def observe(self, state: State, seat: int | None) -> State:
        """Return what ``seat`` may know of the state, or what all seats may know if ``seat`` is None.

        See :func:`.make_view`.
        """
        return make_view(state, seat)

    def observe_events(
        self, state: State, events: Iterable[ev.Event], seat: int | None
    ) -> tuple[ev.Event, ...]:
        """Return what ``seat`` may know of events that led to ``state``.

        If ``seat`` is None, return what all seats may know. See :func:`.observe_events`.
        """
        for other_seat in range(state.seats) if seat is None else (seat,):
            events = observe_events(state, events, other_seat)
        return tuple(events)


def _end_match(
    state: State, winners: tuple[int, ...], reason_number: int
) -> tuple[State, tuple[ev.Event, ...]]:
    """End a match for a reason other than an end rule; return its final state and the final event.

    An example of such a reason is a loss on time. ``winners`` are numbers of players, not of seats in the current game,
    and ``reason_number`` is passed to ``Rules.end_reason``. Raises IllegalMove if the match is already over.
    """
    if state._snapshot.result is not None:
        raise IllegalMove("the match is over")
    # Results refer to seats of the current game, not to players. In a series, the two differ.
    roles = [role for role in range(state.seats) if state.player_at(role) in winners]
    result = Result(
        sum(1 << role for role in roles), state.scores, reason_number, (0,) * len(state._snapshot.boards)
    )
    reason = state._rules.end_reason(reason_number)["en"]
    over = State(state._rules, state._snapshot._replace(result=result), state.seed)
    return over, (ev.Ended(winners, reason),)


def _resolve_deal(
    title: str, rules: Rules, deal: Deal
) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, str], ...]]:
    """Return the initial contents of all stocks, and the order of the first draws from some of them.

    For a stock from which the rules draw at random, ``deal`` gives the order of the first draws; for any other stock,
    it gives the contents. Each order is returned as the index of the stock and a string of colour letters. Raises
    InvalidValueError if the deal doesn't fit the rules.
    """
    orders: list[tuple[int, str]] = []
    contents = list(rules.initial_stocks)
    for name, given in deal.items():
        if name not in rules.stock_names:
            raise InvalidValueError("{game} has no stock '{name}'", game=title, name=name)
        first = rules.stock_names.index(name)
        holders = rules.stock_names.count(name)
        strings = [given] * holders if isinstance(given, str) else list(given)
        if len(strings) != holders:
            raise InvalidValueError(
                "wrong number of entries in the deal for '{name}': {given} instead of {needed}",
                name=name,
                needed=holders,
                given=len(strings),
            )
        for i, letters in enumerate(strings):
            if set(letters) - set(COLOUR_LETTERS):
                raise InvalidValueError(
                    "the deal for '{name}' may only contain the letters {letters}",
                    name=name,
                    letters=", ".join(COLOUR_LETTERS),
                )
            numbers = tuple([letters.count(letter) for letter in COLOUR_LETTERS])
            if name in rules.drawn_stocks:
                if any(n > have for n, have in zip(numbers, contents[first + i], strict=True)):
                    raise InvalidValueError(
                        "the deal for '{name}' uses more marbles of a colour than there are in the game",
                        name=name,
                    )
                orders.append((first + i, letters))
            else:
                contents[first + i] = numbers
    return tuple(contents), tuple(orders)
