from __future__ import annotations

import pytest

from shibumi3d.scene import palette
from shibumi3d.scene.palette import contrast_ratio, linear_rgb, make_theme, rgb


def test_hex_colours_are_parsed() -> None:
    assert rgb("#FF8000") == (1.0, 128 / 255, 0.0)
    assert linear_rgb("#FFFFFF") == (1.0, 1.0, 1.0)
    assert linear_rgb("#808080")[0] == pytest.approx(0.2158, abs=1e-4)


def test_contrast_ratio_follows_wcag() -> None:
    assert contrast_ratio("#000000", "#FFFFFF") == pytest.approx(21.0)
    assert (
        contrast_ratio("#777777", "#FFFFFF")
        == contrast_ratio("#FFFFFF", "#777777")
        == pytest.approx(4.48, abs=0.005)
    )


@pytest.mark.parametrize("tone", ["day", "night"])
def test_text_is_readable_on_the_page(tone: str) -> None:
    colours = make_theme(tone).interface_colours
    for text, least in (("ink", 10), ("secondary_ink", 5), ("action", 5), ("amber", 4.5), ("warning", 4.5)):
        assert contrast_ratio(colours[text], colours["page"]) >= least, text


def test_every_tone_defines_the_same_colour_uses() -> None:
    looks = (*palette.INTERFACE_COLOURS.values(), *palette.HIGH_CONTRAST_COLOURS.values())
    assert len({frozenset(colours) for colours in looks}) == 1


@pytest.mark.parametrize("tone", ["day", "night"])
@pytest.mark.parametrize("paper", ["page", "card", "recessed"])
def test_high_contrast_text_and_lines_reach_ratio_7(tone: str, paper: str) -> None:
    """Text and lines have a contrast of at least 7:1, although WCAG requires only 3:1 for lines."""
    colours = palette.HIGH_CONTRAST_COLOURS[tone]
    for text in ("ink", "secondary_ink", "tertiary_ink", "action", "amber", "warning", "line"):
        assert contrast_ratio(colours[text], colours[paper]) >= 7, text


@pytest.mark.parametrize("tone", ["day", "night"])
@pytest.mark.parametrize("paper", ["page", "card", "recessed", "table"])
def test_focus_frame_contrasts_with_every_background(tone: str, paper: str) -> None:
    for looks in (palette.INTERFACE_COLOURS, palette.HIGH_CONTRAST_COLOURS):
        assert contrast_ratio(looks[tone]["action"], looks[tone][paper]) >= 3


def test_marbles_stand_out_from_the_board() -> None:
    assert contrast_ratio(palette.MARBLE_COLOURS[0], palette.BOARD_COLOURS["keyaki"]) > 3.4
    assert contrast_ratio(palette.MARBLE_COLOURS[1], palette.BOARD_COLOURS["keyaki"]) > 3.4
    assert contrast_ratio(palette.MARK_COLOURS["legal"], palette.BOARD_COLOURS["keyaki"]) > 3.4


def test_theme_presets_choose_board_signs_and_tone() -> None:
    assert make_theme().board == "keyaki"
    clear = make_theme("night", "clear")
    assert (clear.board, clear.signs, clear.tone) == ("slate", "strong", "night")
    assert clear.marble_colour(2) == "#E0662F"
    assert make_theme(board="kuro").board == "kuro"
    assert make_theme().marble_colour(-1) == palette.UNKNOWN_MARBLE_COLOUR


@pytest.mark.parametrize("names", [("noon",), ("day", "loud"), ("day", "standard", "glass")])
def test_unknown_theme_names_are_refused(names: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="no such theme"):
        make_theme(*names)


@pytest.mark.parametrize("tone", ["day", "night"])
@pytest.mark.parametrize("paper", ["page", "card", "recessed"])
def test_text_is_readable_on_every_background(tone: str, paper: str) -> None:
    colours = make_theme(tone).interface_colours
    for text in ("ink", "secondary_ink", "action", "amber", "warning"):
        assert contrast_ratio(colours[text], colours[paper]) >= 4.5, text
    # What is switched off needs to be found, not read.
    assert contrast_ratio(colours["tertiary_ink"], colours["page"]) >= 3.0


@pytest.mark.parametrize("tone", ["day", "night"])
def test_background_shades_are_distinguishable(tone: str) -> None:
    """Cards are lighter than pages by 5 or more, and pages lighter than recessed areas by 3.5 or more.

    In CIE L*, the measure used here, a difference of 1 between adjacent areas is just visible. In the day theme, cards
    and pages once differed by only 3.
    """
    colours = make_theme(tone).interface_colours
    card, page, sunk = (
        116 * palette.luminance(colours[use]) ** (1 / 3) - 16 for use in ("card", "page", "recessed")
    )
    assert card - page >= 5
    assert page - sunk >= 3.5


@pytest.mark.parametrize(
    "marble", sorted({*palette.MARBLE_COLOURS, *palette.CLEAR_MARBLE_COLOURS, palette.UNKNOWN_MARBLE_COLOUR})
)
def test_ink_on_a_marble_is_readable(marble: str) -> None:
    assert contrast_ratio(palette.contrasting_ink(marble), marble) >= 4.5


GROUNDS = {
    *palette.BOARD_COLOURS.values(),
    *palette.MARBLE_COLOURS,
    *palette.CLEAR_MARBLE_COLOURS,
    palette.UNKNOWN_MARBLE_COLOUR,
} | {make_theme(tone).table_colour for tone in ("day", "night")}


@pytest.mark.parametrize("mark", sorted(set(palette.MARK_COLOURS) - {"edge"}))
@pytest.mark.parametrize("ground", sorted(GROUNDS))
def test_every_mark_contrasts_with_every_background(mark: str, ground: str) -> None:
    """The light part or the dark edge of each mark contrasts with the background.

    The light part also contrasts with the edge.
    """
    light, edge = palette.MARK_COLOURS[mark], palette.MARK_COLOURS["edge"]
    assert max(contrast_ratio(light, ground), contrast_ratio(edge, ground)) >= 3.0
    assert contrast_ratio(light, edge) >= 4.5
