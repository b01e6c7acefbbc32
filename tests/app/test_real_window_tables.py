"""Whole matches at the tables without marbles, with a real pointer on a real display."""

from __future__ import annotations

from pathlib import Path

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.match.match import Match
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.scene.registry import make_scene
from tests.app.test_real_window import Desk, Seen, cache, desk, display
from tests.share import THOROUGH

__all__ = ["cache", "desk", "display"]

pytestmark = pytest.mark.display


def is_over(seen: Seen) -> bool:
    return not seen["targets"] and not seen["choices"] and bool(seen["over"])


@THOROUGH
def test_whole_match_of_hyena_spiral(desk: Desk) -> None:
    """Clicking the bowl throws the chips, clicking the tabas buys steps, and clicking a space moves the pawn."""
    desk.set(motion="off")
    desk.open("play", "hyena-spiral", "--option", "length=48", "--option", "rounds=1", "--seed", "5")
    seen = desk.until(lambda now: now.get("screen") == "play" and now["targets"])
    clicked = set()
    while not is_over(seen):
        targets = seen["targets"]
        dishes = [key for key in targets if key.startswith("tabas")]
        places = [key for key in targets if key.startswith(("place", "well"))]
        # Move if possible; otherwise buy steps every other time if possible.
        key = places[0] if places else dishes[0] if dishes and seen["plies"] % 2 else "bowl"
        clicked.add(key.split()[0])
        desk.click(key)
        desk.do("mousemove", 5, 715)
        before = seen["plies"]
        # Fees are paid automatically.
        seen = desk.until(
            lambda now, before=before: now["plies"] > before and (now["targets"] or is_over(now))
        )
    assert {"bowl", "tabas", "place"} <= clicked
    assert desk.close() == 0
    assert desk.errors.read_text() == ""
    (kept,) = (desk.trace.parent / "data").rglob("*.yaml")
    assert "result:" in kept.read_text()


def test_whole_match_of_arcanoid(desk: Desk, tmp_path: Path) -> None:
    """Two players play one round of Arcanoid: Aiko wins three fields, and Ben wins one.

    Ben uses the Fool to steal the swords that Aiko has engaged. The other three fields are given up by both players;
    each goes to Aiko, who gives it up last.

    All choices are made on the table, except the one for the Fool, which is made in the list.
    """
    game = load_catalogue().get("arcanoid").game(options={"rounds": 1})
    deal = {"first": "1", "stock": "S4 S6 S7 T2 C3 M1 S9 S10 M0 T9 C8 D2 M7"}
    match = Match(game, ["Aiko", "Ben"], 3, deal=deal)
    match.record().save(tmp_path / "cards.yaml")
    shown = make_scene(game, 2)
    desk.set(motion="off", stills=False, language="en")
    desk.open("--open", str(tmp_path / "cards.yaml"))
    desk.until(lambda seen: "play from here" in seen["widgets"])
    desk.click("play from here")
    for text in ("S:S4+S6+S7", "steal", "T:-", "S:-", "C:-", "T:-", "D:-", "C:-", "D:-"):
        seat = match.state.to_move
        looker = match.plies[-1].seat if match.plies else None
        if text == "steal":
            seen = desk.until(lambda seen: "Let Ben look at their hand" in seen["rows"])
            desk.do("mousemove", *seen["rows"]["Let Ben look at their hand"], "click", 1)
        if seat != looker:
            desk.open_privacy_screen()
        shown.reset(game.observe(match.state, seat), seat)
        picks, last = shown.clicks_for(game.parse(match.state, text, seat))
        for key in (*sorted(picks), *([last] if last else [])):
            desk.until(lambda seen, key=key: key in seen["targets"])
            desk.click(key)
        if not last:
            label = capitalize_first(
                game.move_label(game.observe(match.state, seat), game.parse(match.state, text, seat))
            )
            seen = desk.until(lambda seen, label=label: label in seen["rows"])
            desk.do("mousemove", *seen["rows"][label], "click", 1)
        match.play(text)
        desk.until(lambda seen: seen.get("plies") == match.cursor)
        if match.state.to_move is None:
            break
    seen = desk.until(lambda seen: seen["over"])
    assert seen["over"].startswith("Aiko wins")
    assert desk.close() == 0
    assert desk.errors.read_text() == ""
