"""Golden Spiral for tests, with states built from counts."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from shibumi3d.catalogue import yaml_parser
from shibumi3d.rules.golden_spiral import game as kind
from shibumi3d.rules.golden_spiral.flow import MoveExecution
from shibumi3d.rules.golden_spiral.game import MedalGame
from shibumi3d.rules.golden_spiral.state import JOKER_PHASE, STRATEGY_PHASE, ClashResult, State
from shibumi3d.rules.source import Item, Problem

FILE = Path(__file__).resolve().parents[3] / "games" / "golden-spiral.yaml"


@cache
def rules() -> Item:
    problems: list[Problem] = []
    item = yaml_parser.parse_yaml(FILE.read_bytes(), FILE.name, problems)
    assert item is not None
    assert not problems
    return item


@cache
def game(stars: int = 5) -> MedalGame:
    made = kind.make("golden-spiral", "The Golden Spiral", rules(), (2, 2), {"size": 0, "variant": ""}, {})
    made.rules = replace(made.rules, stars=stars)
    return made


def state_before_clash(a: str, b: str, discard: int = 0, **fields: object) -> State:
    """Return the state before a clash.

    ``a`` and ``b`` are the counts of the first and the second seat, as "gold/spiral/stars". ``discard`` is the number
    of medals in the discard, and ``fields`` are values of other fields of :class:`State`.
    """
    counts = [[int(n) for n in text.split("/")] for text in (a, b)]
    gold, spiral, stars = (tuple(one[i] for one in counts) for i in range(3))
    return State(gold, spiral, stars, discard, **fields)  # type: ignore[arg-type]


def state_before_joker(
    state: State, first: int, clash: ClashResult | None = None, spoken: tuple[str, ...] = ()
) -> State:
    """Return ``state`` changed so that a seat must announce a joker or pass.

    ``first`` is the seat that announces first; after that, the two seats take turns. ``spoken`` contains the
    announcements made so far, in order, with "" for a pass. ``clash`` is the result of the preceding clash, which the
    joker Annulment undoes, or None if there is nothing to undo.
    """
    seat = first if len(spoken) % 2 == 0 else 1 - first
    return replace(
        state,
        decision_kind="joker",
        deciding_seats=(seat,),
        phase=STRATEGY_PHASE,
        first_speaker=first,
        clash_result=clash,
        announced_jokers=spoken,
    )


def apply_joker(state: State, joker: str, amount: str = "") -> State:
    """Return the state after seat 0 has used a joker and paid for it.

    Seat 0 first pays the stars. Then the joker takes effect, and its price in medals is due. ``amount`` is the text of
    the amount to choose; if it isn't offered, the last of the amounts offered is chosen. Seat 1 announces no joker. The
    reinforcement that follows isn't carried out.
    """
    row = game().rules.joker_by_id(joker)
    stars = (state.stars[0] - row.stars, state.stars[1])
    state = replace(
        state,
        stars=stars,
        first_speaker=0,
        announced_jokers=(joker,),
        deciding_seats=(0,),
        decision_kind="amount",
        phase=JOKER_PHASE,
    )
    flow = MoveExecution(game().rules, state)
    offered = [each for each in game().joker_amounts(state) if each.text == amount] or [
        game().joker_amounts(state)[-1]
    ]
    # What follows the payment is tested elsewhere.
    flow._execute_next_joker = lambda: None  # type: ignore[method-assign]
    flow.choose_amount(offered[0])
    return flow.resulting_state()


def format_state(state: State) -> str:
    """Return the medals and stars of both seats, and the number of medals in the discard, as text.

    In ``"5/7/4, 11/0/4, 3"``, the first seat has 5 Gold medals, 7 Spiral medals and 4 stars, and 3 medals are in the
    discard.
    """
    seats = (f"{g}/{s}/{t}" for g, s, t in zip(state.gold, state.spiral, state.stars, strict=True))
    return f"{', '.join(seats)}, {state.discarded_medals}"


def play(state: State, *moves: str) -> State:
    for move in moves:
        state, _ = game().apply(state, move)
    return state
