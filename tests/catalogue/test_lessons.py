"""Examples and exercises: how they are read, what is refused, and whether those of every game are correct."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from shibumi3d.catalogue.catalogue import Catalogue, load_catalogue
from shibumi3d.catalogue.lessons import EFFECT_EVENTS, Lesson
from shibumi3d.catalogue.schema import Entry
from shibumi3d.rules.marbles.colours import COLOURS
from tests.marble_games import marble_games
from tests.tables.contract import LANGUAGES

ENGLISH = {"Blanc": "White", "Noir": "Black", "Rouge": "Red"}
GAMES = [pytest.param(entry, id=entry.id) for entry in marble_games()]

GAME = """\
title: Line
sizes: [3, 4]
turn: {place: own}
end: [{when: any(l <= own for l in full_lines), win: me}]
variants: {other: {minutes: 5}}
"""
EXAMPLE = """\
example:
  start: "...,.B.,WW./..,../."
  lead: [W@Aa2]
  moves: [B@Ab3, W@Ac3, B@Ac2]
  say: {en: Black waits., fr: Noir attend.}
"""
TRY = """\
try:
  start: "BB.,...,WW./..,../."
  move: W@Ac1
  does: win
  say: {en: Find it., fr: Trouvez.}
"""


def catalogue(folder: Path, text: str) -> Catalogue:
    (folder / "line.yaml").write_text(text, encoding="utf-8")
    return Catalogue(folder)


def lesson_problems(folder: Path, text: str) -> list[str]:
    return [str(problem).removeprefix("games/line.yaml:") for problem in catalogue(folder, text).check()[1]]


def test_example_and_exercise_are_read(tmp_path: Path) -> None:
    entry = catalogue(tmp_path, GAME + EXAMPLE + TRY).get("line")
    shown, trial = entry.example, entry.exercise
    assert shown is not None
    assert trial is not None
    assert (shown.boards, shown.lead_moves, shown.moves) == (
        ("...,.B.,WW./..,../.",),
        ("W@Aa2",),
        ("B@Ab3", "W@Ac3", "B@Ac2"),
    )
    assert [dict(texts) for texts in shown.comments] == [{"en": "Black waits.", "fr": "Noir attend."}]
    assert (trial.moves, trial.effects, trial.mover, trial.seed) == (("W@Ac1",), ("win",), 0, 0)
    assert entry.with_variant("other").example is None, "a variant is not shown by the lessons of its game"


def test_extending_game_does_not_inherit_lessons(tmp_path: Path) -> None:
    (tmp_path / "more.yaml").write_text("title: More\nextends: line\n", encoding="utf-8")
    entry = catalogue(tmp_path, GAME + EXAMPLE + TRY).get("more")
    assert (entry.example, entry.exercise) == (None, None)


def test_lesson_starts_from_a_position_or_a_seed(tmp_path: Path) -> None:
    text = TRY.replace("  move:", "  mover: 2\n  move:").replace("W@Ac1", "B@Ac3")
    trial = catalogue(tmp_path, GAME + text).get("line").exercise
    assert trial is not None
    state = trial.initial_state(load_catalogue().get("spline").game(size=3))
    assert (state.mover, str(state)) == (1, "BB.,...,WW./..,../.")
    drawn = load_catalogue().get("spalone").game()
    trial = (
        catalogue(tmp_path, GAME + "try: {seed: 5, move: W@Aa1, does: place, say: {en: x}}\n")
        .get("line")
        .exercise
    )
    assert trial is not None
    assert trial.initial_state(drawn).stock_contents("hand") == drawn.start(seed=5).stock_contents("hand")


def test_valid_lessons_pass(tmp_path: Path) -> None:
    assert lesson_problems(tmp_path, GAME + EXAMPLE + TRY) == []


def test_draw_is_no_loss(tmp_path: Path) -> None:
    """In this game a line ends the match with equal scores: the move that completes it neither wins nor loses."""
    drawn = GAME.replace("win: me", "most: 1") + TRY.replace("does: win", "does: DEED")
    assert lesson_problems(tmp_path, drawn.replace("DEED", "end")) == []
    for deed in ("win", "lose"):
        assert lesson_problems(tmp_path, drawn.replace("DEED", deed)) == [
            f"9:9: try: the move 'W@Ac1' doesn't have the effect '{deed}'"
        ]


# White has Aa1 and Ab1 and needs Ac1. GAME has five lines, so the lesson begins in line 6.
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("try: 5\n", "6:6: try: expected a mapping with the moves and what to say about them"),
        (TRY.replace("move:", "mvoe:"), "8:3: unknown key in try: 'mvoe', did you mean 'move'?"),
        (TRY.replace("does: win", "does: wni"), "9:9: unknown effect 'wni', did you mean 'win'?"),
        (TRY.replace("  does: win\n", ""), "7:3: try: 'does' is missing: it says what the move does"),
        (
            TRY.replace("does: win", "does: [score x]"),
            "9:10: unknown effect 'score x', did you mean 'score'?",
        ),
        (TRY.replace("W@Ac1", "[W@Ac1, B@Ac3]"), "7:3: try: expected one move"),
        (EXAMPLE.replace(", B@Ac2", ""), "7:3: example: expected 3 to 6 moves"),
        (
            EXAMPLE.replace("{en: Black waits., fr: Noir attend.}", "[{en: a}, {en: b}]"),
            "7:3: example: 'say' needs one sentence, or one for each move",
        ),
        (
            TRY.replace("fr: Trouvez.", "it: x"),
            "10:23: unknown key in say: 'it'; expected one of en, fr, de, es",
        ),
        (TRY.replace("W@Ac1", "W@Ac2"), "9:9: try: the move 'W@Ac2' doesn't have the effect 'win'"),
        (
            TRY.replace("W@Ac1", "W@Ba1"),
            "8:9: try: the move 'W@Ba1' is not possible in this position",
        ),
        (
            TRY.replace("does: win", "does: place"),
            "8:9: try: the move 'W@Aa2' has the same effect, but only one move may have it",
        ),
        (
            EXAMPLE.replace("W@Ac3", "W@Ac1"),
            "9:25: example: the move 'B@Ac2' is not possible in this position; the match is over",
        ),
        (TRY.replace("WW.", "WW"), "7:3: try: level A, rank 1: expected 3 cells, but found 2 in 'WW'"),
        (
            TRY.replace("  move:", "  size: 5\n  move:"),
            "7:3: try: Line can't be played on a board of size 5; possible sizes: 3, 4",
        ),
        (
            TRY.replace("  move:", "  variant: othre\n  move:"),
            "7:3: try: Line has no variant 'othre', did you mean",
        ),
        (TRY.replace("  move:", "  stocks: {bga: W}\n  move:"), "7:3: try: Line has no stock 'bga'"),
        (
            TRY.replace("  move:", "  stocks: W\n  move:"),
            "8:11: stocks: expected colour letters for each stock",
        ),
    ],
)
def test_invalid_lessons_are_reported_with_their_location(tmp_path: Path, text: str, message: str) -> None:
    found = lesson_problems(tmp_path, GAME + text)
    assert any(message in line for line in found), found


def test_exercise_must_have_a_single_solution(tmp_path: Path) -> None:
    """White has two ways to complete a line: in rank 1 and in rank 3."""
    two = TRY.replace("BB.,...,WW.", ".WW,.BB,WW.")
    assert lesson_problems(tmp_path, GAME + two) == [
        "8:9: try: the move 'W@Aa3' has the same effect, but only one move may have it"
    ]


@pytest.mark.parametrize("entry", GAMES)
def test_every_game_has_an_example_and_an_exercise(entry: Entry) -> None:
    for lesson in (entry.example, entry.exercise):
        assert lesson is not None
        assert lesson.effects, "nothing is claimed of its last move"
        for texts in lesson.comments:
            assert set(texts) == set(LANGUAGES)
            for text in texts.values():
                assert text[-1] in ".!?"
                assert len(text) <= 150


@pytest.mark.parametrize(
    "entry", [each for each in load_catalogue() if each not in marble_games()], ids=lambda each: each.id
)
def test_other_tables_have_a_playable_example_and_exercise(entry: Entry) -> None:
    for lesson in (entry.example, entry.exercise):
        assert lesson is not None
        game = entry.game(variant=lesson.variant)
        state = lesson.initial_state(game)
        for move in (*lesson.lead_moves, *lesson.moves):
            state, _ = game.apply(state, move)
        for texts in lesson.comments:
            assert set(texts) == set(LANGUAGES)
            assert all(text[-1] in ".!?" and len(text) <= 150 for text in texts.values())
    assert entry.example is not None
    assert len(entry.example.comments) == len(entry.example.moves), "a sentence for each move"
    assert entry.exercise is not None
    assert entry.exercise.effects


def test_all_seventy_games_have_lessons() -> None:
    assert sum(entry.example is not None and entry.exercise is not None for entry in load_catalogue()) == 70


@pytest.mark.parametrize("entry", GAMES)
def test_lesson_texts_match_the_events_of_their_moves(entry: Entry) -> None:
    """Wins, drops, pushes and captures that the English texts mention must happen in the moves shown.

    The engine plays these moves. If an English or French text says which colour wins, one of the winners must own that
    colour. A lesson with the effect ``win`` must end in a win.
    """
    for lesson in (entry.example, entry.exercise):
        assert lesson is not None
        happened, won, colours = play_lesson(entry, lesson)
        text = " ".join(texts["en"].casefold() for texts in lesson.comments)
        assert not re.search(r"\bwins?\b", text) or won, text
        for word, *deeds in (
            ("drop", "drop"),
            ("push", "push"),
            ("captur", "capture", "take"),
            ("taken off", "take"),
        ):
            assert word not in text or any(happened & set(EFFECT_EVENTS[deed]) for deed in deeds), text
        if "win" in lesson.effects:
            assert won
        for said, named in (("en", r"\b(White|Black|Red) wins\b"), ("fr", r"\b(Blanc|Noir|Rouge) gagne\b")):
            for winner in re.findall(named, " ".join(texts[said] for texts in lesson.comments)):
                assert ENGLISH.get(winner, winner) in colours


def play_lesson(entry: Entry, lesson: Lesson) -> tuple[set[str], bool, set[str]]:
    """Play a lesson, and return what its own moves have caused.

    The moves that lead up to the lesson are played first. The result has three parts: the class names of the events
    that the lesson's own moves caused, whether anybody has won after the last move, and the winners' colours as English
    names such as "White". Raises AssertionError if one of the lesson's own moves isn't legal.
    """
    game = entry.game(size=lesson.size or None, variant=lesson.variant)
    state = lesson.initial_state(game)
    for move in lesson.lead_moves:
        state, _ = game.apply(state, move)
    names: set[str] = set()
    for move in lesson.moves:
        assert move in [str(each) for each in game.moves(state)]
        state, events = game.apply(state, move)
        names |= {type(event).__name__ for event in events}
    outcome = game.outcome(state)
    winners = outcome.winners if outcome is not None else ()
    colours = {COLOURS[colour].capitalize() for seat in winners for colour in state.owned_colours(seat)}
    return names, bool(winners), colours
