"""Screen readers reveal no secrets.

For two matches that differ only in what a viewer may not know, the accessibility tree, the window title and the
answers to the five questions are equal. No frame is drawn for this.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING

import pytest

from shibumi3d.app.match.marble_view.playback import RevealCard
from shibumi3d.app.match.page import MatchPage
from shibumi3d.app.match.privacy_screen import PrivacyScreen
from shibumi3d.app.platform.screen_reader import ScreenReader
from shibumi3d.app.platform.window_title import WindowTitle
from shibumi3d.app.ui.accessibility import AccessibleNode
from shibumi3d.catalogue import catalogue
from shibumi3d.match import visibility
from shibumi3d.match.match import Match
from shibumi3d.rules.game import as_move_of
from shibumi3d.scene.marbles.tabletop import Tabletop
from tests import share

if TYPE_CHECKING:
    from shibumi3d.rules.game import Game, Move, State
    from tests.app.hand import Hand

SEATS = {"spagyric": 2, "springe": 2, "spy": 3, "spangle": 4, "golden-spiral": 2, "arcanoid": 3}
POSITIONS, FEW = 34, 6
"""Number of positions tested for each game, by ``make thorough`` and by ``make test``."""
OTHERS = 4
"""Number of moves tried in the second match to find one that the viewer can't tell from the move in the first."""
LONGEST = 12
"""Maximum number of moves before the hidden information is chosen at random again."""


def public_knowledge(game: Game, state: State) -> object:
    """Return the public facts in which a state and a determinization of one of its views can differ.

    They can differ because observations don't contain all of these facts. The facts are the decision, a list that tells
    for each seat whether its view differs from the public view, and the objects on the table. In games without marbles,
    None takes the place of the objects.
    """
    everybody = game.observe(state, None)
    more = [game.observe(state, seat) != everybody for seat in range(state.seats)]
    facts = game.facts(state.seats)
    return state.decision, more, Tabletop(state, facts).objects if game.kind == "marbles" else None


def make_pair(entry: catalogue.Entry, state: State, viewer: int, alone: bool, chance: Random) -> list[Match]:
    """Return two matches whose initial states look the same to ``viewer`` but usually differ.

    If ``alone`` is true, computer players take the other seats.
    """
    game, seats = entry.game(), SEATS[entry.id]
    other = game.determinize(game.observe(state, viewer), viewer, chance)
    if public_knowledge(game, other) != public_knowledge(game, state):
        other = state
    kinds = ["person" if seat == viewer or not alone else "pebble" for seat in range(seats)]
    names = ["Ann", "Ben", "Cem", "Dan"][:seats]
    return [Match(game, names, 1, state=begun, player_types=kinds) for begun in (state, other)]


def observed_result(game: Game, state: State, move: Move, viewer: int) -> tuple[object, ...]:
    """Return what ``viewer`` observes of a move: its events, and the view after it.

    Another seat's move is secret if the choices of the decision are hidden, unless an event of the move ends the
    secrecy. For a secret move, the first item is True instead of the events.
    """
    after, events = game.apply(state, move)
    in_secret = state.decision is not None and state.decision.visibility == "hidden" and move.seat != viewer
    is_secret = in_secret and not any(event.ends_secrecy for event in events)
    return is_secret or game.observe_events(after, events, viewer), game.observe(after, viewer)


def indistinguishable_matches(name: str, viewer: int, alone: bool, seed: int) -> Iterator[list[Match]]:
    """Play a match at random, and yield pairs of matches that look the same to ``viewer``.

    The two matches of a pair usually begin with different states, which may be in the middle of the game. To the
    viewer, these states look the same, and so does everything that has happened since. After a pair has been yielded,
    either a move is made in each of its matches, or a new pair is made. ``name`` is the id of a game in :data:`SEATS`.
    If ``alone`` is true, computer players take the other seats. ``seed`` determines the deal and all random choices.
    """
    entry = catalogue.load_catalogue().get(name)
    game, chance = entry.game(), Random(f"{name}/{seed}")
    state = game.start(SEATS[name], seed)
    both = make_pair(entry, state, viewer, alone, chance)
    while (ask := both[0].state.decision) is not None:
        if both[1].state.decision is None or len(both[0].plies) > chance.randrange(4, LONGEST):
            both = make_pair(entry, both[0].state, viewer, alone, chance)
        yield both
        theirs = both[1].state.decision
        assert theirs is not None
        seat = chance.choice([seat for seat in ask.seats if seat in theirs.seats] or ask.seats)
        one, other = both
        made = chance.choice(game.moves(one.state, seat))
        known = observed_result(game, one.state, as_move_of(made, seat, one.state), viewer)
        one.play(as_move_of(made, seat, one.state))
        tried = list(game.moves(other.state, seat)) if seat in theirs.seats else []
        chance.shuffle(tried)
        same = [move for move in tried if move.text == made.text]
        for move in same if seat == viewer else [*tried[:OTHERS], *same]:
            if observed_result(game, other.state, as_move_of(move, seat, other.state), viewer) == known:
                other.play(as_move_of(move, seat, other.state))
                break
        else:
            both = make_pair(entry, one.state, viewer, alone, chance)


def accessibility_tree(hand: Hand) -> AccessibleNode:
    return ScreenReader(hand.app, lambda: None).build_tree().root


def exposed_texts(hand: Hand, match: Match, viewer: int) -> dict[str, object]:
    """Show a match, and return everything that a screen reader tells ``viewer``.

    Each entry is stored under a moment, such as "before all", or under a running number and a shortcut key, such as "3:
    f4". The entry ``titles`` holds the window titles. If the page is shown to another seat, only a privacy screen or a
    reveal card is included.
    """
    app = hand.app
    titles: list[str] = []
    app.pages.show_match(match, catalogue.load_catalogue().get(match.game.id))
    page, found = app.current_page, {}
    assert isinstance(page, MatchPage)
    looks = page.model.viewer in (viewer, visibility.ALL_SEATS)
    covered = bool(app.root.popups) and isinstance(app.root.popups[-1], PrivacyScreen | RevealCard)
    if looks or covered:
        found["before all"] = accessibility_tree(hand)
    app.root.close_popups()
    if looks:
        found["page"] = accessibility_tree(hand)
        WindowTitle(titles.append).update(app, True)
        for key in ("f3", "f4", "f4", "f7", "f8", "f8", "f9"):
            hand.key(key)
            found[f"{len(found)}: {key}"] = page.announcement()
        if match.plies:
            page.step_by(-1)
            found["before the last move"] = accessibility_tree(hand)
    found["titles"] = titles
    app.root.close_popups()
    hand.waiting.clear()
    return found


@pytest.mark.parametrize("name", list(SEATS))
def test_screen_reader_reveals_no_hidden_information(hand: Hand, name: str) -> None:
    hand.app.change_settings(spoken=True, motion="off")
    looked = seed = 0
    wanted = POSITIONS if share.everything else FEW
    while looked < wanted:
        seed += 1
        viewer, alone = seed % SEATS[name], bool(seed & 2)
        for one, other in indistinguishable_matches(name, viewer, alone, seed):
            if Random(f"{seed}/{looked}/{one.state.turn}/{one.state.step}").random() < 0.5:
                continue
            if one.state == other.state or public_knowledge(one.game, one.state) != public_knowledge(
                one.game, other.state
            ):
                continue
            looked += 1
            first, second = (exposed_texts(hand, match, viewer) for match in (one, other))
            assert len(first) == len(second)
            for when, words in first.items():
                if isinstance(words, AccessibleNode) and words != second[when]:
                    assert words.format_tree().splitlines() == second[when].format_tree().splitlines(), (
                        seed,
                        looked,
                        when,
                    )
                assert words == second[when], (seed, looked, when)
            if looked >= wanted:
                break
    hand.app.change_settings(motion="normal")
