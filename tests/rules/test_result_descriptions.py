"""Descriptions of how matches end: winners, draws, and reasons."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import shibumi3d
from shibumi3d.catalogue.schema import Entry
from shibumi3d.rules.game import Outcome
from shibumi3d.rules.marbles.language.compiler.phases import NOBODY_AHEAD
from shibumi3d.rules.wording import describe_result
from tests.marble_games import marble_games
from tests.rules.inline import inline, play

NAMES = ("Aiko", "Ben", "Cleo")
WHY = (("en", "most points"), ("fr", "le plus de points"))


@pytest.mark.parametrize(
    ("seats", "winners", "because", "expected"),
    [
        (2, (1,), (), ("Ben wins", "Ben gagne")),
        (3, (0, 2), WHY, ("Aiko and Cleo share the win: most points",
                          "Aiko et Cleo se partagent la victoire : le plus de points")),
        (2, (), (), ("A draw", "Partie nulle")),
        (1, (), WHY, ("Not this time: most points", "Pas cette fois : le plus de points")),
        (1, (0,), (), ("5 points", "5 points")),
    ],
)  # fmt: skip
def test_result_description_names_winners(
    seats: int, winners: tuple[int, ...], because: tuple[tuple[str, str], ...], expected: tuple[str, str]
) -> None:
    state = SimpleNamespace(seats=seats, result=Outcome(winners, (5,) * seats, "", because))
    for lang, line in zip(("en", "fr"), expected, strict=True):
        assert describe_result(state, lang, NAMES, score_unit="points") == line
    assert describe_result(SimpleNamespace(seats=seats, result=None), "en", NAMES) == ""


def test_shown_solution_is_described() -> None:
    state = SimpleNamespace(seats=1, result=Outcome((0,), (1,), ""))
    assert describe_result(state, "en", NAMES, solution_shown=True) == "Solution shown"
    assert (
        describe_result(state, "en", NAMES, score_unit="marbles", solution_shown=True)
        == "Solution shown, 1 marble"
    )


def test_common_loss_is_not_described_as_draw() -> None:
    state = SimpleNamespace(seats=3, result=Outcome((), (0, 0, 0), "", WHY, is_common_loss=True))
    assert describe_result(state, "en", NAMES) == "Not this time: most points"


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("most: count(own)", "Aiko wins: most"),  # White 2, Black 1, red 1
        ("most: 1", "A draw: none has more"),
        ("most: -count(own)", "Ben and Cleo share the win: most"),
        ("most: count(own & Bb2)", "A draw: none has more"),
        (
            "most: score, tie: mover",
            "Aiko wins: none has more",
        ),  # all have nothing: only the tie tells them apart
        ("win: everyone - me", "Ben and Cleo share the win: most"),
        ("win: none", "A draw: none has more"),
    ],
)
def test_compared_result_description_gives_reason(rule: str, expected: str) -> None:
    reasons = "because: {en: most, fr: plus}, even: {en: none has more, fr: égal}"
    game = inline(
        "players: 3\nscore: 0\nturn: {place: own}\n"
        f"end: [{{when: Ab2 & filled, {rule}, {reasons}}}]"
    )  # fmt: skip
    state = play(game, game.position("...,...,WBR/..,../.", seats=3), "W@Ab2")
    assert describe_result(state, "en", NAMES) == expected
    assert f": {state.result.reason}" in expected


@pytest.mark.parametrize("in_phase", [False, True])
@pytest.mark.parametrize(
    ("score", "rule", "expected"),
    [
        ("0", "most: count(own)", "Aiko wins: most"),
        ("0", "most: score", "Aiko wins: none has more"),
        ("", "most: count(own)", "Aiko wins: most"),
        ("", "most: 1", "Aiko wins: none has more"),
        ("", "most: [count(own), 1]", "Aiko wins: most"),
        ("", "most: -count(enemy)", "Aiko wins: most"),
    ],
)
def test_only_a_tie_of_scores_gives_the_reason_for_ties(
    score: str, rule: str, expected: str, in_phase: bool
) -> None:
    """Aiko has the most marbles; where marbles aren't compared, she wins the tie because she has just moved."""
    reasons = "because: {en: most}, even: {en: none has more}"
    end = f"end: [{{when: Ab2 & filled, {rule}, tie: mover, {reasons}}}]"
    turn = "turn: {place: own}"
    program = f"phases:\n  - {turn}\n    {end}" if in_phase else f"{turn}\n{end}"
    game = inline(f"players: 3\n{f'score: {score}' if score else ''}\n{program}\n")
    state = play(game, game.position("...,...,WBR/..,../.", seats=3), "W@Ab2")
    assert describe_result(state, "en", NAMES) == expected


def test_draw_by_comparison_has_default_description() -> None:
    game = inline("turn: {place: own}\nend: [{when: Ab2 & filled, most: 1, because: {en: most, fr: plus}}]")
    state = play(game, game.position("...,...,.../..,../."), "W@Ab2")
    assert describe_result(state, "en", NAMES) == "A draw: nobody is ahead"
    assert describe_result(state, "fr", NAMES) == "Partie nulle : personne n'est en tête"


@pytest.mark.parametrize("entry", marble_games(), ids=lambda entry: entry.id)
def test_draw_reasons_differ_from_win_reasons(entry: Entry) -> None:
    if entry.id == "spinout":
        return  # it can't be drawn: a complete pyramid has an odd number of visible marbles, each of one of two colours
    for variant in (None, *entry.variants):
        game = shibumi3d.game(entry.id, variant=variant)
        rules = game._rules_for(entry.with_variant(variant).players[1])
        for rule in (*rules.end_rules, *[rule for phase in rules.phases for rule in phase.end_rules]):
            if rules.seats > 1 and rule.compared_values is not None and rule.tie is None:
                assert rules.end_reason(rule.number, 0) not in (rules.end_reasons[rule.number], NOBODY_AHEAD)


def test_tie_break_reason_is_described() -> None:
    # Both took one marble of their own; according to the rules, White then wins (there are no draws).
    rules = shibumi3d.game("spuds")._rules_for(2)
    (rule,) = rules.end_rules
    assert (
        rules.end_reason(rule.number, 1, (1, 1))["en"]
        == "equal numbers of marbles taken off; ties go to White"
    )
    assert rules.end_reason(rule.number, 1, (2, 1))["en"] == "most marbles taken off"
