"""No command that draws or prints a match reveals a secret, in any game with secrets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.cli import terminal
from shibumi3d.export.drawing import make_drawing
from shibumi3d.export.sheet import draw_sheet
from shibumi3d.match import visibility
from shibumi3d.match.match import Match
from shibumi3d.match.record import load as load_record
from shibumi3d.match.record import parse
from shibumi3d.rules.game import as_move_of
from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.rules.marbles.wording.terminal_text import draw_board
from shibumi3d.wording import describe_turns
from tests.marble_games import marble_games
from tests.share import some
from tests.typed_lines import make_reader

if TYPE_CHECKING:
    from .conftest import Run

HIDING = [entry.id for entry in marble_games() if entry.game().facts(entry.players[0]).has_secrets]


def unfinished_match(name: str, seed: int) -> Match:
    entry = load_catalogue().get(name)
    match = Match(entry.game(), [f"Player {n + 1}" for n in range(entry.players[0])], seed)
    chance = Random(seed)
    for _ in range(20 + 7 * seed):
        moves = match.legal_moves()
        if not moves:
            break
        match.play(chance.choice(moves))
    while match.state.to_move is None:
        match.undo_step()
    return match


def secret_moves(match: Match, viewer: int) -> Iterator[str]:
    """Yield the moves of seats other than ``viewer`` in the current block of secret choices, latest first."""
    if not match.state.is_in_secret_block:
        return
    for number in range(len(match.plies) - 1, -1, -1):
        before = match.plies[number - 1].state if number else match.initial_state
        if not before.is_in_secret_block:
            return
        if match.plies[number].seat != viewer:
            yield match.plies[number].move


def test_known_games_with_secrets_are_covered() -> None:
    assert {"spy", "springe", "spagyric", "spindizzy", "spangle", "spanic"} <= set(HIDING)


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("name", HIDING)
def test_move_list_hides_unrevealed_choices(name: str, seed: int) -> None:
    match = unfinished_match(name, seed)
    viewer = match.state.to_move
    assert viewer is not None
    turns = [text for _, text in describe_turns(match, viewer)]
    if list(secret_moves(match, viewer)) and match.plies[-1].seat != viewer:
        assert "chose in secret" in turns[-1]


def test_moves_command_hides_the_secret_choice_of_another_seat() -> None:
    # The first seat chooses its first option; then the second seat, now at the screen, types 'moves'.
    match = Match(load_catalogue().get("spagyric").game(), ["Ann", "Ben"], 1)
    said: list[str] = []
    terminal.play(match, make_reader(["", "1", "", "moves"], said.append), said.append)
    assert [line for line in said if "Ann: " in line] == ["  1  Ann: chose in secret"]


@pytest.mark.parametrize("name", HIDING)
def test_pictures_and_replays_show_only_public_information(name: str, run: Run, tmp_path: Path) -> None:
    match = unfinished_match(name, 2)
    frame = make_drawing(match, 16 / 9).draw_still()
    covered = visibility.covered_boards(match.state, visibility.ALL_SEATS)
    open_marbles = sum(
        match.state.filled(board).bit_count()
        for board in range(len(match.state.board_names))
        if board not in covered
    )
    # Marbles placed in an unfinished block of secret choices aren't drawn yet.
    assert len(frame.balls) <= open_marbles
    assert match.state.is_in_secret_block or len(frame.balls) == open_marbles
    path = tmp_path / "kept.yaml"
    match.record().save(path)
    printed = run("replay", path, "--text").out
    for board in covered:
        hidden = draw_board(match.state.boards[board])
        if match.state.filled(board):
            assert "\n".join(hidden) not in printed


def terminal_output(match: Match, lines: list[str]) -> list[str]:
    """Return everything that the terminal prints, prompts included, while a player types ``lines``.

    When the terminal asks that only one player look, the answer is an empty line, which isn't taken from ``lines``.
    After the last of the ``lines``, the input ends.
    """
    said: list[str] = []
    left = iter(lines)

    def ask(prompt: str) -> str:
        said.append(prompt)
        if "should look now" in prompt:
            return ""
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    terminal.play(match, ask, said.append)
    return said


def lines_without_moves(match: Match, folder: Path) -> list[str]:
    """Return lines of terminal input that make no move; the last line is ``quit``.

    They include every command, impossible moves, and points that aren't moves by themselves. Some commands are followed
    by a point or a choice; ``save`` is followed by a path below ``folder``. Assert that the help explains exactly these
    commands.
    """
    choices = [move.text for move in match.legal_moves()]
    points = [
        name if len(match.state.board_names) == 1 else f"{board}.{name}"
        for board in match.state.board_names
        for name in get_pyramid(match.state.size).point_names
    ]
    impossible = [f"{letter}{sign}{point}" for letter in "WBR" for sign in "@" for point in points]
    lines = {
        "help": ["help", "?", ""],
        "undo": ["undo"],
        "redo": ["redo"],
        "back": ["back"],
        "forward": ["forward"],
        "moves": ["moves"],
        "rules": ["rules"],
        "hint": ["hint"],
        "last": ["last"],
        "mine": ["mine"],
        "may": ["may"],
        "here": ["here", *(f"here {what}" for what in ("A", "B", "x", *points))],
        "clocks": ["clocks"],
        "explain": [f"explain {what}" for what in ("1", "99999", "x", *choices, *points)],
        "save": [f"save {folder / 'no' / 'where.yaml'}"],
        "quit": [],  # tried last
    }
    explained = [line[:19] for line in terminal.help_text().splitlines() if line.startswith("  ")]
    assert {word for text in explained for word in re.findall("[a-z]+", text)} == set(lines)
    # A point by itself is a move if only one choice ends there.
    meant = [point for point in points if sum(choice.endswith(point) for choice in choices) == 1]
    wrong = [line for line in (*points, *impossible) if line not in (*choices, *meant)]
    return [line for those in lines.values() for line in those] + wrong + ["quit"]


@pytest.mark.parametrize("seed", some([1, 2, 3], 1))
@pytest.mark.parametrize("name", HIDING)
def test_terminal_output_depends_only_on_the_observation(
    name: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The output is the same in states that the player can't tell apart.

    These states are random determinizations of what the player can see.
    """
    monkeypatch.setattr(terminal, "HINT_LEVEL", "pebble")  # it sees the same information, and is faster
    match = unfinished_match(name, seed)
    state, game = match.state, match.game
    viewer = state.to_move
    assert viewer is not None
    view = game.observe(state, viewer)
    names = [seat.name for seat in match.seats]
    lines = lines_without_moves(match, tmp_path)
    output = terminal_output(Match(game, names, state=state), lines)
    assert len(output) > len(lines)
    for chance in range(3):
        other = game.determinize(view, viewer, Random(chance))
        assert terminal_output(Match(game, names, state=other), lines) == output


# ---------------------------------------------------------------- matches that differ in one seat's secret

SECRETIVE = [entry.id for entry in load_catalogue() if entry.game().facts(entry.players[1]).has_secrets]


def lookalike_matches(name: str) -> Iterator[tuple[Match, Match]]:
    """Yield pairs of matches that differ only in a secret choice that has just been made and is not revealed yet."""
    entry = load_catalogue().get(name)
    game = entry.game()
    seats = [f"Player {n + 1}" for n in range(max(2, entry.players[0]))]
    match = Match(game, seats, 1)
    chance = Random(name)
    for _ in range(80):
        ask = match.state.decision
        if ask is None:
            return
        seat = chance.choice(ask.seats)
        moves = list(game.moves(match.state, seat))
        if ask.visibility == "hidden":
            chance.shuffle(moves)
            found = []
            for move in moves[:4]:
                events = match.play(as_move_of(move, seat, match.state))
                if not any(event.ends_secrecy for event in events) and match.state.to_move is not None:
                    found.append((match.state.to_move, match.record().to_text()))
                match.undo_step()
            for to_move, text_of_other in found[1:]:
                if to_move == found[0][0]:
                    yield (
                        Match.from_record(parse(found[0][1]), game),
                        Match.from_record(parse(text_of_other), game),
                    )
        match.play(as_move_of(chance.choice(moves), seat, match.state))


@pytest.mark.parametrize("name", SECRETIVE)
def test_match_output_does_not_reveal_a_secret_choice(name: str, run: Run, tmp_path: Path) -> None:
    paths = tmp_path / "one.yaml", tmp_path / "other.yaml"
    pairs = list(lookalike_matches(name))[:3]
    assert pairs or name in ("arcanoid", "spanic")  # these games hide marbles, but have no secret choices
    for both in pairs:
        shown = []
        for match, path in zip(both, paths, strict=True):
            match.record().save(path)
            match = Match.from_record(load_record(path), match.game)
            made = len(match.plies)
            found = [run("replay", path, "--text").out, thumbnail_text(match)]
            for above in (False, True):
                drawing = make_drawing(match, 16 / 9, from_above=above, show_choices=True, table=True)
                found.append(repr(drawing.draw_still()))
            film = list(make_drawing(match, 1.5, table=True).draw_film(made - 1, made, 4))
            found += [str(len(film)), repr(film[-1].frame)]
            if not name.endswith("spiral"):
                found.append(draw_sheet([match], "svg").decode())
            shown.append(found)
        assert shown[0] == shown[1]


def thumbnail_text(match: Match) -> str:
    state = visibility.observe(match.game, match.state, visibility.public_viewer(match))
    return "\n".join(match.game.table_lines(state))


def test_secret_choice_is_not_printed() -> None:
    match = Match(load_catalogue().get("spagyric").game(), ["A", "B"], 1)
    match.play("R!")
    seen = match.game.observe(match.state, None)
    assert seen.reserves["fist"] == match.game.observe(match.initial_state, None).reserves["fist"]
    assert not any("1 red" in line for line in match.game.table_lines(seen) if "fist" in line)


@pytest.mark.parametrize("name", ["spagyric", "spanic"])
def test_marked_choices_use_only_public_information(name: str) -> None:
    """If the choices marked in a picture depended on hidden marbles, the picture would reveal these marbles."""
    match = unfinished_match(name, 2)
    game, names = match.game, [seat.name for seat in match.seats]
    viewer = ((match.state.to_move or 0) + 1) % len(names)
    for chance in range(3):
        other = game.determinize(game.observe(match.state, viewer), viewer, Random(chance))
        fresh = [Match(game, names, state=state) for state in (match.state, other)]
        drawn = [repr(make_drawing(each, 16 / 9, show_choices=True).draw_still()) for each in fresh]
        assert drawn[0] == drawn[1]
