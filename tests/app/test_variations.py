"""The move list as a tree, its texts, and copying and pasting matches as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.app.host.dialogs import MessageCard
from shibumi3d.app.host.solo import ladder_of
from shibumi3d.app.match.marble_view.page import MarbleMatchPage
from shibumi3d.app.match.move_list import MarbleMoveList

if TYPE_CHECKING:
    from tests.app.hand import Hand


def row_centre(hand: Hand, number: int) -> tuple[float, float]:
    rect = hand.found("moves", MarbleMoveList).row_rect(number)
    return rect.x + 90, rect.cy


def test_variation_is_below_its_turn_and_clickable(hand: Hand) -> None:
    hand.start("spline")
    hand.unfold()
    hand.choose("Aa1", "Ab1", "Ac1")
    hand.key("ctrl+z")
    hand.key("ctrl+z")
    hand.wait(1)
    hand.choose("Ad4")
    listed = hand.found("moves", MarbleMoveList)
    assert listed.rows == [0, 1, -1], "the second turn, and below it what was played before"
    assert listed.describe_turn_row(1) == "Ben: black on Ad4"
    assert listed.describe_turn_row(2) == "Variation – Ben: black on Ab1"
    hand.click(*row_centre(hand, 2))
    hand.wait(0.5)
    assert hand.moves == ["W@Aa1", "B@Ab1", "W@Ac1"]
    assert hand.play.marble_scene.marbles == {(0, 0): 0, (0, 1): 1, (0, 2): 0}
    assert listed.rows == [0, 1, -1, 2]
    assert listed.describe_turn_row(2) == "Variation – Ben: black on Ad4"


def test_where_two_play_each_has_a_column_of_moves(hand: Hand) -> None:
    play = hand.start("spline")
    hand.unfold()
    hand.choose("Aa1", "Ab1", "Ac1", "Ad1")
    listed = hand.found("moves", MarbleMoveList)
    places = [listed.row_rect(number) for number in range(4)]
    assert [place.y for place in places] == [places[0].y] * 2 + [places[0].y + listed.row_height] * 2
    assert places[0].x == places[2].x
    assert places[1].x == places[3].x == places[0].right
    assert places[1].right <= listed.rect.right
    assert listed.content_height == 2 * listed.row_height
    assert [listed.row_at(place.cx, place.cy) for place in places] == [0, 1, 2, 3]
    assert listed.row_at(places[0].cx, places[3].bottom + 5) == -1
    hand.click(*hand.app.to_window_pixels(places[1].cx, places[1].cy))
    assert play.model.viewed_ply == 2
    assert listed.visible_rows() == range(4)


def test_a_turn_too_long_for_its_column_has_a_line_of_its_own(hand: Hand) -> None:
    play = hand.start("spline")
    hand.unfold()
    hand.choose("Aa1", "Ab1", "Ac1")
    listed = hand.found("moves", MarbleMoveList)
    short = type(listed).turn_width
    listed.turn_width = lambda turn: 500.0 if turn == 1 else short(listed, turn)  # type: ignore[method-assign]
    listed.update(3)
    first, second, third = (listed.row_rect(number) for number in range(3))
    assert (first.x, first.w < listed.rect.w) == (listed.rect.x, True)
    assert (second.x, second.w) == (listed.rect.x, listed.rect.w)
    assert third.y == first.y + 2 * listed.row_height
    assert play.match.cursor == 3


def test_where_three_play_each_turn_has_a_line(hand: Hand) -> None:
    hand.start("spaniel", ("Ann", "Ben", "Cy"))
    hand.unfold()
    play = hand.play
    for _ in range(3):
        play.actions.play_move(play.controller.moves[0])
        hand.wait(1)
    listed = hand.found("moves", MarbleMoveList)
    assert len({listed.row_rect(number).y for number in range(len(listed.rows))}) == len(listed.rows)


def test_match_can_continue_from_a_viewed_turn(hand: Hand) -> None:
    play = hand.start("spline")
    hand.unfold()
    hand.choose("Aa1", "Ab1", "Ac1", "Ad1", "Ad4")
    hand.key(",")
    hand.key(",")
    hand.key(",")
    assert play.model.viewed_ply == 2
    hand.push("play from here")
    assert hand.moves == ["W@Aa1", "B@Ab1"]
    assert play.model.is_live
    assert play.message_line.current_message()[0] == "Play continues from here. Later moves stay in the list."
    hand.key("ctrl+shift+z")
    hand.wait(1)
    assert hand.moves == ["W@Aa1", "B@Ab1", "W@Ac1"], "what was taken back may be played again"
    hand.key(",")
    hand.push("play from here")
    hand.choose("Ad3")
    assert hand.moves == ["W@Aa1", "B@Ab1", "W@Ad3"]
    assert hand.found("moves", MarbleMoveList).describe_turn_row(3) == "Variation – Aiko: white on Ac1"


def test_play_from_here_cannot_undo_a_draw(hand: Hand) -> None:
    play = hand.start("sprout")
    while play.match.cursor < 4:
        play.actions.play_move(play.controller.moves[0])
        hand.wait(1)
    drew = play.match.plies
    hand.key("ctrl+home")
    hand.push("play from here")
    assert play.match.plies == drew
    assert play.message_line.current_message()[0] == "This can't be undone: something was drawn or revealed."


def test_play_from_here_is_refused_before_the_start_of_a_deal(hand: Hand) -> None:
    entry = hand.app.catalogue.get("spoff")
    deal = next(deal for deal in ladder_of("spoff") if deal.lead)
    hand.app.matches.start_deal(deal, entry)
    play = hand.play
    start = play.match.plies
    hand.key("ctrl+home")
    hand.push("play from here")
    assert play.match.plies == start
    assert play.message_line.current_message()[0] == (
        "You can't play from here: this is before the starting position."
    )


def test_hovering_a_move_list_row_describes_the_turn(hand: Hand) -> None:
    play = hand.start("spline")
    hand.unfold()
    hand.choose("Aa1")
    hand.point(*row_centre(hand, 0))
    hand.wait(1)
    assert play.explanation_tooltip.word is not None
    assert play.explanation_tooltip.word[1] == "Aiko: white on Aa1"
    hand.point(500, 300)
    hand.wait(1)
    assert play.explanation_tooltip.word is None


def test_match_is_copied_and_pasted_as_text(hand: Hand) -> None:
    board: list[str] = []
    hand.app.services.write_clipboard = board.append
    hand.app.services.read_clipboard = lambda: board[-1]
    hand.start("spline")
    hand.choose("Aa1", "Ab1")
    hand.key("ctrl+c")
    hand.app.pages.show_home()
    hand.key("ctrl+v")
    hand.wait(0.5)
    assert isinstance(hand.app.current_page, MarbleMatchPage)
    assert hand.moves == ["W@Aa1", "B@Ab1"]
    assert hand.play.names == ["Aiko", "Ben"]
    board.append("A letter to a friend.")
    hand.key("ctrl+v")
    assert hand.floating(MessageCard).message_label.caption == (
        "Couldn't open a game from the clipboard: the text is not a saved Shibumi 3D game."
    )
    assert hand.moves == ["W@Aa1", "B@Ab1"]
