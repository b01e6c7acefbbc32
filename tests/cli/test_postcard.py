"""Postcards: the final position of a match with game, names and date, in the bundled fonts."""

from __future__ import annotations

from datetime import date

import numpy as np

from shibumi3d.assets.fonts.typeset import load_face
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.export import postcard
from shibumi3d.match.match import Match

LINE = ["W@Aa1", "B@Aa2", "W@Ab1", "B@Ab2", "W@Ac1", "B@Ac2", "W@Ad1"]
SIZE = (740, 525)


def _match(first: str = "Ann") -> Match:
    match = Match(load_catalogue().get("spline").game(), [first, "Ben"], 7)
    for move in LINE:
        match.play(move)
    return match


def _card(match: Match, day: date) -> np.ndarray:  # type: ignore[type-arg]
    _, wide, high = postcard.postcard_layout(*SIZE)
    return postcard.draw_postcard(match, np.full((high, wide, 3), 77, np.uint8), *SIZE, day)


def test_picture_has_a_paper_border() -> None:
    card = _card(_match(), date(2026, 5, 1))
    edge, wide, high = postcard.postcard_layout(*SIZE)
    assert card.shape == (525, 740, 3)
    assert (card[edge : edge + high, edge : edge + wide] == 77).all()
    paper = card[0, 0]
    for border in (card[:edge], card[:, :edge], card[:, -edge:], card[-4:]):
        assert (border == paper).all()
    # Below it, there is dark text on a light background.
    assert (card[edge + high :].astype(int).sum(axis=2) < int(paper.sum()) / 2).sum() > 300


def test_name_and_date_change_only_their_own_lines() -> None:
    first, second, third = (
        _card(match, day)
        for match, day in (
            (_match(), date(2026, 5, 1)),
            (_match(), date(2026, 5, 2)),
            (_match("Dora"), date(2026, 5, 1)),
        )
    )
    days, names = ((first != other).any(axis=2) for other in (second, third))
    assert days[:, 370:].any()
    assert not days[:, :370].any()
    assert names.any()
    assert days.nonzero()[0].max() < names.nonzero()[0].min()


def test_long_name_is_set_smaller() -> None:
    card = _card(_match("M" * 90), date(2026, 5, 1))
    edge = postcard.postcard_layout(*SIZE)[0]
    assert (card[:, -edge + 1 :] == card[0, 0]).all()


def test_glyph_outlines_have_the_expected_shape() -> None:
    sans = load_face("sans")
    assert len(sans.outlines(sans.glyph_index("o"))) == 2, "a rim and a hole"
    assert len(sans.outlines(sans.glyph_index("ö"))) == 4, "and two dots"
    assert sans.outlines(sans.glyph_index(" ")) == []
    tall = [max(y for line in sans.outlines(sans.glyph_index(letter)) for _, y in line) for letter in "xH"]
    assert 0.5 < tall[0] < 0.6 < 0.7 < tall[1] < 0.75, "heights of Inter, in ems"
