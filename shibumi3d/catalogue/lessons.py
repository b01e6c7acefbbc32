"""Lessons of a game: an example that shows several moves, and an exercise with one move to find.

A lesson starts from a given position, or from the start of a match with a given seed. The moves under ``lead`` are then
played without being shown. Lessons are read with the rest of the file, and :func:`check_lesson` plays them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from shibumi3d.catalogue.fields import LANGUAGES, SIZE_RANGE, FieldReader, check_keys
from shibumi3d.i18n import InvalidValueError, Message
from shibumi3d.rules.errors import IllegalMove
from shibumi3d.rules.game import SupportsPositions
from shibumi3d.rules.source import Item, Problem, SourceLocation, suggest_or_list, suggest_spelling

if TYPE_CHECKING:
    from shibumi3d.rules.game import Event, Game, State

LESSON_KEYS = ("example", "try")
BEGIN_KEYS = ("size", "variant", "seats", "seed", "start", "stocks", "mover", "phase", "lead")
EXAMPLE_KEYS = (*BEGIN_KEYS, "moves", "does", "say")
TRY_KEYS = (*BEGIN_KEYS, "move", "does", "say")
EFFECT_EVENTS = {
    "place": ("Placed",),
    "move": ("Moved",),
    "take": ("Removed",),
    "capture": ("Captured",),
    "drop": ("Dropped", "SideDropped"),
    "enter": ("Entered",),
    "push": ("Pushed",),
    "recolour": ("Recoloured",),
    "choose": ("Chose",),
    "pass": ("Passed",),
    "reveal": ("Revealed",),
}
"""Effects that a lesson may claim for a move, each with the names of the events that confirm it."""
EFFECT_RESULTS = ("win", "lose", "end", "score", "again")
"""Other effects that a lesson may claim for a move.

With "end", the match ends. With "win", it ends and the seat that moves is among the winners; with "lose", it ends and
that seat loses. A draw is neither. With "score", the seat's score rises; with "score 3", it becomes 3. With "again",
the seat has another choice in the same turn.
"""
EXAMPLE_MOVE_RANGE = (3, 6)
"""Minimum and maximum number of moves of an example."""
_SCORE_EFFECT = re.compile(r"score -?\d{1,4}")


@dataclass(frozen=True, slots=True)
class Lesson:
    """Content of an example, an exercise or a tip of a game.

    If ``size`` or ``seats``, the number of seats, is 0, the default is used. ``boards`` holds the text of each board.
    If ``boards`` is empty, the match starts normally with ``seed``, and ``stocks`` presets what would be drawn at
    random; otherwise, ``stocks`` gives the contents of stocks. ``mover`` and ``phase`` (both counted from 0) are
    ignored if ``boards`` is empty.

    ``lead_moves`` are played first, without being shown; then ``moves`` are shown. In an exercise, ``moves`` holds only
    one move. ``effects`` lists the claimed effects of the last move. ``comments`` holds one comment for each move, or a
    single one for all of them. Each comment maps language codes to texts.
    """

    size: int
    variant: str
    seats: int
    seed: int
    boards: tuple[str, ...]
    stocks: Mapping[str, tuple[str, ...]]
    mover: int
    phase: int
    lead_moves: tuple[str, ...]
    moves: tuple[str, ...]
    effects: tuple[str, ...]
    comments: tuple[Mapping[str, str], ...]
    location: SourceLocation = field(compare=False)
    locations: tuple[SourceLocation, ...] = field(compare=False)
    """Locations of the lead-in moves, the moves shown and the claimed effects in the file, in this order."""

    def initial_state(self, game: Game) -> State:
        """Return the state before ``lead_moves``.

        ``game`` must have this lesson's size and variant. Raises ValueError if a match of ``game`` can't start as the
        lesson says.
        """
        seats = self.seats or None
        if not self.boards:
            deal = {name: stock[0] if len(stock) == 1 else stock for name, stock in self.stocks.items()}
            return game.start(seats, self.seed, deal)
        if not isinstance(game, SupportsPositions):
            raise InvalidValueError("{game} can't start from a custom position", game=game.title)
        return game.position(
            self.boards if len(self.boards) > 1 else self.boards[0],
            seats=seats,
            to_move=self.mover,
            seed=self.seed,
            phase=self.phase,
            stocks=self.stocks,
        )


def read_lesson(read: FieldReader, key: str, problems: list[Problem]) -> Lesson | None:
    """Return the lesson under ``key``, or None if it is missing.

    ``key`` is one of :data:`LESSON_KEYS`. None is also returned if the lesson is not a mapping, or if its moves,
    effects or comments are invalid. Errors are appended to ``problems``.
    """
    item = read.entries.get(key)
    if item is None:
        return None
    if not isinstance(item.value, dict):
        problems.append(
            Problem(
                item.location, "{key}: expected a mapping with the moves and what to say about them", key=key
            )
        )
        return None
    check_keys(
        item, EXAMPLE_KEYS if key == "example" else TRY_KEYS, Message("key in {what}", what=key), problems
    )
    before = len(problems)
    fields = FieldReader(item, problems)
    lead = read_moves(item.value.get("lead"), "lead", problems)
    shown = read_moves(item.value.get("moves" if key == "example" else "move"), key, problems)
    does = _read_effects(item.value.get("does"), problems)
    say = _read_comments(item.value.get("say"), problems)
    if len(problems) > before:
        return None
    if key == "example" and not EXAMPLE_MOVE_RANGE[0] <= len(shown) <= EXAMPLE_MOVE_RANGE[1]:
        problems.append(
            Problem(
                item.location,
                "example: expected {least} to {most} moves",
                least=EXAMPLE_MOVE_RANGE[0],
                most=EXAMPLE_MOVE_RANGE[1],
            )
        )
    elif key == "try" and len(shown) != 1:
        problems.append(Problem(item.location, "try: expected one move"))
    elif len(say) not in (1, len(shown)):
        problems.append(
            Problem(item.location, "{key}: 'say' needs one sentence, or one for each move", key=key)
        )
    elif key == "try" and not does:
        problems.append(Problem(item.location, "try: 'does' is missing: it says what the move does"))
    else:
        return read_start(
            fields,
            item,
            moves=tuple(text for text, _ in shown),
            comments=say,
            problems=problems,
            lead=lead,
            shown=shown,
            effects=does,
        )
    return None


def read_start(
    fields: FieldReader,
    item: Item,
    *,
    moves: tuple[str, ...],
    comments: tuple[Mapping[str, str], ...],
    problems: list[Problem],
    lead: Sequence[tuple[str, SourceLocation]],
    shown: Sequence[tuple[str, SourceLocation]] = (),
    effects: Sequence[tuple[str, SourceLocation]] = (),
) -> Lesson:
    """Return a lesson that begins as given in ``fields`` and shows ``moves`` with ``comments``.

    Errors in the fields are appended to ``problems``. ``item`` is the part of the file that contains the lesson.
    ``lead``, ``shown`` and ``effects`` are the lead-in moves, the moves shown and the claimed effects, each with its
    location.
    """
    return Lesson(
        size=fields.integer("size", *SIZE_RANGE),
        variant=fields.text("variant"),
        seats=fields.integer("seats", 1, 10),
        seed=fields.integer("seed", 0, 10**9),
        boards=fields.texts("start"),
        stocks=_read_stocks(fields, problems),
        mover=max(fields.integer("mover", 1, 10) - 1, 0),
        phase=max(fields.integer("phase", 1, 20) - 1, 0),
        lead_moves=tuple(text for text, _ in lead),
        moves=moves,
        effects=tuple(text for text, _ in effects),
        comments=comments,
        location=item.location,
        locations=tuple(mark for _, mark in (*lead, *shown, *effects)),
    )


def check_lesson(lesson: Lesson, key: str, game: Game, problems: list[Problem]) -> None:
    """Play a lesson and report an invalid start, an illegal move or a claimed effect that doesn't occur.

    Errors are appended to ``problems``. ``key`` is one of :data:`LESSON_KEYS`. In an exercise (``try``), every other
    legal move that has all the claimed effects is also reported.
    """
    try:
        state = lesson.initial_state(game)
    except ValueError as error:
        problems.append(Problem(lesson.location, "{key}: {problem}", key=key, problem=error))
        return
    played = (*lesson.lead_moves, *lesson.moves)
    for number, text in enumerate(played):
        try:
            after, events = game.apply(state, text)
        except IllegalMove:
            known = [move.text for move in game.moves(state)]
            hint = suggest_spelling(text, known) if known else Message("; the match is over")
            problems.append(
                Problem(
                    lesson.locations[number],
                    "{key}: the move '{move}' is not possible in this position{hint}",
                    key=key,
                    move=text,
                    hint=hint,
                )
            )
            return
        if number + 1 < len(played):
            state = after
    for deed, mark in zip(lesson.effects, lesson.locations[len(played) :], strict=True):
        if not _has_effect(deed, state, after, events):
            problems.append(
                Problem(
                    mark,
                    "{key}: the move '{move}' doesn't have the effect '{deed}'",
                    key=key,
                    move=text,
                    deed=deed,
                )
            )
            return
    if key != "try":
        return
    for move in game.moves(state):
        if move.text != text and all(
            _has_effect(deed, state, *game.apply(state, move)) for deed in lesson.effects
        ):
            problems.append(
                Problem(
                    lesson.locations[number],
                    "try: the move '{move}' has the same effect, but only one move may have it",
                    move=move,
                )
            )


def _has_effect(deed: str, before: State, after: State, events: Sequence[Event]) -> bool:
    """Return whether a move had the effect ``deed``.

    The move led from ``before`` to ``after`` and caused ``events``. The effects are listed in :data:`EFFECT_EVENTS` and
    :data:`EFFECT_RESULTS`.
    """
    seat = before.to_move or 0
    if deed in EFFECT_EVENTS:
        return any(type(event).__name__ in EFFECT_EVENTS[deed] for event in events)
    if deed.startswith("score"):
        now, number = after.scores[seat], deed.removeprefix("score").strip()
        return now == int(number) if number else now > before.scores[seat]
    if deed == "again":
        return (after.to_move, after.turn) == (seat, before.turn)
    result = after.result
    if result is None:
        return False
    if deed == "lose":  # a draw has no winners, and neither has a solo match that wasn't won
        return seat not in result.winners and bool(result.winners or after.seats == 1)
    return deed == "end" or seat in result.winners


def read_moves(item: Item | None, key: str, problems: list[Problem]) -> list[tuple[str, SourceLocation]]:
    """Return the texts of the moves in ``item``, a list or a single move, with their locations.

    If ``item`` is None, there are none. Values that can't be moves are left out and reported in ``problems`` as values
    of ``key``.
    """
    moves: list[tuple[str, SourceLocation]] = []
    if item is None:
        return moves
    for entry in item.value if isinstance(item.value, list) else [item]:
        if isinstance(entry.value, str | int) and not isinstance(entry.value, bool):
            moves.append((str(entry.value).strip(), entry.location))
        else:
            problems.append(
                Problem(
                    entry.location, "{key}: expected moves in the game's notation, such as W@Aa1", key=key
                )
            )
    return moves


def _read_effects(item: Item | None, problems: list[Problem]) -> list[tuple[str, SourceLocation]]:
    """Return the claimed effects in ``item`` with their locations, and report any that are unknown."""
    moves = read_moves(item, "does", problems)
    known = (*EFFECT_EVENTS, *EFFECT_RESULTS)
    for deed, mark in moves:
        if deed not in known and not _SCORE_EFFECT.fullmatch(deed):
            problems.append(
                Problem(mark, "unknown effect '{deed}'{hint}", deed=deed, hint=suggest_or_list(deed, known))
            )
    return moves


def _read_comments(item: Item | None, problems: list[Problem]) -> tuple[Mapping[str, str], ...]:
    """Return the comments, each as texts by language, or () if ``item`` is None.

    A single mapping counts as a list of one. Errors are appended to ``problems``.
    """
    if item is None:
        return ()
    found: list[Mapping[str, str]] = []
    for entry in item.value if isinstance(item.value, list) else [item]:
        texts = FieldReader(Item({"say": entry}, entry.location), problems).by_language("say")
        found.append(MappingProxyType({word: texts[word] for word in LANGUAGES if word in texts}))
    return tuple(found)


def _read_stocks(fields: FieldReader, problems: list[Problem]) -> Mapping[str, tuple[str, ...]]:
    """Return the colour letters of each valid stock, by name, and append any errors to ``problems``.

    The tuple for a stock holds a single text, or one text for each seat.
    """
    item = fields.entries.get("stocks")
    if item is None:
        return MappingProxyType({})
    if not isinstance(item.value, dict):
        problems.append(
            Problem(item.location, "stocks: expected colour letters for each stock, as in {{hand: WWB}}")
        )
        return MappingProxyType({})
    found: dict[str, tuple[str, ...]] = {}
    for name, given in item.value.items():
        letters = [entry.value for entry in (given.value if isinstance(given.value, list) else [given])]
        if all(isinstance(letter, str) for letter in letters):
            found[name] = tuple(map(str, letters))
        else:
            problems.append(
                Problem(
                    given.location,
                    "{name}: expected colour letters, or a list with the letters for each seat",
                    name=name,
                )
            )
    return MappingProxyType(found)
