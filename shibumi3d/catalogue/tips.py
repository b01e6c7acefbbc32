"""Tips for a game: short pieces of advice, each with a position and a turn that shows it.

The position is given as in a lesson, or taken from one of the game's proved problems. Nothing here says how good the
turn is: :mod:`shibumi3d.search.tips` measures that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from shibumi3d.catalogue.fields import LANGUAGES, FieldReader, check_keys
from shibumi3d.catalogue.lessons import BEGIN_KEYS, Lesson, read_moves, read_start
from shibumi3d.i18n import InvalidValueError, Message
from shibumi3d.rules.errors import IllegalMove
from shibumi3d.rules.source import Item, Problem, SourceLocation

if TYPE_CHECKING:
    from shibumi3d.rules.game import Game, State

TIPS_KEY = "tips"
TIP_KEYS = ("say", "problem", *BEGIN_KEYS, "turn", "instead")
MAX_TIPS = 5
"""Maximum number of tips of a game."""


@dataclass(frozen=True, slots=True)
class Tip:
    """A piece of advice, and a turn that illustrates it.

    ``text`` is the advice, by language. If ``problem`` is not 0, it is the number of the game's problem whose position
    and solution illustrate the advice, and ``lesson`` holds only the text; see
    :mod:`shibumi3d.catalogue.shown_problems`. Otherwise, ``lesson`` holds the position and the turn, and ``instead`` is
    a worse turn that doesn't follow the advice.
    """

    text: Mapping[str, str]
    lesson: Lesson
    problem: int = 0
    instead: tuple[str, ...] = ()
    location: SourceLocation = field(compare=False, kw_only=True)


def read_tips(read: FieldReader, problems: list[Problem]) -> tuple[Tip, ...]:
    """Return the tips of a file, and append any errors to ``problems``.

    Invalid tips are left out. A tip is kept, however, if only the values of keys that describe its position, such as
    ``seed`` or ``lead``, are invalid. If there are more than :data:`MAX_TIPS` tips, none are returned.
    """
    item = read.entries.get(TIPS_KEY)
    if item is None:
        return ()
    if not isinstance(item.value, list) or not 1 <= len(item.value) <= MAX_TIPS:
        problems.append(Problem(item.location, "tips: expected a list of 1 to {most} tips", most=MAX_TIPS))
        return ()
    return tuple(tip for entry in item.value if (tip := _read_tip(entry, problems)) is not None)


def _read_tip(item: Item, problems: list[Problem]) -> Tip | None:
    """Return the tip in ``item``, or None if it is invalid.

    Errors are appended to ``problems``. The values of keys that describe the position, such as ``seed`` or ``lead``,
    are read only if everything else is valid. If only these values are invalid, the tip is returned nevertheless.
    """
    if not isinstance(item.value, dict):
        problems.append(Problem(item.location, "tips: expected a mapping with the text and the position"))
        return None
    before = len(problems)
    check_keys(item, TIP_KEYS, Message("key in {what}", what=TIPS_KEY), problems)
    fields = FieldReader(item, problems)
    text = fields.by_language("say")
    number = fields.integer("problem", 1, 10**9)
    turn = read_moves(item.value.get("turn"), "turn", problems)
    instead = read_moves(item.value.get("instead"), "instead", problems)
    if not any(text.values()):
        problems.append(Problem(item.location, "tips: 'say' is missing: it holds the advice"))
    if bool(number) == bool(turn):
        problems.append(
            Problem(item.location, "tips: expected the number of a problem, or a position with a turn")
        )
    for key in (*BEGIN_KEYS, "instead"):
        if number and key in item.value:
            problems.append(
                Problem(
                    item.value[key].location, "tips: '{key}' can't be used together with 'problem'", key=key
                )
            )
    if turn and not instead:
        problems.append(
            Problem(item.location, "tips: 'instead' is missing: give a worse turn for comparison")
        )
    if len(problems) > before:
        return None
    texts = MappingProxyType({code: text[code] for code in LANGUAGES if code in text})
    lesson = read_start(
        fields,
        item,
        moves=tuple(move for move, _ in turn),
        comments=(texts,),
        lead=read_moves(item.value.get("lead"), "lead", problems),
        problems=problems,
    )
    return Tip(
        texts,
        lesson,
        number,
        tuple(move for move, _ in instead),
        location=item.location,
    )


def lesson_state(game: Game, lesson: Lesson) -> State:
    """Return the state of a lesson after its lead-in moves.

    ``game`` must have the lesson's size and variant. Raises ValueError if a match of ``game`` can't start as the lesson
    says, and IllegalMove if a lead-in move is not legal.
    """
    state = lesson.initial_state(game)
    for move in lesson.lead_moves:
        state, _ = game.apply(state, move)
    return state


def check_tip(tip: Tip, game: Game, problems: list[Problem]) -> None:
    """Play the turns of a tip, and report anything that is wrong with its position or its turns.

    A turn must be legal and complete, and must not contain moves after its end. Errors are appended to ``problems``. A
    tip that refers to one of the game's problems isn't checked; ``shibumi3d check --tips`` proves that problem again.
    """
    lesson = tip.lesson
    if tip.problem:
        return
    try:
        first = lesson_state(game, lesson)
        for turn in (lesson.moves, tip.instead):
            state, mover = first, first.to_move
            for move in turn:
                if state.to_move != mover:
                    raise InvalidValueError("the turn ends before the move '{move}'", move=move)
                state, _ = game.apply(state, move)
            if state.result is None and (state.to_move, state.turn) == (mover, first.turn):
                raise InvalidValueError("the turn '{turn}' is not complete", turn=" ".join(turn))
    except IllegalMove as error:
        problems.append(Problem(tip.location, "tips: a move is not possible: {problem}", problem=error))
    except ValueError as error:
        problems.append(Problem(tip.location, "tips: {problem}", problem=error))
