"""Marbles beside the boards: what is there in every game, who sees what, and taking them by hand."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from shibumi3d.app.match.marble_view.controller import Controller
from shibumi3d.app.match.marble_view.page import MarbleMatchPage
from shibumi3d.app.match.replay import MarbleReplayView
from shibumi3d.app.pages.replay import ReplayPage
from shibumi3d.match.match import Match
from shibumi3d.rules.marbles.colours import COLOURS
from shibumi3d.rules.marbles.event import Removed
from shibumi3d.rules.marbles.state import UNKNOWN_COUNT, State
from shibumi3d.scene.marbles.layout import RADIUS, TABLE_Z, TRAY_MARBLE_Z, half_side, make_layout
from shibumi3d.scene.marbles.scene import MarbleScene
from shibumi3d.scene.marbles.table_objects import BAG_RADIUS, Heap
from shibumi3d.scene.marbles.tabletop import SHARED_SEAT, UNKNOWN_COLOUR, VIEWER_SEAT, Tabletop, used_colours
from tests.app.test_hidden_information import look, make_move_with_pointer
from tests.marble_games import marble_games
from tests.rules.inline import inline
from tests.share import some

if TYPE_CHECKING:
    from tests.app.hand import Hand

ENTRIES = {entry.id: entry for entry in marble_games()}


def holdings(seen: State, heap: Heap, viewer: int) -> Counter[int]:
    """Return the number of marbles of each colour in the stock to which a heap belongs.

    ``seen`` is the observation of ``viewer``. The keys are indices of :data:`COLOURS`, or :data:`UNKNOWN_COLOUR` for
    marbles whose colour isn't known. A colour that has run out has the count 0. The result is empty only if the number
    of marbles is hidden from the viewer.
    """
    holders = seen.reserves[heap.stock]
    seat = viewer if heap.seat == VIEWER_SEAT else heap.seat
    content = holders[0 if len(holders) == 1 else (seat - seen.game_number + 1) % seen.seats]
    if UNKNOWN_COUNT in content.values():
        return Counter()
    return Counter({COLOURS.index(c) if c in COLOURS else UNKNOWN_COLOUR: n for c, n in content.items()})


def nothing_overlaps(top: Tabletop, state: State, balls: tuple[object, ...]) -> None:
    stage = MarbleScene([state.size] * len(state.board_names))
    stage.reset(state)
    standing = [at for _, at in stage.resting_marbles()]
    lying = [ball.position for ball in balls]  # type: ignore[attr-defined]
    for at in lying:
        assert all(math.dist(at, other) >= RADIUS + RADIUS for other in standing)
        for size, (x, y) in zip(stage.sizes, make_layout(stage.sizes).origins, strict=True):
            assert max(abs(at[0] - x), abs(at[1] - y)) >= half_side(size) + RADIUS
        if top.layout.bag_position is not None:
            assert math.dist(at[:2], top.layout.bag_position[:2]) >= BAG_RADIUS + RADIUS
        assert at[2] > TABLE_Z + 0.3
    assert all(math.dist(a, b) >= 2 * RADIUS - 1e-9 for a, b in itertools.combinations(lying, 2))


@pytest.mark.parametrize("name", some(ENTRIES, 22, 1))
def test_table_contents_match_the_state_of_every_game(name: str) -> None:
    entry = ENTRIES[name]
    for seats, size in itertools.product({*entry.players}, {entry.sizes[0], max(entry.sizes)}):
        chance = random.Random(f"{name} {seats}")
        match = Match(entry.game(size=size), [str(n) for n in range(seats)], 5)
        control, top = Controller(match), Tabletop(match.initial_state, match.game.facts(len(match.seats)))
        used = used_colours(match.initial_state, match.game.facts(len(match.seats)))
        for _ in range(25):
            viewer = match.state.to_move
            if viewer is None:
                break
            if len(control.available_colours) > 1 and not top.objects.has_dish:
                top = Tabletop(match.initial_state, match.game.facts(len(match.seats)), always_has_dish=True)
            seen = match.game.observe(match.state, viewer)
            heaps = [
                top.find_heap(control.source_stock(c), viewer, c, viewer) for c in control.available_colours
            ]
            chosen = next((h for h in heaps if h is not None and h.colour == control.next_colour), None)
            shown = top.make_contents(seen, viewer, {}, chosen)
            chosen = chosen if top.objects.has_dish else None
            assert len(shown.balls) <= 30
            nothing_overlaps(top, match.state, shown.balls)
            if len(control.available_colours) > 1:
                # Each colour can be taken from its own heap, or is in the dish already.
                assert len({*heaps}) == len(heaps)
                for heap, colour in zip(heaps, control.available_colours, strict=True):
                    assert heap is not None
                    assert heap.colour == colour
                    assert shown.heaps[heap] or heap == chosen
            for heap, marbles in shown.heaps.items():
                content = holdings(seen, heap, viewer)
                if not content:
                    assert not marbles
                    continue
                assert not Counter(marbles) - content
                if heap.colour != UNKNOWN_COLOUR and UNKNOWN_COLOUR not in content:
                    places = len(top.layout.heaps[heap].positions)
                    left = content[heap.colour] - (heap == chosen)
                    assert len(marbles) == min(left, places)
                    number = top.layout.heaps[heap].label_position, content[heap.colour]
                    # An empty heap has no number.
                    assert (number in shown.count_labels) is (content[heap.colour] > 0)
            for move in control.moves:
                assert move.colour < 0 or move.colour in used
            control.play(chance.choice(control.moves))


def table_of(name: str) -> Tabletop:
    game = ENTRIES[name].game()
    return Tabletop(game.start(seed=1), game.facts())


def test_seat_places_stay_the_same_between_turns() -> None:
    plan = table_of("spack").objects
    assert plan.west == tuple(Heap("hand", 0, colour) for colour in range(3))
    assert plan.east == tuple(Heap("hand", 1, colour) for colour in range(3))
    shared = table_of("spline").objects
    # The box contains red marbles, but the game doesn't use them.
    assert shared.west == (Heap("box", SHARED_SEAT, 0), Heap("box", SHARED_SEAT, 1))
    assert not shared.has_dish
    # Without a dish, the selected marble stays in its row.
    few = table_of("sploof")
    reserve = Heap("reserve", 0, 0)
    assert few.make_contents(few.initial_state, 0, {}, reserve).heaps[reserve] == (0, 0)
    # Captured marbles are in a dish for each of the two players, which is empty at the start.
    taken = table_of("spectacular-tumble")
    assert taken.objects.spent == tuple(Heap("box", seat, UNKNOWN_COLOUR) for seat in range(2))
    assert not taken.make_contents(taken.initial_state, 0, {}, None).balls
    # Games without captures have no dish for them.
    assert not table_of("spight").objects.spent
    assert table_of("spoff").objects.spent == (Heap("box", SHARED_SEAT, UNKNOWN_COLOUR),)
    drawn = table_of("spalone")
    assert (drawn.bag_stock, drawn.hand_stocks, drawn.objects.has_dish) == ("bag", ["hand"], True)
    assert drawn.make_contents(drawn.initial_state, 0, {}, None).count_labels[-1][1] == 29


def test_bag_of_unknown_size_is_labelled_with_a_question_mark() -> None:
    game = inline("""
        stocks:
          bag: {holds: {red: 3}, see: none, sight: none}
          hand: {each: {}}
        turn: [{draw: 1, from: bag, to: hand}, {place: colours(hand), from: hand}]
        """)
    state = game.start(seed=1)
    table = Tabletop(state, game.facts())
    assert table.bag_stock == "bag"
    contents = table.make_contents(game.observe(state, 0), 0, {}, None)
    assert [label.text for label in contents.labels()] == ["?"]


def test_all_captured_marbles_lie_in_the_dish_of_the_player_who_took_them() -> None:
    match = Match(ENTRIES["spectacular-tumble"].game(), ["Ann", "Ben"], 2)
    chance, taken, before = random.Random(2), (Counter[int](), Counter[int]()), {}
    top = table_of("spectacular-tumble")
    for _ in range(14):
        if match.state.to_move is None:
            break
        seat = match.state.to_move
        match.play(chance.choice(match.legal_moves()))
        taken[seat].update(e.colour for e in match.plies[-1].events if isinstance(e, Removed))
        shown = top.make_contents(match.state, 0, {}, None, plies=match.plies)
        for number, heap in enumerate(top.objects.spent):
            assert Counter(shown.heaps[heap]) == taken[number]
            # Marbles in the dish stay where they are.
            assert shown.heaps[heap][: len(before.get(heap, ()))] == before.get(heap, ())
        before = dict(shown.heaps)
        # All marbles are visible, so no number is needed.
        assert len(shown.balls) == sum(map(Counter.total, taken))
        assert not shown.count_labels
        assert [(label.text, label.seat) for label in shown.labels()] == [("", 0), ("", 1)]
    assert sum(map(Counter.total, taken)) >= 10
    assert all(taken)


def test_dishes_of_captured_marbles_are_as_large_as_what_one_player_can_take() -> None:
    """In Spectacular Tumble, the dish of each player has room for 11 captured marbles.

    In a match, 14 marbles are removed, one or two in each turn, so one player takes at most 10 if nobody passes. The
    smallest dish that holds 10 marbles has room for 11: two rows of four, and three on top. In Spoff, a solo game, two
    larger dishes hold 14 marbles each.
    """
    personal, shared = table_of("spectacular-tumble").layout, table_of("spoff").layout
    assert [len(row.positions) for row in personal.heaps.values()] == [11, 11]
    (row,) = shared.heaps.values()
    assert len(row.positions) == 28
    assert max(tray.half_size[1] for tray in personal.trays) < 0.85 * max(
        tray.half_size[1] for tray in shared.trays
    )
    assert not table_of("spoff").own_dishes


def test_dishes_show_and_name_their_owners(hand: Hand) -> None:
    play = hand.start("spectacular-tumble", ["Ann", "Ben"])
    hand.app.root.close_popups()
    assert [e.name for e in play.board_elements() if e.key.startswith("dish")] == [
        "Ann's dish: empty",
        "Ben's dish: empty",
    ]
    move = next(move for move in play.controller.moves if "pass" not in str(move))
    play.actions.play_move(move)
    hand.wait(3)
    hand.draw()
    taken = next(e.name for e in play.board_elements() if e.key == "dish box 0")
    assert taken in ("Ann's dish: 1 red", "Ann's dish: 1 white")
    signs = {box.h for box in play.board_overlay.occupied_rects}
    assert 18 in signs, "a plaque at the rim of a dish"


def test_captured_marbles_fill_a_second_dish() -> None:
    top = table_of("spoff")
    (heap,) = top.objects.spent
    first, second = top.layout.trays
    positions = top.layout.heaps[heap].positions
    assert len(positions) == 28
    assert {x < 0 for x, _, _ in positions[:14]} == {first.x < 0}
    assert {x < 0 for x, _, _ in positions[14:]} == {second.x < 0}
    for one, (x, y, z) in enumerate(positions):
        # Each marble lies on the wood, or on four earlier ones.
        below = [at for at in positions[:one] if math.dist(at, (x, y, z)) < 1.01 and at[2] < z - 0.1]
        assert z == TRAY_MARBLE_Z or len(below) == 4


@pytest.mark.parametrize(
    ("game", "seats"), [("spanic", 3), ("spindizzy", 3), ("spagyric", 2), ("springe", 2)]
)
def test_hidden_hands_do_not_reveal_colours(hand: Hand, game: str, seats: int) -> None:
    hand.app.change_settings(motion="off")
    chance = random.Random(game)
    play = hand.start(game, tuple(["Ann", "Ben", "Cem"][:seats]))
    for _ in range(12):
        look(hand)
        viewer = play.model.viewer
        if viewer is None:
            break
        seen = play.match.game.observe(play.match.state, viewer)
        hand.draw()
        shown = play.table_contents(play.animation_time())
        for heap, marbles in shown.heaps.items():
            if heap.seat in (VIEWER_SEAT, viewer):
                assert set(marbles) <= {heap.colour}
            elif heap.seat >= 0:
                assert set(marbles) <= {UNKNOWN_COLOUR}
        # No more coloured marbles are shown than the viewer may know of.
        known = Counter(ball.colour for ball in shown.balls if ball.colour != UNKNOWN_COLOUR)
        allowed: Counter[int] = Counter()
        for holders in seen.reserves.values():
            for content in holders:
                allowed += Counter({COLOURS.index(c): n for c, n in content.items() if c in COLOURS})
        assert not known - allowed
        make_move_with_pointer(
            hand,
            chance.choice([m for m in play.controller.moves if m.kind != "done"] or play.controller.moves),
        )
    hand.app.change_settings(motion="normal")


def test_colour_is_picked_from_its_column(hand: Hand) -> None:
    play = hand.start("splice")
    red = Heap("box", SHARED_SEAT, 2)
    hand.draw()
    hand.point(*hand.marble("box", 2))
    assert play.table_marbles.hovered_heap == red
    assert play.view.cursor_shape == "hand"
    rings = [
        m
        for m in play.sign_layer.make_frame(hand.now, 1.7).marks
        if m.position in {r.positions[0] for r in play.tabletop.layout.heaps.values()}
    ]
    assert len(rings) == 2
    hand.click(*hand.marble("box", 2))
    assert play.controller.next_colour == 2
    assert play.table_contents(play.animation_time()).dish_colour == 2
    hand.draw()
    hand.click(*hand.spot("Ab2"))
    flying = play.sign_layer.make_frame(hand.now + 0.01, 1.7).balls[0]
    assert math.dist(flying.position, play.tabletop.layout.dish_position or ()) < 0.3
    assert hand.moves == ["R@Ab2"]
    hand.wait(2)
    numbers = dict(play.table_contents(play.animation_time()).count_labels)
    assert numbers[play.tabletop.layout.heaps[red].label_position] == 15


def test_unavailable_marble_says_why(hand: Hand) -> None:
    play = hand.start("spline")
    hand.click(*hand.marble("box", 1))
    assert play.actions.message == "Black can't be placed now, only white."
    hand.click(*hand.marble("box", 0))
    assert play.actions.message == "You don't need to pick up a marble: just choose where to put it."
    assert hand.moves == []
    play = hand.start("spack")
    hand.click(*hand.marble("hand", 2, seat=1))
    assert play.actions.message == "These marbles belong to Ben."


def test_hand_marble_is_taken_from_its_owners_side(hand: Hand) -> None:
    play = hand.start("spack")
    hand.click(*hand.marble("hand", 2, seat=0))
    hand.choose("Ab2")
    assert hand.moves == ["R@Ab2"]
    hand.wait(1)
    assert len(play.controller.available_colours) > 1
    colour = play.controller.available_colours[1]
    hand.click(*hand.marble("hand", colour, seat=1))
    assert play.controller.next_colour == colour


def test_marble_is_handed_over_from_the_tray(hand: Hand) -> None:
    play = hand.start("spree")
    hand.click(*hand.marble("box", 2))
    assert hand.moves == ["R!"]
    busy = play.table_contents(play.animation_time() + 0.01)
    hand.wait(2)
    # The marble appears in the dish only after it has arrived there, never in two places.
    assert busy.dish_colour is None
    assert play.table_contents(play.animation_time()).dish_colour == 2
    hand.choose("Ab2")
    assert hand.moves == ["R!", "R@Ab2"]


BAG_GAME = """
title: Bag Game
players: 2
sizes: [4]
stocks:
  box: {holds: {}}
  bag: {holds: {white: 8, black: 8}, see: none}
  hand: {each: {}}
turn:
  - choose:
      draw: {draw: 1, from: bag, to: hand}
      rest: {score: 1}
  - if: hand
    then: {place: colours(hand), from: hand}
end:
  - when: not empty
    win: mover
    because: {en: all is full, fr: tout est plein}
"""


def test_clicking_the_bag_draws_marbles(hand: Hand, tmp_path: Path) -> None:
    user_games = tmp_path / "games"
    user_games.mkdir()
    (user_games / "bag-game.yaml").write_text(BAG_GAME)
    before = hand.app.catalogue
    try:
        hand.app.catalogue = before.with_user_games(user_games)
        entry = hand.app.catalogue.get("bag-game")
        hand.app.matches.start(entry, ["Ann", "Ben"], 4, "", 1)
        hand.draw()
        play = hand.play
        assert play.tabletop.layout.bag_position is not None
        x, y, z = play.tabletop.layout.bag_position
        place = hand.app.to_window_pixels(*play.view.to_window((x, y, z + 0.8)))
        hand.point(*place)
        assert play.view.cursor_shape == "hand"
        hand.click(*place)
        assert hand.moves == ["draw"]
        hand.wait(2)
        assert play.table_contents(play.animation_time()).dish_colour in (0, 1)
        hand.click(*place)
        assert play.actions.message == "You can't draw a marble now."
        hand.choose("Ab2")
        assert len(hand.moves) == 2
    finally:
        hand.app.catalogue = before


def box_contents(play: MarbleMatchPage) -> dict[int, list[int]]:
    """Return the colours of the visible marbles in each box, by the number of the box."""
    found: dict[int, list[int]] = {}
    for number, box in enumerate(play.tabletop.layout.box_positions):
        for ball in play.table_contents(play.animation_time()).balls:
            if ball.position[:2] == box[:2]:
                found.setdefault(number, []).append(ball.colour)
    return found


def test_boxes_open_together_and_show_the_choices(hand: Hand) -> None:
    play = hand.start("spagyric")
    look(hand)

    def lids() -> list[float]:
        return [
            piece.tilt for piece in play.table_contents(play.animation_time()).pieces if piece.model == "lid"
        ]

    assert lids() == [0.0]  # Aiko's box; Ben's appears when it is his turn to choose
    hand.push("answer W!")
    look(hand)
    hand.wait(0.2)
    assert lids() == [0.0, 0.0]
    hand.push("answer B!")
    # Before the next privacy screen, both marbles go into their boxes, and then both lids open.
    assert lids() == [0.0, 0.0]
    while lids() == [0.0, 0.0]:
        assert box_contents(play) == {}
        hand.wait(0.1)
    assert lids()[0] == lids()[1]
    assert 0 < lids()[0] < 1.8
    assert box_contents(play) == {0: [0], 1: [1]}
    hand.wait(4)
    look(hand)
    # Black is on the discard pile; white has won and is still to be placed.
    assert box_contents(play) == {0: [0]}
    hand.choose("Ab2")
    hand.wait(1)
    look(hand)
    assert not [p for p in play.table_contents(play.animation_time()).pieces if p.model == "lid" and p.tilt]


def test_replay_shows_the_table_marbles(hand: Hand) -> None:
    hand.start("splice")
    hand.choose("Ab2")
    match = hand.play.match
    hand.app.show_page(ReplayPage(hand.app, match, hand.play.entry))
    hand.draw()
    replay = hand.page(ReplayPage)
    stand = replay.replay_view
    assert isinstance(stand, MarbleReplayView)
    assert [n for _, n in stand.table_contents(replay.current_playback_time()).count_labels] == [16, 16, 16]
    hand.key("right")
    hand.draw()
    # The number decreases as soon as the marble is in the air.
    assert [n for _, n in stand.table_contents(replay.current_playback_time() + 0.05).count_labels] == [
        15,
        16,
        16,
    ]
    hand.wait(1)
    hand.key("left")
    hand.draw()
    assert [n for _, n in stand.table_contents(replay.current_playback_time() + 0.05).count_labels] == [
        15,
        16,
        16,
    ]
    hand.wait(1)
    assert [n for _, n in stand.table_contents(replay.current_playback_time()).count_labels] == [16, 16, 16]


def test_camera_moves_to_the_requested_board(hand: Hand) -> None:
    play = hand.start("spy", ("Ann", "Ben", "Cem"))
    look(hand)
    hand.draw()
    large = play.view.marble_radius(play.marble_scene.marble_position(play.active_board, 0))
    assert large > 30
    hand.key("f6")
    hand.wait(1)
    assert play.active_board == 1
    assert play.view.camera == play.view.home_camera
    assert play.view.marble_radius(play.marble_scene.marble_position(1, 0)) > 0.85 * large
    play.view.turn(1)
    hand.wait(1)
    hand.key("0")
    hand.wait(1)
    assert play.view.camera == play.view.home_camera


@pytest.mark.parametrize(
    "name", ["splice", "spack", "spree", "sploof", "spoker", "spalone", "sp-kapow", "spred", "spin"]
)
def test_marbles_are_never_duplicated_or_lost_in_animation(name: str) -> None:
    entry, chance = ENTRIES[name], random.Random(name)
    match = Match(entry.game(), [str(n) for n in range(entry.players[0])], 3)
    top, stage, now = (
        Tabletop(match.initial_state, match.game.facts(len(match.seats))),
        MarbleScene([match.initial_state.size]),
        0.0,
    )
    stage.reset(match.initial_state)

    def all_marbles(time: float) -> int:
        counts = top._counts_by_stock(
            match.state, match.state.mover, stage.timeline.pending_stock_changes(time)
        )
        return sum(sum(content.values()) for content in counts.values()) + len(stage.timeline.sample(time))

    total = all_marbles(now)
    for _ in range(30):
        moves = match.legal_moves()
        if not moves:
            break
        shown = top.make_contents(match.state, match.state.mover, {}, None).heaps
        before, viewer = match.state, match.state.mover
        events = match.play(chance.choice(moves))
        stage.timeline.stock_positions = top.stock_positions(
            viewer, match.plies[-1].seat, (), shown, None, events
        )
        stage.play(events, now)
        end = max(stage.timeline.end_time, now)
        for part in (0.001, 0.1, 0.3, 0.5, 0.7, 0.9, 0.999):
            assert all_marbles(now + (end - now) * part) == total
        assert all_marbles(end + 0.01) == total
        stage.rewind(events, end + 1, before)
        match.undo_step()
        back = max(stage.timeline.end_time, end + 1)
        for part in (0.001, 0.2, 0.5, 0.8, 0.999):
            assert all_marbles(end + 1 + (back - end - 1) * part) == total
        match.redo_step()
        stage.reset(match.state)
        now = back + 1
