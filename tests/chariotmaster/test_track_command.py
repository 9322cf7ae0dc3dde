"""`spina track`: writes a template of a track, checks a track, draws a track."""

from __future__ import annotations

from pathlib import Path

import pytest

import spina
from spina.cli import main
from spina.cli.edition import MISTAKES
from spina.games.chariotmaster.components.edition import template, track_template

Capture = pytest.CaptureFixture[str]


def run(capsys: Capture, *arguments: str | Path) -> str:
    """The output of a command that succeeds."""
    code = main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    return out


def fail(capsys: Capture, *arguments: str | Path) -> str:
    """The one-line error message of a command that fails."""
    assert main([str(argument) for argument in arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("spina: ") and err.count("\n") == 1
    return err


def test_a_new_track_is_found_right(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    assert run(capsys, "track", "new", file) == f"Written to {file}. Change it, then: spina track check {file}\n"
    assert file.read_text(encoding="utf-8") == track_template()
    assert run(capsys, "track", "check", file).splitlines() == [
        f"{file}: OK",
        "  narrow: Narrow circus, closed, 4 segments, 10 cm wide, 175.4 cm a lap",
        "    1 lap: 175.4 cm, 9 stamina, at most 48 game turns",
        "    2 laps (usual): 350.8 cm, 18 stamina, at most 96 game turns",
        "    3 laps: 526.2 cm, 27 stamina, at most 144 game turns",
        "    3 abreast, up to 6 chariots",
        "    1 obstacle: stone",
    ]


def test_a_track_is_not_overwritten(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("mine")
    assert "exists already" in fail(capsys, "track", "new", file)
    assert file.read_text() == "mine"
    run(capsys, "track", "new", file, "--force")
    assert file.read_text(encoding="utf-8") == track_template()
    assert "cannot be written" in fail(capsys, "track", "new", tmp_path / "nowhere" / "mine.toml")


def test_an_edition_can_be_checked_too(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "all.toml"
    file.write_text(template(), encoding="utf-8")
    out = run(capsys, "track", "check", file)
    assert "  trial: Trial course, open, 11 segments, 12 cm wide, 249.98 cm between its lines\n" in out
    assert "    once: 249.98 cm, 13 stamina, at most 68 game turns\n" in out
    assert "    6 abreast, up to 12 chariots\n" in out


def test_check_lists_every_problem_with_its_line(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    text = track_template().replace('"left 12 180",', '"left 5 180",', 1).replace("line = 10", "line = 3")
    file.write_text(text, encoding="utf-8")
    assert main(["track", "check", str(file)]) == MISTAKES
    out, err = capsys.readouterr()
    assert err == ""
    rows = text.split("\n")
    wanted = [1 + rows.index(row) for row in ('  "left 5 180",', "line = 3")]
    assert [line.split(": ")[0] for line in out.splitlines()] == [f"{file}:{line}" for line in wanted]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, ":1: there is no such file"),
        ("", ":1: format is missing"),
        ("a = \n", ":1: not valid TOML"),
        ('format = 1\ngame = "charioteer"\nname = "x"\n[scenario.a]\n', ':2: game is "charioteer"'),
    ],
)
def test_check_of_what_is_no_track(capsys: Capture, tmp_path: Path, text: str | None, said: str) -> None:
    file = tmp_path / "mine.toml"
    if text is not None:
        file.write_text(text)
    assert main(["track", "check", str(file)]) == MISTAKES
    out, err = capsys.readouterr()
    assert err == ""
    assert f"{file}{said}" in out


def test_the_commands_are_explained(capsys: Capture) -> None:
    assert "spina track new" in run(capsys, "commands")
    with pytest.raises(SystemExit):
        main(["track"])
    assert "COMMAND" in capsys.readouterr().err


@pytest.mark.skipif("chariotmaster" not in spina.game_names(), reason="the game is not complete yet")
def test_picture(capsys: Capture, tmp_path: Path) -> None:
    file, drawn = tmp_path / "mine.toml", tmp_path / "mine.svg"
    run(capsys, "track", "new", file)
    picture = run(capsys, "track", "picture", file)
    assert picture.startswith("<svg")
    assert run(capsys, "track", "picture", file, "-o", drawn) == f"Picture: {drawn}\n"
    assert drawn.read_text(encoding="utf-8") == picture.removesuffix("\n")
    assert "there is no folder" in fail(capsys, "track", "picture", file, "-o", tmp_path / "nowhere" / "a.svg")
    file.write_text("format = 1\n")
    assert "`spina edition check` lists them" in fail(capsys, "track", "picture", file)
