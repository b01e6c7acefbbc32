"""Widgets for choosing the size, the variant and the options of a game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from shibumi3d.i18n import _, localize_texts
from shibumi3d.match.special_moves import allows_swap_rule
from shibumi3d.rules.game import Option
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.wording import game_title, variant_title

from ..ui.choice import Choice
from ..ui.dropdown import Dropdown
from ..ui.widget import Widget
from . import Host
from .match_settings_card import SettingsCard, swap_rule_row
from .match_setup import MatchSetupForm

MAX_VARIANT_BUTTONS = 6
"""Maximum number of variants, including the standard one, shown as buttons rather than in a drop-down list."""


def form_rows(setup: MatchSetupForm, on_change: Callable[[str], None]) -> list[tuple[str, Widget]]:
    """Return the labels and the widgets for the size, the variant and the options of the selected game.

    When another size or variant is chosen, ``on_change`` is called with the name of the widget, because some settings
    may then no longer be available.
    """
    entry = setup.entry
    assert entry is not None
    rows: list[tuple[str, Widget]] = []
    if len(sizes := setup.sizes()) > 1:

        def set_size(index: int) -> None:
            setup.size = sizes[index]
            on_change("size")

        rows.append(
            (_("Size"), Choice([str(n) for n in sizes], sizes.index(setup.size), set_size, name="size"))
        )
    if entry.variants:
        variants = ("", *entry.variants)
        names = [
            _("standard"),
            *(variant_title(entry, name) for name in entry.variants),
        ]

        def set_variant(index: int) -> None:
            setup.select_variant(variants[index])
            on_change("variant")

        chooser = Choice if len(names) <= MAX_VARIANT_BUTTONS else Dropdown
        rows.append(
            (_("Variant"), chooser(names, variants.index(setup.variant), set_variant, name="variant"))
        )
    for option in entry.options:

        def choose(index: int, option: Option = option) -> None:
            setup.options[option.name] = option.values[index]

        value = setup.options.get(option.name, option.default_for(setup.seats))
        texts = [str(each) for each in option.values]
        rows.append(
            (
                capitalize_first(localize_texts(option.label)),
                Choice(texts, option.values.index(value), choose, name=option.name),
            )
        )
    return rows


def repetition_row(setup: MatchSetupForm) -> tuple[str, Widget]:
    """Return the label and the widget for choosing whether a draw may be claimed when a position is repeated."""

    def set_claims(index: int) -> None:
        setup.allows_repetition_claims = not index

    options = [_("draw can be claimed"), _("play on")]
    return _("Repetition"), Choice(
        options, int(not setup.allows_repetition_claims), set_claims, name="repeats"
    )


def agreed_rows(setup: MatchSetupForm, on_change: Callable[[str], None]) -> list[tuple[str, Widget]]:
    """Return the rows of :func:`form_rows` and, if they apply, those for repetition and the swap rule."""
    rows = form_rows(setup, on_change)
    if setup.can_forbid_claims():
        rows.append(repetition_row(setup))
    facts = setup.facts()
    if facts is not None and allows_swap_rule(facts, setup.seats):
        settings = setup.match_settings

        def set_swap_rule(is_on: bool) -> None:
            settings.chosen_settings = replace(settings.chosen_settings, swap_rule=is_on)

        rows.append(swap_rule_row(settings.chosen_settings.swap_rule, setup.recommends_swap(), set_swap_rule))
    return rows


class GameFormCard(SettingsCard):
    """Card for choosing the form of a game: size, variant, options, repetition rule and swap rule.

    ``on_change`` is called when the card closes.
    """

    WIDTH_PX = 560.0

    def __init__(self, app: Host, setup: MatchSetupForm, on_change: Callable[[], None]) -> None:
        assert setup.entry is not None
        super().__init__(game_title(setup.entry), app)
        self.setup, self.on_change = setup, on_change
        self.rows = agreed_rows(setup, self._reopen)
        self.add_rows()

    def on_close(self) -> None:
        self.on_change()

    def _reopen(self, name: str) -> None:
        """Replace the card with one that shows the settings now available, and focus the widget called ``name``."""
        self.app.root.close_popup()
        card = GameFormCard(self.app, self.setup, self.on_change)
        card.open(next(widget for _label, widget in card.rows if widget.name == name))
