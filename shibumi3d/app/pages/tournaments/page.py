"""Page of one tournament: the matches of each round, the standings, and the actions on both."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d import files
from shibumi3d.catalogue.schema import CatalogueError
from shibumi3d.export.tournament_sheet import draw_tournament
from shibumi3d.i18n import _, localize, ngettext
from shibumi3d.match.match import Match
from shibumi3d.match.record import RecordError
from shibumi3d.match.special_moves import CLAIM, SWAP, can_claim_draw, can_swap
from shibumi3d.match.tournament import (
    BY_HAND,
    DRAW,
    WIN_FIRST,
    WIN_SECOND,
    Standing,
    Tournament,
    TournamentError,
    TournamentMatch,
    make_match,
)
from shibumi3d.match.tournament_store import load
from shibumi3d.rules.errors import GameFileError, IllegalMove, RuleFailure
from shibumi3d.rules.wording import capitalize_first, join_words
from shibumi3d.scene.pen import multiply_alpha
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY_TEXT_PX, CORNER_RADIUS_PX, SMALL_TEXT_PX, Style
from shibumi3d.search.arena import PlayedMatch
from shibumi3d.search.levels import PERSON
from shibumi3d.search.players import player
from shibumi3d.search.worker import Answer
from shibumi3d.wording import (
    describe_standing,
    describe_tournament_game,
    describe_tournament_match,
    standing_headings,
    tournament_round_title,
    tournament_rules,
)

from ...host.desktop import new_picture_path
from ...host.dialogs import ChoiceCard
from ...host.page import TITLE_BAR_HEIGHT_PX, Page
from ...host.tournaments import collect_results, match_record, tournament_store
from ...ui.button import Button, layout_row
from ...ui.canvas import Canvas
from ...ui.dropdown import Dropdown
from ...ui.label import Label
from ...ui.list_view import ActionList, ListView
from ...ui.panel import Card, centred_placement
from ...ui.prose import FormattedText
from ...ui.widget import Key

if TYPE_CHECKING:
    from ...host import Host

MATCH_ROW_PX, STANDING_ROW_PX = 52.0, 34.0
"""Heights of the rows of matches and of players, in logical pixels."""
MIN_TWO_COLUMN_WIDTH_PX = 940.0
MARGIN_PX, GAP_PX, CONTROL_ROW_PX = 16.0, 24.0, 42.0
NUMBER_WIDTH_PX, RANK_WIDTH_PX, WIDE_COLUMN_PX = 46.0, 28.0, 150.0
"""Widths of the columns for a number, for the rank, and for how far a player got in a knockout."""
MIN_NAME_WIDTH_PX = 110.0
"""Minimum width of the names; with less room, the columns of matches, wins, draws and losses are left out."""
ROW_END_PX = 8.0
"""Space after the last column of the standings."""
RULES_HEIGHT_PX = 118.0


class MatchList(ActionList):
    """List of the matches of a round, with buttons for actions such as *Play*.

    A click on the button in a row performs its action, and so do Enter and Space on the row. A click elsewhere selects
    the row.
    """

    def __init__(self, page: TournamentPage) -> None:
        super().__init__(
            MATCH_ROW_PX,
            self._paint_match,
            lambda row: page.update_buttons(),
            page.open_match,
            on_open=page.open_match,
            name="matches",
        )
        self.page = page

    def action_label(self, row: int) -> str:
        return self.page.action_label(self.page.shown_matches[row])

    def _paint_match(self, canvas: Canvas, style: Style, rect: Rect, row: int, is_hovered: bool) -> None:
        index = self.page.shown_matches[row]
        tournament = self.page.tournament
        match = tournament.matches[index]
        box = self.paint_row_background(canvas, style, rect, row, is_hovered)
        area = self.area_beside_action(canvas, row, box.inset(14, 3))
        who, result = describe_tournament_match(tournament, match)
        upper, lower = area.cut_top(area.h / 2)
        canvas.text_fit(upper, who, style.ink, "bold", BODY_TEXT_PX)
        canvas.text_fit(
            lower, result or self.page.describe_open(index), style.secondary_ink, "sans", SMALL_TEXT_PX
        )
        self.paint_action(canvas, style, row, is_main=not tournament.points_of(match))


class StandingList(ListView):
    """Standings table, in which a player can be selected."""

    def __init__(self, page: TournamentPage) -> None:
        super().__init__(
            STANDING_ROW_PX, page.paint_standing, lambda row: page.update_buttons(), name="standings"
        )
        self.page = page

    def describe_row(self, row: int, spell_keys: Callable[[str], str]) -> Sequence[str]:
        tournament, standing = self.page.tournament, self.page.standings[row]
        columns = zip(standing_headings(tournament), describe_standing(tournament, standing), strict=True)
        rank = [str(standing.rank)] if standing.rank else []
        return [
            *rank,
            tournament.players[standing.player].name,
            *(_("{who}: {did}", who=heading, did=text) if heading else text for heading, text in columns),
        ]


class ResultCard(Card):
    """Card for entering the result of a match that was played elsewhere."""

    WIDTH_PX, ROW_HEIGHT_PX = 420.0, 40.0

    def __init__(self, page: TournamentPage, index: int) -> None:
        super().__init__(_("Result"))
        match = page.tournament.matches[index]
        first, second = (page.tournament.players[number].name for number in match.players)
        options: list[tuple[str, tuple[float, ...], str]] = [
            (_("{name} wins", name=first), WIN_FIRST, "first wins"),
            (_("A draw"), DRAW, "drawn"),
            (_("{name} wins", name=second), WIN_SECOND, "second wins"),
        ]
        if match.points:
            options.append((_("Not decided yet"), (), "clear result"))
        self.rows = [
            Button(text, partial(page.enter_result, index, points), name=name)
            for text, points, name in options
        ]
        for button, (_text, points, _name) in zip(self.rows, options, strict=True):
            button.is_on = bool(points) and points == match.points
        self.cancel_button = Button(_("Cancel"), page.app.root.close_popup, kind="quiet", name="cancel")
        self.add(*self.rows, self.cancel_button)

    @property
    def height(self) -> float:
        return 74 + self.ROW_HEIGHT_PX * (len(self.rows) + 1) + 8

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        area = rect.inset(24, 16).cut_top(44, 4)[1]
        for button in (*self.rows, self.cancel_button):
            line, area = area.cut_top(self.ROW_HEIGHT_PX - 6, 6)
            button.layout(line)


class TournamentPage(Page):
    """Page that shows the rounds of a tournament beside its standings.

    Each change is saved immediately. The file is read again before each change, and whenever the page is shown or the
    window comes to the foreground, because another window may have changed it. While the page is shown, matches
    between computer players can also be played in the background.
    """

    page_name = "tournament"
    has_narrow_layout = True

    def __init__(self, app: Host, path: Path, tournament: Tournament) -> None:
        super().__init__(app)
        self.path, self.tournament = path, tournament
        self.store = tournament_store(app)
        self.shown_matches: list[int] = []
        """Indices of the matches of the round that is shown."""
        self.standings: list[Standing] = []
        self.playing: TournamentMatch | None = None
        """Match that computer players are playing in the background, or None."""
        self._has_record: dict[str, bool] = {}
        """Whether the file of a match could be read, by file name."""
        self.back_button = Button(
            _("Tournaments"), app.pages.show_tournaments, icon="back", kind="quiet", name="back"
        )
        self.export_button = Button(_("Export PDF"), self.export_pdf, kind="quiet", icon="export", name="pdf")
        self.round_choice = Dropdown(["1"], 0, lambda index: self._show_round(index + 1), name="round")
        self.round_choice.accessible_name = _("Round")
        self.note_label = Label("", size=SMALL_TEXT_PX, colour="secondary_ink", max_lines=2)
        self.match_list = MatchList(self)
        self.open_button = Button(
            "", lambda: self.open_match(self.match_list.current_row), kind="main", name="play"
        )
        self.result_button = Button(_("Enter result…"), self._open_result_card, name="enter result")
        self.background_button = Button("", self._toggle_background_play, name="play computers")
        self.next_round_button = Button(
            _("Start next round"), self._start_round, kind="main", name="start round"
        )
        self.standing_list = StandingList(self)
        self.withdraw_button = Button("", self._withdraw_or_return, name="withdraw")
        self.rules_text = FormattedText("", 14, name="how it is ranked", max_line_length=200)
        self.add(
            self.back_button,
            self.export_button,
            self.round_choice,
            self.note_label,
            self.match_list,
            self.open_button,
            self.result_button,
            self.background_button,
            self.next_round_button,
            self.standing_list,
            self.withdraw_button,
            self.rules_text,
        )
        self.round = tournament.current_round
        self._update()

    # State

    def _change(self, change: Callable[[Tournament], Tournament]) -> bool:
        """Change the tournament in its file; return whether that succeeded.

        If it didn't succeed, show why.

        Another window may have changed the file in the meantime, so ``change`` is called with the tournament that the
        file contains now, including the results of all matches that have ended.
        """
        try:
            self.tournament = self.store.update(
                self.path, lambda tournament: change(collect_results(self.app, tournament))
            )
        except TournamentError as problem:
            self.app.show_message(_("{text}.", text=capitalize_first(localize(problem))))
            with suppress(TournamentError):
                self.tournament = load(self.path)
        except OSError as problem:
            self.app.show_message(_("Couldn't save the tournament: {problem}.", problem=problem))
        else:
            self._update()
            return True
        self._update()
        return False

    def _change_match(self, match: TournamentMatch, **changes: object) -> bool:
        """Apply ``changes`` to the fields of a match and save the tournament; return whether that succeeded.

        On failure, show the reason. The call fails, for example, if the match has changed in the file since it was
        shown.
        """
        return self._change(lambda tournament: tournament.with_match(tournament.index_of(match), **changes))

    def _reload(self) -> None:
        """Read the tournament's file again, and add the results of matches that have ended in the meantime.

        If the tournament is now in another round, show that round.
        """
        before = self.tournament.current_round
        self._has_record.clear()
        if self._change(lambda tournament: tournament) and self.tournament.current_round != before:
            self._show_round(self.tournament.current_round)

    def on_foreground(self) -> None:
        self._reload()

    def on_leave(self) -> None:
        if self.playing is not None:
            self.app.solver.cancel()

    def _show_round(self, number: int) -> None:
        self.round = number
        self._update()

    def _update(self) -> None:
        tournament = self.tournament
        last = max((match.round for match in tournament.matches), default=1)
        self.round = min(self.round, last)
        self.round_choice.options = tuple(
            tournament_round_title(tournament, number) for number in range(1, last + 1)
        )
        self.round_choice.selected_index = self.round_choice.default_index = self.round - 1
        selected = self._selected_match()
        self.shown_matches = [
            index for index, match in enumerate(tournament.matches) if match.round == self.round
        ]
        if selected not in self.shown_matches:
            undecided = (i for i in self.shown_matches if not tournament.points_of(tournament.matches[i]))
            selected = next(undecided, self.shown_matches[0] if self.shown_matches else -1)
        row = self.shown_matches.index(selected) if selected in self.shown_matches else -1
        self.match_list.set_rows(len(self.shown_matches), row)
        row = self.standing_list.current_row
        chosen = self.standings[row].player if 0 <= row < len(self.standings) else -1
        self.standings = tournament.standings()
        standing = next((row for row, each in enumerate(self.standings) if each.player == chosen), 0)
        self.standing_list.set_rows(len(self.standings), standing)
        self.rules_text.set_markup("\n\n".join(tournament_rules(tournament)))
        self.note_label.set_caption(self._note())
        self.update_buttons()
        if self.rect.w:
            self.relayout()
        self.refresh()

    def _note(self) -> str:
        """Return the line above the matches.

        It says which game is played in the round, who has a bye, how many matches are left, and which match is being
        played in the background. Once the tournament is over, it names the winners instead.
        """
        tournament = self.tournament
        matches = tournament.round_matches(self.round)
        form = tournament.game_of(matches[0])
        parts = [describe_tournament_game(form, self.app.catalogue.find(form.game))]
        resting = [tournament.players[number].name for number in tournament.resting_players(self.round)]
        parts += [_("{name} has a bye", name=name) for name in resting]
        left = sum(not tournament.points_of(match) for match in matches)
        parts.append(ngettext("{n} match left", "{n} matches left", left) if left else _("complete"))
        if self.playing is not None:
            who = describe_tournament_match(tournament, self.playing)[0]
            parts.append(_("{who}: being played in the background…", who=who))
        elif tournament.is_over:
            winners = [tournament.players[row.player].name for row in self.standings if row.rank == 1]
            parts = [
                ngettext(
                    "{names} wins the tournament.",
                    "{names} share first place.",
                    len(winners),
                    names=join_words(winners, _("and")),
                )
            ]
        return " · ".join(parts)

    def _selected_match(self) -> int:
        """Return the index of the selected match, or -1 if none is selected."""
        row = self.match_list.current_row
        return self.shown_matches[row] if 0 <= row < len(self.shown_matches) else -1

    def update_buttons(self) -> None:
        """Update all buttons to suit the selected match, the selected player and the state of the tournament."""
        tournament, selected = self.tournament, self._selected_match()
        label = self.action_label(selected) if selected >= 0 else ""
        self.open_button.visible, self.open_button.label = bool(label), label
        self.result_button.visible = selected >= 0 and tournament.can_change(selected)
        open_computers = self._open_computer_matches()
        self.background_button.visible = bool(open_computers) or self.playing is not None
        self.background_button.label = (
            _("Stop")
            if self.playing is not None
            else ngettext(
                "Run {n} computer match in the background",
                "Run {n} computer matches in the background",
                len(open_computers),
            )
        )
        self.next_round_button.visible = tournament.can_start_round
        row = self.standing_list.current_row
        self.withdraw_button.visible = not tournament.is_over and 0 <= row < len(self.standings)
        if self.withdraw_button.visible:
            chosen = tournament.players[self.standings[row].player]
            self.withdraw_button.label = (
                _("Reinstate {name}", name=chosen.name)
                if chosen.has_withdrawn
                else _("Withdraw {name}", name=chosen.name)
            )
        if self.rect.w:
            self._layout_buttons()
        self.refresh()

    # Matches

    def _is_saved(self, match: TournamentMatch) -> bool:
        """Return whether a match has begun and its file can be read."""
        if match.file not in self._has_record:
            self._has_record[match.file] = match_record(self.app, match.file) is not None
        return self._has_record[match.file]

    def action_label(self, index: int) -> str:
        """Return what can be done next with a match: *Play*, *Continue* or *Replay*, or "" if nothing can be done."""
        match = self.tournament.matches[index]
        if len(match.players) < 2 or match == self.playing:
            return ""
        saved = self._is_saved(match)
        if self.tournament.points_of(match):
            return _("Replay") if saved else ""
        return _("Continue") if saved else _("Play")

    def describe_open(self, index: int) -> str:
        """Return a description of the state of an undecided match."""
        match = self.tournament.matches[index]
        if match == self.playing:
            return _("being played in the background…")
        if self._is_saved(match):
            return _("in progress")
        first = self.tournament.players[match.players[0]].name
        return _("{name} goes first", name=first)

    def open_match(self, row: int) -> None:
        """Play, continue or replay the match in the given row of the list.

        A match that hasn't begun is saved first. If the match can't be opened or is being played in another window, a
        message says so. Does nothing if the row has no action or doesn't exist.
        """
        if not 0 <= row < len(self.shown_matches):
            return
        index = self.shown_matches[row]
        match = self.tournament.matches[index]
        if not self.action_label(index):
            return
        if self.tournament.points_of(match):
            self._replay(match)
            return
        if match.file:
            path = self.app.store.folder / match.file
            if not self.app.store.claim(path):
                self.app.show_message(_("This match is being played in another window."))
                return
            self.app.store.release(path)
            if self._is_saved(match):
                self.app.matches.open_file(path)
                return
        planned = self._make_match(index)
        if planned is None:
            return
        try:
            path = self.app.store.save_new(planned, datetime.now())
        except OSError as problem:
            self.app.show_message(_("Couldn't save the game: {problem}.", problem=problem))
            return
        if self._change_match(match, file=path.name):
            self.app.matches.play(planned, self.app.catalogue.get(planned.game.id), path)
        else:
            self.app.store.release(path)

    def _make_match(self, index: int) -> Match | None:
        """Return a new match for ``tournament.matches[index]``; if it can't be started, show why and return None."""
        form = self.tournament.game_of(self.tournament.matches[index])
        try:
            entry = self.app.catalogue.get(form.game)
            return make_match(self.tournament, index, entry, random.randrange(1_000_000))
        except (CatalogueError, GameFileError, RuleFailure, ValueError) as problem:
            self.app.show_message(_("Couldn't start this game: {problem}.", problem=problem))
            return None

    def _replay(self, match: TournamentMatch) -> None:
        try:
            text = files.read_text(self.app.store.folder / match.file, 1 << 20)
            played, entry = self.app.matches.parse_match(text)
        except (RecordError, CatalogueError, GameFileError, OSError, ValueError) as problem:
            self.app.show_message(_("Couldn't open this game: {problem}.", problem=problem))
            return
        self.app.pages.show_replay(played, entry, self)

    def on_show(self) -> None:
        self._reload()

    # Results

    def _open_result_card(self) -> None:
        index = self._selected_match()
        if index >= 0 and self.tournament.can_change(index):
            card = ResultCard(self, index)
            self.app.root.open_popup(card, centred_placement(card.WIDTH_PX, card.height), focus=card.rows[0])

    def enter_result(self, index: int, points: tuple[float, ...]) -> None:
        """Enter the result of a match that was played elsewhere, and close the result card.

        If ``points`` is empty, any result of the match is removed. In that case, if the saved match is finished, the
        tournament also stops referring to its file.
        """
        self.app.root.close_popup()
        match = self.tournament.matches[index]
        file = match.file
        record = match_record(self.app, file)
        if not points and record is not None and record.result is not None:
            file = ""  # otherwise the result of the saved match would be collected again
        self._change_match(match, points=points, decided_by=BY_HAND if points else "", file=file)

    def _start_round(self) -> None:
        if self._change(
            lambda tournament: tournament.start_round() if tournament.can_start_round else tournament
        ):
            self._show_round(self.tournament.current_round)

    def _withdraw_or_return(self) -> None:
        """Reinstate the selected player if they have withdrawn; otherwise, withdraw them after a confirmation."""
        row = self.standing_list.current_row
        if not 0 <= row < len(self.standings):
            return
        number = self.standings[row].player
        chosen = self.tournament.players[number]

        def change() -> None:
            self._change(lambda tournament: tournament.with_withdrawal(number, not chosen.has_withdrawn))

        if chosen.has_withdrawn:
            change()
            return
        card = ChoiceCard(
            self.app,
            self._describe_withdrawal(number),
            (_("Withdraw {name}", name=chosen.name), change),
            (_("Cancel"), lambda: None),
        )
        self.app.root.open_popup(card, card.place, focus=card.continue_button)

    def _describe_withdrawal(self, number: int) -> str:
        """Return a text that says what happens if a player withdraws now, and whether the withdrawal can be undone."""
        before = self.tournament
        after = before.with_withdrawal(number, True)
        name = before.players[number].name
        open_matches = sum(
            number in match.players and not before.points_of(match) for match in before.matches
        )
        if number in after.left_out_players():
            effect = _(
                "If {name} withdraws now, before playing half of their matches, none of {name}'s matches will count.",
                name=name,
            )
        elif open_matches:
            effect = ngettext(
                "If {name} withdraws, the unfinished match counts as a win for the opponent.",
                "If {name} withdraws, the {n} unfinished matches count as wins for the opponents.",
                open_matches,
                name=name,
            )
        else:
            effect = _("If {name} withdraws, the tournament goes on without this player.", name=name)
        if after.is_over:
            undo = _("Withdrawing {name} ends the tournament and can't be undone.", name=name)
            return f"{effect} {undo}" if open_matches else undo
        undo = (
            _("You can undo this until the tournament is over.")
            if before.is_round_robin
            else _("You can undo this until the next round starts.")
        )
        return f"{effect} {undo}"

    # Matches between computers

    def _open_computer_matches(self) -> list[int]:
        """Return the indices of the unstarted matches between computer players in the round shown."""
        tournament = self.tournament
        return [
            index
            for index in self.shown_matches
            if len((match := tournament.matches[index]).players) == 2
            and not tournament.points_of(match)
            and not self._is_saved(match)
            and all(tournament.players[number].player_type != PERSON for number in match.players)
        ]

    def _toggle_background_play(self) -> None:
        if self.playing is not None:
            self.app.solver.cancel()
            self._set_playing(None)
        else:
            self._play_next_in_background()

    def _set_playing(self, match: TournamentMatch | None) -> None:
        self.playing = match
        self._update()

    def _play_next_in_background(self) -> None:
        """Start the next match between computer players in the worker process.

        If the round shown has no such match left, or the next one can't be started, background play stops.
        """
        waiting = self._open_computer_matches()
        match = self._make_match(waiting[0]) if waiting else None
        if match is None:
            self._set_playing(None)
            return
        planned = self.tournament.matches[waiting[0]]
        self._set_playing(planned)
        self.app.solver.submit(
            partial(self._finish_background_match, planned, match),
            "arena.continue_match",
            match.game,
            [player(kind) for kind in match.player_types],
            match.initial_state,
            (),
            match.seed,
            None,
            has_swap_rule=match.has_swap_rule,
        )

    def _finish_background_match(self, planned: TournamentMatch, match: Match, answer: Answer) -> None:
        """Play the computer players' moves in ``match``, save the match, and add it to the tournament.

        ``planned`` is the corresponding match of the tournament. ``answer`` contains the moves or an error. A match
        that hasn't ended after these moves counts as drawn. Afterwards, the next match is started if the page is still
        shown.

        If something goes wrong, the error is shown, and no further match is started. If the saved match can't be added
        to the tournament, for example because another window has played it in the meantime, its file is deleted again.
        """
        played = answer.value
        self.playing = None
        if not isinstance(played, PlayedMatch):
            self._update()
            self.app.show_message(_("{text}.", text=capitalize_first(localize(answer.error or ""))))
            return
        try:
            for move in played.moves:
                if played.is_swapped and can_swap(match):
                    match.play(SWAP)
                match.play(move)
            if match.state.to_move is not None and can_claim_draw(match):
                match.play(CLAIM)
            path = self.app.store.save_new(match, datetime.now())
            try:
                match.record().save(path)
            finally:
                self.app.store.release(path)
        except (IllegalMove, RuleFailure, RecordError, OSError) as problem:
            self._update()
            self.app.show_message(_("Couldn't save the game: {problem}.", problem=problem))
            return

        def enter(tournament: Tournament) -> Tournament:
            # A match that never ends counts as drawn.
            is_abandoned = match.state.to_move is not None
            points = DRAW if is_abandoned else ()
            index = tournament.index_of(planned)
            return collect_results(self.app, tournament.with_match(index, file=path.name, points=points))

        if not self._change(enter):
            with suppress(OSError):
                self.app.store.delete(path, datetime.now())
        elif self.is_current:
            self._play_next_in_background()

    # Export

    def export_pdf(self) -> None:
        """Save the tournament as a PDF file in the pictures folder; show the file's path, or why saving failed."""
        titles = [
            describe_tournament_game(game, self.app.catalogue.find(game.game))
            for game in self.tournament.games
        ]
        folder = self.app.services.pictures_folder
        try:
            path = new_picture_path(folder, self.tournament.name, "pdf")
            files.write(path, draw_tournament(self.tournament, titles, date.today()))
        except OSError as problem:
            self.app.show_message(_("Export failed: {problem}.", problem=problem))
            return
        card = ChoiceCard(
            self.app,
            _("Saved to {path}.", path=path),
            (_("Close"), lambda: None),
            (_("Open folder"), lambda: self._open_folder(folder)),
        )
        self.app.root.open_popup(card, card.place, focus=card.continue_button)

    def _open_folder(self, folder: Path) -> None:
        if not self.app.services.open_folder(folder):
            self.app.show_message(_("No file manager was found."))

    # Layout and drawing

    def heading(self) -> str:
        return self.tournament.name

    def rebuild(self) -> TournamentPage:
        return TournamentPage(self.app, self.path, self.tournament)

    @property
    def _left_height(self) -> float:
        rows = max(1, len(self.shown_matches))
        return CONTROL_ROW_PX + 44 + MATCH_ROW_PX * min(rows, 8) + 2 * CONTROL_ROW_PX

    @property
    def _right_height(self) -> float:
        return 60 + STANDING_ROW_PX * len(self.standings) + CONTROL_ROW_PX + RULES_HEIGHT_PX

    def min_size_for(self, window_width: float) -> tuple[float, float]:
        if window_width >= MIN_TWO_COLUMN_WIDTH_PX:
            needed = max(self._left_height, self._right_height)
        else:
            needed = self._left_height + self._right_height + GAP_PX
        return self.min_size_around(window_width, needed + 2 * MARGIN_PX)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas = self.app.canvas
        canvas.scale = self.app.scale
        top, rest = self.layout_title_bar(rect, self.back_button)
        self.back_button.layout(Rect(top.x + 12, top.cy - 16, self.back_button.preferred_width(canvas), 32))
        wide = self.export_button.preferred_width(canvas)
        self.export_button.layout(Rect(top.right - 16 - wide, top.cy - 16, wide, 32))
        if not self.is_narrow:
            left, right = self.back_button.rect.right + 8, self.export_button.rect.x - 8
            self.title_rect = Rect(left, top.y, right - left, top.h)
        rest = rest.inset(MARGIN_PX)
        if rect.w >= MIN_TWO_COLUMN_WIDTH_PX:
            rest = rest.centred(min(rest.w, 1320), rest.h)
            left_column, right_column = rest.cut_left((rest.w - GAP_PX) * 0.52, GAP_PX)
        else:
            left_column, right_column = rest.cut_top(self._left_height, GAP_PX)
        line, left_column = left_column.cut_top(CONTROL_ROW_PX - 10, 6)
        self.round_choice.layout(line.cut_left(min(line.w, 220))[0])
        line, left_column = left_column.cut_top(38, 4)
        self.note_label.layout(line)
        high = min(self.match_list.content_height, left_column.h - 2 * CONTROL_ROW_PX - 4)
        table, left_column = left_column.cut_top(high, 14)
        self.match_list.layout(table)
        self._buttons_rect = left_column.cut_top(2 * CONTROL_ROW_PX - 10)[0]
        self._standings_rect = right_column
        area = right_column.inset(14, 10)
        self._header_rect, area = area.cut_top(30, 4)
        high = min(STANDING_ROW_PX * len(self.standings), area.h - CONTROL_ROW_PX - RULES_HEIGHT_PX + 20)
        table, area = area.cut_top(high, 8)
        self.standing_list.layout(table)
        self._withdraw_rect, area = area.cut_top(32, 8)
        self.rules_text.layout(Rect(area.x, area.y, area.w, area.h))
        self._layout_buttons()

    _buttons_rect = _withdraw_rect = _header_rect = _standings_rect = Rect()

    def _layout_buttons(self) -> None:
        canvas = self.app.canvas
        canvas.scale = self.app.scale
        upper, lower = self._buttons_rect.cut_top(32, 8)
        layout_row(upper, (self.open_button, self.result_button), canvas, 8)
        layout_row(lower, (self.next_round_button, self.background_button), canvas, 8)
        layout_row(self._withdraw_rect, (self.withdraw_button,), canvas, 8)

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.rect(self.rect, style.page)
        canvas.hairline(self.rect.x, TITLE_BAR_HEIGHT_PX - 1, self.rect.w, style.hairline)
        size = canvas.fit_font_size(self.heading(), "title", range(22, 15, -1), self.title_rect.w)
        canvas.text_in(self.title_rect, self.heading(), style.ink, "title", size, 0.5)
        canvas.rect(self._standings_rect, style.card, CORNER_RADIUS_PX)
        canvas.outline(self._standings_rect, style.hairline, CORNER_RADIUS_PX)
        row = self._header_rect
        canvas.text_in(row, _("Standings"), style.ink, "title", 18)
        headings = standing_headings(self.tournament)
        for place, text in zip(self._columns(row), self._shown_columns(row, headings), strict=True):
            canvas.text_fit(place, text, style.secondary_ink, "sans", SMALL_TEXT_PX - 1, 1)
        canvas.hairline(row.x, row.bottom, row.w, style.hairline)

    def _shown_columns(self, row: Rect, columns: Sequence[str]) -> Sequence[str]:
        """Return ``columns`` without those for which there is too little room.

        The first four (matches, wins, draws and losses) are left out if the names would otherwise get too little room.
        In a knockout, which has other columns, all are shown.
        """
        needed = MIN_NAME_WIDTH_PX + RANK_WIDTH_PX + NUMBER_WIDTH_PX * len(columns) + ROW_END_PX
        return columns[4:] if len(columns) > 4 and needed > row.w else columns

    def _columns(self, row: Rect) -> list[Rect]:
        headings = standing_headings(self.tournament)
        shown = self._shown_columns(row, headings)
        widths = [NUMBER_WIDTH_PX if heading else WIDE_COLUMN_PX for heading in shown]
        x = row.right - ROW_END_PX - sum(widths)
        places = []
        for width in widths:
            places.append(Rect(x + 4, row.y, width - 4, row.h))
            x += width
        return places

    def paint_standing(self, canvas: Canvas, style: Style, rect: Rect, row: int, is_hovered: bool) -> None:
        """Paint a row of the standings."""
        standing = self.standings[row]
        chosen = self.tournament.players[standing.player]
        if row == self.standing_list.current_row:
            canvas.rect(rect.inset(0, 1), style.recessed, CORNER_RADIUS_PX)
        elif is_hovered:
            canvas.rect(rect.inset(0, 1), style.hover, CORNER_RADIUS_PX)
        canvas.hairline(rect.x, rect.bottom - 1, rect.w, multiply_alpha(style.hairline, 0.6))
        columns = describe_standing(self.tournament, standing)
        places = self._columns(rect)
        rank, rest = rect.cut_left(RANK_WIDTH_PX)
        canvas.text_in(rank, str(standing.rank or "–"), style.secondary_ink, "sans", SMALL_TEXT_PX, 0.5)
        name = _("{name} (withdrew)", name=chosen.name) if chosen.has_withdrawn else chosen.name
        ink = style.secondary_ink if chosen.has_withdrawn else style.ink
        canvas.text_fit(
            Rect(rest.x, rest.y, places[0].x - 6 - rest.x, rest.h), name, ink, "bold", BODY_TEXT_PX
        )
        is_points = 4 if len(columns) > 4 else 0
        for index, (place, text) in enumerate(
            zip(places, self._shown_columns(rect, columns), strict=True), len(columns) - len(places)
        ):
            face = "bold" if index == is_points else "sans"
            canvas.text_fit(place, text, style.ink, face, BODY_TEXT_PX - 1, 1)

    def on_key(self, key: Key) -> bool:
        if key.chord == "escape":
            self.app.pages.show_tournaments()
            return True
        return self.match_list.on_key(key)

    def trace_values(self) -> Mapping[str, object]:
        return {"round": self.round, "matches": len(self.shown_matches)}
