"""A match: history, undo and redo, and records that replay exactly."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue as catalogue
from shibumi3d.i18n import LANGUAGES
from shibumi3d.match import record
from shibumi3d.match.match import FORMER_REASONS, Match, reason_message
from shibumi3d.match.record import RecordError, parse
from shibumi3d.match.special_moves import CLAIM, SPECIAL_MOVES, can_claim_draw
from shibumi3d.rules.errors import IllegalMove
from shibumi3d.rules.game import Position
from shibumi3d.rules.marbles.event import Lifted, Moved, Placed
from shibumi3d.rules.marbles.game import MarbleGame
from shibumi3d.rules.marbles.language.verbs.control_flow import RESERVED_LABELS
from tests.share import everything

LINE = ["W@Aa1", "B@Aa2", "W@Ab1", "B@Ab2", "W@Ac1", "B@Ac2", "W@Ad1"]

FORMS = [
    pytest.param(entry.id, variant, id=f"{entry.id}-{variant}" if variant else entry.id)
    for entry in catalogue()
    for variant in ("", *entry.variants)
]


def game(name: str = "spline", **options: object) -> MarbleGame:
    return catalogue().get(name).game(**options)  # type: ignore[arg-type]


def play_moves(moves: list[str], name: str = "spline") -> Match:
    match = Match(game(name), ["Ann", "Ben"], 7)
    for move in moves:
        match.play(move)
    return match


def play_at_random(name: str, seed: int, *, variant: str = "", most: int = 200) -> Match:
    chance = Random(seed)
    entry = catalogue().get(name)
    form = entry.game(variant=variant)
    match = Match(form, [f"P{number}" for number in range(form.players[0])], seed)
    while (moves := match.legal_moves()) and match.cursor < most:
        match.play(chance.choice(moves))
    return match


class TestPlay:
    def test_move_returns_its_events(self) -> None:
        match = Match(game(), ["Ann", "Ben"])
        (first, *_) = match.play("W@Ab2")
        assert first == Placed(board=0, point=5, colour=0, stock="box")
        assert (match.cursor, match.state.to_move, match.state.turn) == (1, 1, 1)
        assert [seat.name for seat in match.seats] == ["Ann", "Ben"]
        assert {seat.player_type for seat in match.seats} == {"person"}

    def test_moves_may_be_given_as_texts_or_objects(self) -> None:
        match = Match(game(), ["Ann", "Ben"])
        move = match.legal_moves()[3]
        match.play(move)
        assert match.plies[0].move == str(move)

    def test_plies_record_seat_and_turn(self) -> None:
        match = play_moves(["W@Aa1", "B@Ab1", "^Aa1", ">Ac2"], "spline-plus")
        assert [(ply.seat, ply.turn, ply.move) for ply in match.plies] == [
            (0, 0, "W@Aa1"),
            (1, 1, "B@Ab1"),
            (0, 2, "^Aa1"),
            (0, 2, ">Ac2"),
        ]
        assert isinstance(match.plies[2].events[0], Lifted)
        assert isinstance(match.plies[3].events[0], Moved)
        assert match.plies[3].state == match.state

    @pytest.mark.parametrize("move", ["W@Aa1", "B@Da1", "W@Ab1", "nonsense", "", "pass"])
    def test_illegal_move_changes_nothing(self, move: str) -> None:
        match = play_moves(["W@Aa1"])
        before = match.state
        with pytest.raises(IllegalMove):
            match.play(move)
        assert match.state is before
        assert match.cursor == 1

    def test_no_move_is_legal_after_the_end(self) -> None:
        match = play_moves(LINE)
        assert match.legal_moves() == ()
        assert match.state.to_move is None
        with pytest.raises(IllegalMove, match=r"^'B@Ad2' can't be played: the match is over$"):
            match.play("B@Ad2")


class TestUndo:
    def test_steps_can_be_undone_to_the_start_and_redone(self) -> None:
        match = play_moves(LINE)
        states = [match.initial_state, *(ply.state for ply in match.plies)]
        for number in reversed(range(len(LINE))):
            assert match.undo_step()
            assert match.state == states[number]
        assert not match.undo_step()
        for number in range(1, len(states)):
            assert match.redo_step()
            assert match.state == states[number]
        assert not match.redo_step()

    def test_whole_turns_can_be_undone_and_redone(self) -> None:
        match = play_moves(["W@Aa1", "B@Ab1", "^Aa1", ">Ac2", "B@Ad4"], "spline-plus")
        cursors = []
        while match.undo_turn():
            cursors.append(match.cursor)
        assert cursors == [4, 2, 1, 0]
        cursors = []
        while match.redo_turn():
            cursors.append(match.cursor)
        assert cursors == [1, 2, 4, 5]

    def test_unfinished_turn_can_be_undone(self) -> None:
        match = play_moves(["W@Aa1", "B@Ab1", "^Aa1"], "spline-plus")
        assert match.undo_turn()
        assert match.cursor == 2
        match.redo_turn()
        assert match.cursor == 3
        match.play(">Ac2")
        match.undo_step()
        assert match.redo_turn()
        assert match.cursor == 4

    def test_different_move_discards_undone_moves(self) -> None:
        match = play_moves(LINE)
        match.go_to(2)
        assert len(match.undone) == 5
        match.play("W@Ad4")
        assert match.undone == ()
        assert [ply.move for ply in match.plies] == ["W@Aa1", "B@Aa2", "W@Ad4"]
        assert not match.redo_turn()

    def test_same_move_keeps_undone_moves(self) -> None:
        match = play_moves(LINE)
        match.go_to(2)
        match.play("W@Ab1")
        assert [ply.move for ply in match.undone] == LINE[3:]

    def test_illegal_move_keeps_undone_moves(self) -> None:
        match = play_moves(LINE)
        match.go_to(2)
        with pytest.raises(IllegalMove):
            match.play("W@Aa1")
        assert len(match.undone) == 5

    def test_final_turn_can_be_undone(self) -> None:
        match = play_moves(LINE)
        match.undo_turn()
        assert match.game.outcome(match.state) is None
        assert match.legal_moves()

    def test_cursor_outside_the_history_is_refused(self) -> None:
        match = play_moves(LINE)
        for cursor in (-1, 8):
            with pytest.raises(IndexError):
                match.go_to(cursor)
        assert match.cursor == 7


@pytest.mark.parametrize("former", FORMER_REASONS)
def test_former_result_reasons_are_translated(former: str) -> None:
    for code in LANGUAGES:
        said = reason_message(former).localize(code)
        assert said == reason_message(FORMER_REASONS[former]).localize(code)
        assert said != former
        assert code == "en" or said != FORMER_REASONS[former]


def test_custom_result_reason_is_not_translated() -> None:
    assert [reason_message("first {past} the post").localize(code) for code in LANGUAGES] == [
        "first {past} the post"
    ] * len(LANGUAGES)


class TestRecord:
    def test_record_groups_moves_by_turn(self) -> None:
        match = play_moves(["W@Aa1", "B@Ab1", "^Aa1", ">Ac2"], "spline-plus")
        assert match.record().to_text() == (
            "shibumi3d: 1\ngame: spline-plus\nsize: 4\nseats: [Ann, Ben]\nseed: 7\n"
            "moves:\n  - W@Aa1\n  - B@Ab1\n  - ^Aa1 >Ac2\n"
        )

    def test_record_contains_the_result(self) -> None:
        saved = play_moves(LINE).record()
        assert saved.result == record.RecordedResult((0,), (0, 0), "full line")
        assert saved.to_text().endswith("result: {winners: [1], scores: [0, 0], reason: full line}\n")

    @pytest.mark.parametrize(("name", "variant"), FORMS)
    def test_random_matches_replay_exactly(self, name: str, variant: str, tmp_path: Path) -> None:
        for seed in range(2 if everything else 1):
            match = play_at_random(name, seed, variant=variant, most=80)
            match.record().save(tmp_path / "m.yaml")
            loaded = record.load(tmp_path / "m.yaml")
            assert loaded == match.record()
            again = Match.from_record(
                loaded, catalogue().get(loaded.game).game(size=loaded.size, variant=loaded.variant)
            )
            assert again.state == match.state
            assert [ply.state for ply in again.plies] == [ply.state for ply in match.plies]
            assert [ply.events for ply in again.plies] == [ply.events for ply in match.plies]
            assert again.record() == loaded

    def test_record_can_include_undone_moves(self) -> None:
        match = play_moves(["W@Aa1", "B@Ab1", "^Aa1", ">Ac2", "B@Ad4"], "spline-plus")
        match.go_to(3)
        saved = match.record(include_undone=True)
        assert saved.turns == (("W@Aa1",), ("B@Ab1",), ("^Aa1",))
        assert saved.undone == ((">Ac2",), ("B@Ad4",))
        again = Match.from_record(record.parse(saved.to_text()), match.game)
        assert (again.cursor, len(again.undone)) == (3, 2)
        assert again.redo_step()
        assert match.record().undone == ()

    def test_record_contains_the_deal(self) -> None:
        form = game("spalone")
        match = Match(form, ["Ann"], 1, deal={"bag": "RRWB"})
        loaded = record.parse(match.record().to_text())
        assert loaded.deal == {"bag": "RRWB"}
        again = Match.from_record(loaded, form)
        assert again.state == match.state
        assert str(again.legal_moves()[0]).startswith("R@")

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            (
                {"turns": (("W@Aa1",), ("W@Ab1",))},
                "the saved game can't be replayed: in turn 2, 'W@Ab1' is not possible now",
            ),
            (
                {"turns": (*((m,) for m in LINE), ("B@Ad2",))},
                "in turn 8, 'B@Ad2' can't be played: the match is over",
            ),
            (
                {"result": record.RecordedResult((1,), (0, 0), "full line")},
                "the saved game says 'Ben won (full line)', but replaying its moves gives 'Ann won (full line)'",
            ),
            (
                {"result": record.RecordedResult((), (0, 0), "nobody is ahead")},
                "the saved game says 'nobody won (nobody is ahead)', but replaying its moves gives 'Ann won",
            ),
            (
                {"result": record.RecordedResult((), (2, 2), "")},
                "the saved game says 'nobody won; scores: 2, 2', but replaying its moves gives 'Ann won",
            ),
            (
                {"turns": ((LINE[0],),)},
                "the saved game says 'Ann won (full line)', but replaying its moves gives 'no result yet'",
            ),
            (
                {"seats": ("Ann", "Ben", "Cid")},
                "the saved game can't be set up: Spline is for 2 players, not 3",
            ),
            ({"deal": {"bag": "W"}}, "the saved game can't be set up: Spline has no stock 'bag'"),
            ({"size": 5}, "this is a saved game of spline (size 5), not of spline (size 4)"),
            ({"variant": "x"}, "this is a saved game of spline (x) (size 4), not of spline (size 4)"),
            ({"game": "span"}, "this is a saved game of span (size 4), not of spline (size 4)"),
        ],
    )
    def test_record_that_cannot_be_replayed_is_refused(self, change: dict[str, object], message: str) -> None:
        changed = replace(play_moves(LINE).record(), **change)  # type: ignore[arg-type]
        with pytest.raises(RecordError) as caught:
            Match.from_record(changed, game())
        assert message in str(caught.value)

    def test_rule_failure_during_replay_is_a_record_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        saved, form = play_moves(LINE).record(), game()

        def broken(*_: object) -> None:
            raise ZeroDivisionError("oh")

        monkeypatch.setattr(type(form), "apply", broken)
        with pytest.raises(RecordError, match="the saved game can't be replayed: ZeroDivisionError: oh"):
            Match.from_record(saved, form)

    def test_match_from_a_position_replays_from_there(self) -> None:
        """The match starts with white marbles on Aa1 and Ab1 and with Black to move.

        Invalid positions are refused with a reason.
        """
        at = Position(("....,....,....,WW../...,...,.../..,../.",), to_move=1)
        match = Match(game(), ["Ann", "Ben"], position=at)
        assert match.state.to_move == 1
        match.play("B@Aa2")
        saved = match.record()
        again = Match.from_record(parse(saved.to_text()), game())
        assert again.state == match.state
        assert again.record() == saved
        match.go_to(0)
        assert match.state.boards == at.boards
        for wrong, message in (
            (
                Position(("....,....,....,WW../...,...,W../..,../.",)),
                "Ba1: the marble has no support",
            ),
            (Position(at.boards * 2), "wrong number of boards: Spline has 1, not 2"),
            (Position(at.boards, to_move=2), "seat 3 is to move"),
            (Position(at.boards, phase=1), "no phase 2"),
            (Position(at.boards, stocks={"sack": "W"}), "no stock 'sack'"),
            (Position(at.boards, stocks={"box": "WX"}), "may only contain the letters"),
            (Position(at.boards, stocks={"box": ("W", "W")}), "fewer than 2 stocks named 'box'"),
        ):
            with pytest.raises(RecordError, match=message):
                Match.from_record(replace(saved, position=wrong), game())

    def test_match_from_a_given_state_has_no_record(self) -> None:
        first = play_moves(["W@Aa1"]).state
        match = Match(game(), ["Ann", "Ben"], state=first)
        match.play("B@Ab1")
        assert match.state.turn == 2
        with pytest.raises(RecordError, match="didn't start from the beginning"):
            match.record()


class TestAutosave:
    def test_match_is_saved_after_every_change(self, tmp_path: Path) -> None:
        path = tmp_path / "m.yaml"
        match = Match(game(), ["Ann", "Ben"])
        match.start_autosave(path)
        assert record.load(path).turns == ()
        match.play("W@Aa1")
        assert record.load(path).turns == (("W@Aa1",),)
        match.undo_turn()
        assert (record.load(path).turns, record.load(path).undone) == ((), (("W@Aa1",),))
        match.redo_step()
        assert record.load(path).undone == ()
        assert [file.name for file in tmp_path.iterdir()] == ["m.yaml"]

    def test_saving_can_wait_for_the_first_change(self, tmp_path: Path) -> None:
        match = Match(game(), ["Ann", "Ben"])
        match.start_autosave(tmp_path / "m.yaml", save_now=False)
        assert not list(tmp_path.iterdir())
        match.play("W@Aa1")
        assert record.load(tmp_path / "m.yaml").turns == (("W@Aa1",),)

    def test_failed_saving_does_not_stop_the_match(self, tmp_path: Path) -> None:
        folder = tmp_path / "gone"
        folder.mkdir()
        match = Match(game(), ["Ann", "Ben"])
        match.start_autosave(folder / "m.yaml", save_now=False)
        folder.rmdir()
        match.play("W@Aa1")
        assert match.cursor == 1
        assert str(match.autosave_problem) == "couldn't save the game: no such file or folder"
        folder.mkdir()
        match.play("B@Ab1")
        assert match.autosave_problem is None
        assert len(record.load(folder / "m.yaml").turns) == 2

    def test_other_file_is_not_overwritten(self, tmp_path: Path) -> None:
        (tmp_path / "m.yaml").write_text("my diary")
        with pytest.raises(RecordError, match="was not overwritten:"):
            Match(game(), ["Ann", "Ben"]).start_autosave(tmp_path / "m.yaml")
        assert (tmp_path / "m.yaml").read_text() == "my diary"


class TestDrawsByRepetition:
    """A draw can be claimed when a position occurs for the third time.

    The tests play Spyramid: its marbles can move back and forth, and its rules don't mention repetition.
    """

    TO_AND_FRO = ("^Aa1", ">Aa2", "^Ad4", ">Ad3", "^Aa2", ">Aa1", "^Ad3", ">Ad4")

    def started(self, **options: bool) -> Match:
        match = Match(game("spyramid"), ["Ann", "Ben"], **options)
        for move in ("W@Aa1", "B@Ad4"):
            match.play(move)
        return match

    def test_draw_can_be_claimed_at_the_third_occurrence(self) -> None:
        # The position occurs once after the two placements, and again after each cycle of four turns.
        match = self.started()
        assert match.count_repetitions() == 1
        for expected in (2, 3):
            for move in self.TO_AND_FRO:
                assert not can_claim_draw(match)
                match.play(move)
            assert match.count_repetitions() == expected
        assert can_claim_draw(match)
        events = match.play(CLAIM)
        assert [type(event).__name__ for event in events] == ["Ended"]
        result = match.state.result
        assert result is not None
        assert (result.winners, result.reason) == ((), "the same position came up three times")
        assert match.legal_moves() == ()

    def test_draw_cannot_be_claimed_early_or_within_a_turn(self) -> None:
        match = self.started()
        with pytest.raises(IllegalMove, match="third time"):
            match.play(CLAIM)
        for move in (*self.TO_AND_FRO, *self.TO_AND_FRO, "^Aa1"):
            match.play(move)
        assert match.count_repetitions() == 0
        assert not can_claim_draw(match)

    def test_claimed_draw_is_recorded_and_can_be_undone(self, tmp_path: Path) -> None:
        match = self.started()
        for move in (*self.TO_AND_FRO, *self.TO_AND_FRO):
            match.play(move)
        match.play(CLAIM)
        path = tmp_path / "drawn.shibumi"
        match.record().save(path)
        again = Match.from_record(record.load(path), match.game)
        assert again.state == match.state
        assert again.undo_turn()
        assert again.state.result is None
        assert can_claim_draw(again)

    def test_claims_can_be_switched_off_for_a_match(self) -> None:
        match = self.started(can_claim_repetition=False)
        for move in (*self.TO_AND_FRO, *self.TO_AND_FRO):
            match.play(move)
        assert not can_claim_draw(match)
        kept = record.parse(match.record().to_text())
        assert not kept.can_claim_repetition
        assert not Match.from_record(kept, match.game).can_claim_repetition


class TestOldRecords:
    """Matches recorded under older versions of the rules can still be opened."""

    def test_final_passes_and_draws_as_shared_wins_are_accepted(self) -> None:
        # Older versions recorded passes that were clicked at the end of Spirit, and a draw as a win for all.
        match = play_at_random("spirit", 3)
        while match.legal_moves():
            match.play(match.legal_moves()[0])
        kept = match.record()
        assert kept.result is not None
        assert kept.result.winners == ()
        old = replace(kept, turns=(*kept.turns, ("pass",), ("pass",)))
        assert Match.from_record(old, match.game).state == match.state
        shared = replace(kept, result=replace(kept.result, winners=(0, 1)))
        assert Match.from_record(shared, match.game).state == match.state
        wrong = replace(kept, result=replace(kept.result, winners=(0,)))
        with pytest.raises(RecordError, match="the saved game says"):
            Match.from_record(wrong, match.game)


def test_hints_are_saved_in_record(tmp_path: Path) -> None:
    """The number of hints given to each seat is saved at once and restored with the match.

    A record with hints has format 2; one without hints still has format 1.
    """
    match = Match(game(), ["Ann", "Ben"], 1)
    match.start_autosave(tmp_path / "m.yaml")
    match.play("W@Aa1")
    plain = (tmp_path / "m.yaml").read_text(encoding="utf-8")
    assert plain.startswith("shibumi3d: 1\n")
    assert "hints" not in plain
    with match.save_once():
        match.hints[1] += 2
    text = (tmp_path / "m.yaml").read_text(encoding="utf-8")
    assert text == plain.replace("shibumi3d: 1", "shibumi3d: 2").replace("seed: 1", "hints: [0, 2]\nseed: 1")
    again = Match.from_record(parse(text), match.game)
    assert again.hints == [0, 2]
    assert again.record(include_undone=True).to_text() == text


def test_labels_of_game_files_cannot_be_special_moves() -> None:
    assert SPECIAL_MOVES <= RESERVED_LABELS
