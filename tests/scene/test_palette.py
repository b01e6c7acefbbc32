from __future__ import annotations

import pytest

from shibumi3d.scene import palette
from shibumi3d.scene.palette import contrast, linear, rgb, theme


def test_hex_is_read() -> None:
    assert rgb("#FF8000") == (1.0, 128 / 255, 0.0)
    assert linear("#FFFFFF") == (1.0, 1.0, 1.0)
    assert linear("#808080")[0] == pytest.approx(0.2158, abs=1e-4)


def test_contrast_is_that_of_the_accessibility_guidelines() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21.0)
    assert contrast("#777777", "#FFFFFF") == contrast("#FFFFFF", "#777777") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("tone", ["day", "night"])
def test_text_can_be_read_on_its_paper(tone: str) -> None:
    colours = theme(tone).interface
    for text, least in (("ink", 10), ("soft", 5), ("action", 5), ("amber", 4.5), ("warning", 4.5)):
        assert contrast(colours[text], colours["page"]) >= least, text


def test_every_tone_names_the_same_uses() -> None:
    looks = (*palette.INTERFACE.values(), *palette.STRONG.values())
    assert len({frozenset(colours) for colours in looks}) == 1


@pytest.mark.parametrize("tone", ["day", "night"])
@pytest.mark.parametrize("paper", ["page", "card", "sunk"])
def test_where_contrasts_are_strong_all_stands_out(tone: str, paper: str) -> None:
    """WCAG's 7:1 for what is read, and more than its 3:1 for lines, the frame about what has the focus among them."""
    colours = palette.STRONG[tone]
    for text in ("ink", "soft", "faint", "action", "amber", "warning", "line"):
        assert contrast(colours[text], colours[paper]) >= 7, text


@pytest.mark.parametrize("tone", ["day", "night"])
@pytest.mark.parametrize("paper", ["page", "card", "sunk", "table"])
def test_the_frame_about_what_has_the_focus_is_seen(tone: str, paper: str) -> None:
    for looks in (palette.INTERFACE, palette.STRONG):
        assert contrast(looks[tone]["action"], looks[tone][paper]) >= 3


def test_marbles_stand_out_from_the_board() -> None:
    assert contrast(palette.MARBLES[0], palette.BOARDS["keyaki"]) > 3.4
    assert contrast(palette.MARBLES[1], palette.BOARDS["keyaki"]) > 3.4
    assert contrast(palette.MARKS["legal"], palette.BOARDS["keyaki"]) > 3.4


def test_presets() -> None:
    assert theme().board == "keyaki"
    clear = theme("night", "clear")
    assert (clear.board, clear.signs, clear.tone) == ("slate", "strong", "night")
    assert clear.marble(2) == "#E0662F"
    assert theme(board="kuro").board == "kuro"
    assert theme().marble(-1) == palette.UNKNOWN


@pytest.mark.parametrize("names", [("noon",), ("day", "loud"), ("day", "standard", "glass")])
def test_unknown_names_are_refused(names: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="no such theme"):
        theme(*names)


@pytest.mark.parametrize("tone", ["day", "night"])
@pytest.mark.parametrize("paper", ["page", "card", "sunk"])
def test_every_text_can_be_read_on_every_paper(tone: str, paper: str) -> None:
    colours = theme(tone).interface
    for text in ("ink", "soft", "action", "amber", "warning"):
        assert contrast(colours[text], colours[paper]) >= 4.5, text
    # What is switched off needs to be found, not read.
    assert contrast(colours["faint"], colours["page"]) >= 3.0


@pytest.mark.parametrize("tone", ["day", "night"])
def test_papers_are_steps_that_can_be_seen(tone: str) -> None:
    """In CIE's L*, of which 1 is just seen side by side: by day a card was told from its page by 3 alone."""
    colours = theme(tone).interface
    card, page, sunk = (
        116 * palette.luminance(colours[use]) ** (1 / 3) - 16 for use in ("card", "page", "sunk")
    )
    assert card - page >= 5
    assert page - sunk >= 3.5


@pytest.mark.parametrize("marble", sorted({*palette.MARBLES, *palette.CLEAR_MARBLES, palette.UNKNOWN}))
def test_what_is_written_on_a_marble_can_be_read(marble: str) -> None:
    assert contrast(palette.ink_on(marble), marble) >= 4.5


GROUNDS = {*palette.BOARDS.values(), *palette.MARBLES, *palette.CLEAR_MARBLES, palette.UNKNOWN} | {
    theme(tone).table for tone in ("day", "night")
}


@pytest.mark.parametrize("mark", sorted(set(palette.MARKS) - {"edge"}))
@pytest.mark.parametrize("ground", sorted(GROUNDS))
def test_every_mark_is_seen_on_every_ground(mark: str, ground: str) -> None:
    """By its light part or by its dark edge, which stand out from each other too."""
    light, edge = palette.MARKS[mark], palette.MARKS["edge"]
    assert max(contrast(light, ground), contrast(edge, ground)) >= 3.0
    assert contrast(light, edge) >= 4.5
