"""The selected game and the settings for the next match, and how these settings are saved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from shibumi3d.catalogue.schema import SWAP_RULE, CatalogueError, Entry
from shibumi3d.i18n import _, localize
from shibumi3d.match.marbles import marble_state
from shibumi3d.rules.errors import GameFileError, RuleFailure
from shibumi3d.rules.game import Facts, Game
from shibumi3d.rules.marbles.colours import COLOUR_LETTERS
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.search.levels import PERSON, is_adaptive

from .match_settings import DEFAULT_MATCH_SETTINGS, MatchSettings
from .match_settings_card import MatchSettingsChoice
from .player_setup import default_opponent_type, human_names, resolve_adaptive
from .settings import merge_changes

if TYPE_CHECKING:
    from . import Host


SavedSetup = Mapping[str, int | str]
"""Saved choices by name: number of players, size, variant, options of the game, and match settings.

The names of match settings, which don't belong to the rules, start with a dot, e.g. ``.clock``.
"""


@dataclass(frozen=True)
class MatchSetup:
    """The user's choices for a new match."""

    seats: int
    size: int
    variant: str
    options: SavedSetup
    settings: MatchSettings = DEFAULT_MATCH_SETTINGS

    @classmethod
    def from_saved(cls, entry: Entry, saved: SavedSetup) -> MatchSetup:
        """Return the setup in ``saved``, adapted to what the game allows now.

        A missing or invalid size or variant is replaced by the default. Missing or invalid options are left out. A
        missing or invalid number of players is replaced by two. The number of players is limited to the range that the
        game allows. Whether it allows the match settings isn't checked.
        """
        min_players, max_players = entry.players
        saved_players = saved.get("players")
        player_count = saved_players if isinstance(saved_players, int) else 2
        variant = next((name for name in entry.variants if name == saved.get("variant")), "")
        form = form_of(entry, variant)
        return cls(
            seats=max(min_players, min(max_players, player_count)),
            size=next((size for size in form.sizes if size == saved.get("size")), form.size),
            variant=variant,
            options={
                option.name: saved[option.name]
                for option in entry.options
                if saved.get(option.name) in option.values
            },
            settings=MatchSettings.from_saved(
                saved.get(".clock"),
                saved.get(".lot"),
                saved.get(".swap", SWAP_RULE in form.recommended),
                saved.get(".handicap"),
            ),
        )

    def to_saved(self, entry: Entry, before: SavedSetup) -> SavedSetup:
        """Return this setup in the form in which it is saved.

        ``before`` holds the choices saved so far; any that this version of the program doesn't recognize are preserved.
        """
        understood = MatchSetup.from_saved(entry, before)._values(entry)
        merged: SavedSetup = merge_changes(before, understood, self._values(entry))
        return merged

    def _values(self, entry: Entry) -> SavedSetup:
        recommends_swap = SWAP_RULE in form_of(entry, self.variant).recommended
        saved = self.settings.to_saved(recommends_swap=recommends_swap)
        # The name of an option in a game file never starts with a dot.
        settings = {f".{name}": value for name, value in saved.items()}
        return {**settings, **self.options, "players": self.seats, "size": self.size, "variant": self.variant}


def form_of(entry: Entry, variant: str) -> Entry:
    """Return the entry for a variant of a game, or ``entry`` itself if the variant doesn't exist or has errors."""
    try:
        return entry.with_variant(variant)
    except (CatalogueError, GameFileError):
        return entry


class MatchSetupForm:
    """Model of the selected game and the settings for the next match; it contains no widgets."""

    def __init__(self, app: Host) -> None:
        self.app = app
        self.entry: Entry | None = None
        self.seats = 2
        self.names = human_names(app.settings.names, 10)
        self.player_types = [PERSON] * len(self.names)
        self.size = 4
        self.variant = ""
        self.options: dict[str, int | str] = {}
        self.wants_winnable_deal = False
        """Whether the match must begin with a winnable deal."""
        self.allows_repetition_claims = True
        """Whether a draw may be claimed on the third occurrence of a position."""
        self.match_settings = MatchSettingsChoice()
        self.hand_name = ""
        self.hand_counts: tuple[int, ...] = ()
        self.default_counts: tuple[int, ...] = ()
        self._cached_warning: tuple[object, str] = ((), "")
        self._cached_game: tuple[object, tuple[object, ...], Game | None] = (None, (), None)

    def select_game(self, entry: Entry) -> None:
        """Select a game and restore the settings last used for it.

        The choices about repeated positions and winnable deals get their defaults, because they aren't saved.
        """
        self.entry = entry
        last = MatchSetup.from_saved(entry, self.app.settings.setups.get(entry.id, {}))
        self.seats, self.size, self.variant = last.seats, last.size, last.variant
        self.options, self.allows_repetition_claims, self.wants_winnable_deal = (
            dict(last.options),
            True,
            False,
        )
        self.match_settings.chosen_settings = last.settings
        stored_types = self.app.settings.seats.get(entry.id, ())[: len(self.names)]
        self.player_types = [
            *stored_types,
            *self._default_player_types(len(self.names) - len(stored_types), bool(stored_types)),
        ]

    def select_variant(self, variant: str) -> None:
        """Select a variant.

        If the variant can't be played on a board of the selected size, the variant's default size is selected. If the
        variant's recommendations differ from those of the previous variant, the swap rule is switched on or off
        accordingly.
        """
        assert self.entry is not None
        before, form = form_of(self.entry, self.variant), form_of(self.entry, variant)
        self.variant = variant
        if self.size not in form.sizes:
            self.size = form.size
        if form.recommended != before.recommended:
            settings = self.match_settings
            settings.chosen_settings = replace(
                settings.chosen_settings, swap_rule=SWAP_RULE in form.recommended
            )

    def sizes(self) -> list[int]:
        """Return the board sizes on which the selected variant is played, in ascending order.

        The list is empty if no game is selected.
        """
        return sorted(form_of(self.entry, self.variant).sizes) if self.entry is not None else []

    def recommends_swap(self) -> bool:
        """Return whether the selected variant recommends the swap rule."""
        return self.entry is not None and SWAP_RULE in form_of(self.entry, self.variant).recommended

    def game(self) -> Game | None:
        """Return the game in the selected size and variant, or None if it can't be played.

        The options other than size and variant have their default values. The game can't be played if its rules are
        invalid or don't allow the selected number of players. The result is cached.
        """
        assert self.entry is not None
        form = (self.size, self.variant, self.seats)
        if self._cached_game[0] is not self.entry or self._cached_game[1] != form:
            game: Game | None
            try:
                game = self.entry.game(size=self.size, variant=self.variant)
                game.facts(self.seats)
            except (GameFileError, CatalogueError, ValueError):
                game = None
            self._cached_game = (self.entry, form, game)
        return self._cached_game[2]

    def facts(self) -> Facts | None:
        """Return the facts about the game for the selected number of seats, or None if :meth:`game` returns None."""
        game = self.game()
        return game.facts(self.seats) if game is not None else None

    def can_want_winnable_deal(self) -> bool:
        """Return whether the user may request a winnable deal.

        This is possible if the deal is random, there are no opponents, and the aim is a win rather than a score.
        """
        facts = self.facts()
        return facts is not None and bool(facts.dealable_names) and facts.solver == "win"

    def can_forbid_claims(self) -> bool:
        """Return whether the user can rule out draw claims for repeated positions.

        This is possible if players could make such claims: positions can repeat, there are several players, nothing is
        secret, and the match is a single game.
        """
        facts = self.facts()
        may_claim = facts is not None and facts.positions_may_repeat and self.seats > 1
        return may_claim and facts is not None and not (facts.has_secrets or facts.is_series)

    def update_hand(self) -> None:
        """Reset the hand whose contents a solo player can choose.

        The hand gets its standard contents. If there is no such hand, :attr:`hand_name` and :attr:`hand_counts` become
        empty.
        """
        facts = self.facts()
        self.hand_name, self.hand_counts = facts.choosable_hand if facts is not None else ("", ())
        self.default_counts = self.hand_counts

    def deal(self) -> dict[str, str] | None:
        """Return the chosen hand as a deal, or None if it is standard or the game has no hand to choose."""
        if not self.hand_name or self.hand_counts == self.default_counts:
            return None
        return {
            self.hand_name: "".join(
                letter * n for letter, n in zip(COLOUR_LETTERS, self.hand_counts, strict=False)
            )
        }

    def warning(self) -> str:
        """Return a warning if the chosen hand is invalid or makes a win impossible; otherwise an empty string."""
        if not self.hand_name or self.entry is None:
            return ""
        if self._cached_warning[0] != (self.entry.id, self.size, self.variant, self.hand_counts):
            try:
                game = self.entry.game(size=self.size, variant=self.variant)
                state = game.start(self.seats, 0, self.deal())
                text = (
                    _("You can't win with these marbles.") if marble_state(state).is_solvable is False else ""
                )
            except (ValueError, RuleFailure) as problem:
                text = _("{text}.", text=capitalize_first(localize(problem)))
            self._cached_warning = ((self.entry.id, self.size, self.variant, self.hand_counts), text)
        return self._cached_warning[1]

    def _default_player_types(self, count: int, has_stored_types: bool) -> list[str]:
        """Return player types for ``count`` seats that have no stored type.

        In a game without opponents, all are people. Otherwise, they are opponents of the default type, except that the
        first one is a person if no seat has a stored type.
        """
        assert self.entry is not None
        if not count:
            return []
        if self._is_cooperative():
            return [PERSON] * count
        opponent_type = default_opponent_type(self.app.settings.seats, self.app.settings.played)
        return [opponent_type] * count if has_stored_types else [PERSON, *[opponent_type] * (count - 1)]

    def _is_cooperative(self) -> bool:
        """Return whether the game is played by a single player or a team, without opponents."""
        facts = self.facts()
        return facts is not None and facts.solver != ""

    def adaptive_level(self) -> str:
        """Return the adaptive player type with its current level, or "" if no seat has that type."""
        assert self.entry is not None
        if not any(map(is_adaptive, self.player_types[: self.seats])):
            return ""
        matches = self.app.results.matches(self.entry.id)
        settled_ = resolve_adaptive(self.player_types[: self.seats], self.names, matches)
        return next(filter(is_adaptive, settled_))
