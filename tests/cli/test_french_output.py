"""The command line in French, chosen by ``--lang``, locale or settings, and in English again afterwards."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path

import pytest

from shibumi3d import i18n
from shibumi3d.cli.main import main


@pytest.fixture(autouse=True)
def _apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, "C.UTF-8")
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path))


def run_output(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    with pytest.raises(SystemExit) if "--help" in words else nullcontext():
        main([str(word) for word in words])
    shown = capsys.readouterr()
    return shown.out + shown.err


COMMANDS = (
    "play",
    "list",
    "rules",
    "check",
    "selfplay",
    "solve",
    "analyse",
    "review",
    "replay",
    "shot",
    "export",
)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_fully_french(capsys: pytest.CaptureFixture[str], command: str) -> None:
    shown = run_output(capsys, "--lang", "fr", command, "--help")
    assert shown.startswith(f"usage : shibumi3d {command} ")
    assert "affiche cette aide" in shown
    english = {"the", "a", "of", "with", "and", "default", "game"}
    body = shown.split("\n\n", 1)[1]
    assert not english & set(body.replace("(", " ").split()) - {"a"}, body


def test_metavars_are_french(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run_output(capsys, "--lang", "fr", "play", "--help")
    assert "[--seats NOMS]" in shown
    assert "[JEU]" in shown


def test_text_option_alone_asks_for_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert "which game?" in run_output(capsys, "--text")


def test_language_option_works_anywhere_and_is_not_remembered(
    capsys: pytest.CaptureFixture[str],
) -> None:
    wanted = "shibumi3d : il n'y a pas de jeu « splinee ». Vouliez-vous dire « spline » ?\n"
    assert run_output(capsys, "rules", "splinee", "--lang=fr") == wanted
    assert (
        run_output(capsys, "rules", "splinee")
        == "shibumi3d: there is no game 'splinee', did you mean 'spline'?\n"
    )
    assert i18n.language() == "en"


def test_language_setting_overrides_the_locale(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LC_ALL", "fr_CA.UTF-8")
    assert "Vouliez-vous dire" in run_output(capsys, "rules", "splinee")
    folder = tmp_path / "shibumi3d"
    folder.mkdir()
    (folder / "settings.json").write_text(json.dumps({"language": "en"}), "utf-8")
    assert "did you mean" in run_output(capsys, "rules", "splinee")
    assert "Vouliez-vous dire" in run_output(capsys, "--lang", "fr", "rules", "splinee")


def test_unknown_language_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        run_output(capsys, "--lang", "xx", "list")
        == "shibumi3d: unknown language 'xx': choose from en, fr, de, es\n"
    )


def test_terminal_match_in_french(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = iter(["W@Aa1", "W@Aa1", "moves", "undo", "undo", "quit"])
    monkeypatch.setattr("shibumi3d.cli.play.read_line", lambda prompt: next(lines))
    shown = run_output(capsys, "play", "spline", "--text", "--lang", "fr")
    assert "réserve générale : 16 blanches, 16 noires" in shown
    assert "tour 1 : à Joueur 1 (Blanc · une ligne complète) de jouer – choisir un point" in shown
    assert "Il y a déjà une bille blanche en Aa1." in shown
    assert "  1  Joueur 1: blanche en Aa1" in shown
    assert "Il n'y a rien à annuler." in shown


def test_terminal_accepts_french_and_english_commands(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "partie.yaml"
    lines = iter(
        ["aide", "W@Aa1", "B@Ab2", "annuler", "rétablir", "reculer", "avancer", "undo", "redo", "tours",
         "expliquer Aa1", f"enregistrer {file}", "quitter"]
    )  # fmt: skip
    monkeypatch.setattr("shibumi3d.cli.play.read_line", lambda prompt: next(lines))
    shown = run_output(capsys, "play", "spline", "--text", "--lang", "fr")
    assert next(lines, None) is None, "the last word left the match"
    for word in (
        "annuler, rétablir",
        "reculer, avancer",
        "tours",
        "expliquer COUP",
        "enregistrer FICHIER",
        "quitter",
    ):
        assert f"\n  {word} " in shown
    assert "  2  Joueur 2: noire en Ab2" in shown
    assert "Il y a déjà une bille blanche en Aa1." in shown
    assert "W@Aa1" in file.read_text("utf-8")


def test_game_file_errors_in_french(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "line.yaml"
    file.write_text("title: Line\nturn: {plcae: own}\nend: [{when: stuck, win: me}]\n", "utf-8")
    shown = run_output(capsys, "check", file, "--lang", "fr")
    assert "verbe inconnu « plcae ». Vouliez-vous dire « place » ?" in shown
    assert shown.endswith("1 jeu vérifié : 1 erreur\n")


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (
            "perft spline x",
            ("shibumi3d perft : argument PROFONDEUR : un nombre entier d'au moins 1 est attendu, et non 'x'"),
        ),
        (
            "perft spline 5000",
            "argument PROFONDEUR : une longueur de 1000 au plus est attendue, et non « 5000 »",
        ),
        ("shot spline", "shibumi3d shot : il manque : --out"),
        ("shot spline --out", "argument --out : un argument est attendu"),
        (
            "shot spline --out x --size ab",
            "une largeur et une hauteur comme 1280x720, d'au plus 8192 chacune, sont attendues, pas « ab »",
        ),
        ("export a --gif b --mp4 c", "argument --mp4 : incompatible avec l'argument --gif"),
        ("export a", "il faut l'un des arguments --gif --mp4 --html --png --postcard --svg --pdf"),
        (
            "export a --gif b --day c",
            "argument --day : une date telle que 2026-11-28 est attendue, et non 'c'",
        ),
        ("list --bogus", "shibumi3d : arguments inconnus : --bogus"),
        ("list --json=1", "argument --json : n'accepte pas de valeur : '1'"),
        ("play spline --option a", "un nom et une valeur sont attendus, comme rounds=4, et non « a »"),
        (
            "selfplay spline --games -3",
            "argument --games : un nombre entier d'au moins 1 est attendu, et non '-3'",
        ),
    ],
)
def test_command_line_errors_in_french(capsys: pytest.CaptureFixture[str], words: str, wrong: str) -> None:
    with pytest.raises(SystemExit):
        main(["--lang", "fr", *words.split()])
    shown = capsys.readouterr().err
    assert shown.startswith("usage : shibumi3d ")
    assert shown.endswith(f"{wrong}\n")
    assert "FILE" not in shown
