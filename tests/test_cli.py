"""The command line: the output and the exit code of every command."""

from __future__ import annotations

import itertools
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import spina
from spina.cli import edition as components
from spina.cli import main, simulate
from spina.games.charioteer.components.edition import CharioteerEdition, parse, template
from spina.games.charioteer.pictures import terminal_board
from spina.games.charioteer.play import events as e
from spina.games.charioteer.play import narrator
from spina.simulation import wilson

SEATS = "competent,longest,random"
WATCH = ["watch", "charioteer", "--seats", SEATS, "--seed", "7"]
NAMES = ["Felix", "Diocles", "Crescens", "Scorpus", "Porphyrius", "Polynices"]

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
    assert err.startswith("spina: ")
    assert err.count("\n") == 1
    return err


def refuse(capsys: Capture, *arguments: str) -> str:
    """The message of argparse for wrong arguments."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    return capsys.readouterr().err


def json_lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def story_of(text: str) -> str:
    """The part of the output with the story."""
    return text[text.index("Turn 1 ·") : text.index("\nAfter ")]


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPINA_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)


# --- help and commands ----------------------------------------------------------------------------------------------


def test_spina_commands_says_what_one_can_do(capsys: Capture) -> None:
    out = run(capsys, "commands")
    for command in ("serve", "verify", "watch", "replay", "simulate", "board", "edition new", "edition check", "games"):
        assert f"spina {command}" in out
    assert all(len(line) <= 80 for line in out.splitlines())


def test_version(capsys: Capture) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"spina {spina.__version__}\n"


def test_games(capsys: Capture) -> None:
    lines = run(capsys, "games").splitlines()
    assert [line.split()[0] for line in lines] == list(spina.game_names())


def test_wrong_arguments_are_explained(capsys: Capture) -> None:
    assert "invalid choice: 'wach'" in refuse(capsys, "wach")
    assert "not '-1'" in refuse(capsys, "watch", "charioteer", "--delay", "-1")
    assert "not 'nan'" in refuse(capsys, "watch", "charioteer", "--delay", "nan")
    assert "not '0'" in refuse(capsys, "simulate", "charioteer", "--races", "0")
    assert "COMMAND" in refuse(capsys, "edition")


# --- watching -------------------------------------------------------------------------------------------------------


def test_watch_tells_and_draws_every_turn(capsys: Capture) -> None:
    out = run(capsys, *WATCH)
    turns = [int(number) for number in re.findall(r"^Turn (\d+) ·", out, re.MULTILINE)]
    assert turns == list(range(1, turns[-1] + 1))
    assert out.count("to go") == turns[-1] + 1  # a table at the start and after each turn
    assert "R Felix (competent), W Diocles (longest), B Crescens (random)" in out
    assert re.search(rf"wins the race!.*\nAfter {turns[-1]} turns: 1\. ", out, re.DOTALL)
    assert "\x1b" not in out
    assert all(len(line) <= 80 for line in story_of(out).splitlines())


def test_the_same_seed_prints_the_same(capsys: Capture) -> None:
    first = run(capsys, *WATCH)
    assert run(capsys, *WATCH) == first
    assert run(capsys, *WATCH[:-1], "8") != first


def test_watch_without_a_seed_says_which_it_was(capsys: Capture) -> None:
    first = run(capsys, "watch", "charioteer", "--seats", SEATS)
    found = re.search(r"seed (\d+)", first)
    assert found
    assert run(capsys, *WATCH[:-1], found[1]) == first


def test_every_sum_adds_up_part_by_part(capsys: Capture) -> None:
    story = " ".join(story_of(run(capsys, *WATCH)).split())
    sums = re.findall(r": (\d+ symbols?(?: [+−] \d+ \w+)+) = (\d+)", story)
    assert len(sums) > 20
    for parts, points in sums:
        total = eval(re.sub(r"[a-z]", "", parts).replace("−", "-"))
        assert max(0, total) == int(points)


def test_json_lines(capsys: Capture) -> None:
    head, *turns, result = json_lines(run(capsys, *WATCH, "--json"))
    assert head == {
        "type": "race",
        "game": "charioteer",
        "edition": "Reference edition",
        "edition_hash": head["edition_hash"],
        "seats": 3,
        "seed": 7,
        "bots": SEATS.split(","),
    }
    assert [turn["turn"] for turn in turns] == list(range(1, result["turn"] + 1))
    assert {turn["type"] for turn in turns} == {"turn"}
    assert result["type"] == "result"
    assert result["over"] is True
    assert sorted(seat for seats in result["ranking"] for seat in seats) == [0, 1, 2]
    last = [event for event in turns[-1]["events"] if event["type"] == "Finished"]
    assert [[event["seat"]] for event in last] == result["ranking"]


def test_json_shows_nothing_hidden(capsys: Capture) -> None:
    seen: set[str] = set()
    for seed in range(3):
        lines = json_lines(run(capsys, *WATCH[:-1], str(seed), "--json"))
        for event in itertools.chain.from_iterable(turn["events"] for turn in lines[1:-1]):
            seen.add(event["type"])
            assert event["type"] != "Buried"
            if event["type"] == "Drew":
                assert event["cards"] == []
                assert event["count"] > 0
            if event["type"] == "FanToken":
                assert event["token"] is None
    assert {"Drew", "FanToken", "Revealed", "Counted"} <= seen


def test_quiet_prints_only_the_result(capsys: Capture) -> None:
    out = run(capsys, *WATCH, "--quiet")
    assert re.fullmatch(r"Charioteer · .*\nR Felix .*\nAfter \d+ turns: 1\. [^·]*\.\n", out)


def test_svg_writes_the_final_picture_and_says_where(capsys: Capture, tmp_path: Path) -> None:
    target = tmp_path / "end.svg"
    assert f"Picture: {target}" in run(capsys, *WATCH, "--quiet", "--svg", target)
    picture = target.read_text(encoding="utf-8")
    assert picture.startswith("<svg")
    assert "Felix" in picture


def test_notes_do_not_disturb_json(capsys: Capture, tmp_path: Path) -> None:
    assert main([*WATCH, "--json", "--svg", str(tmp_path / "end.svg"), "--save", str(tmp_path / "race.json")]) == 0
    out, err = capsys.readouterr()
    assert json_lines(out)[-1]["type"] == "result"
    assert str(tmp_path / "end.svg") in err
    assert str(tmp_path / "race.json") in err


def test_watch_with_an_edition(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "short.toml"
    file.write_text(
        template().replace("laps = { value = 3", "laps = { value = 1").replace('"Reference edition"', '"Short"')
    )
    out = run(capsys, *WATCH, "--edition", file)
    assert out.startswith("Charioteer · Short · seed 7")
    assert "LAP I OF I " in out
    assert "LAP II" not in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["watch", "chariotteer"], 'there is no game "chariotteer": there are charioteer'),
        (["watch", "charioteer", "--seats", "competent,fast"], 'there is no bot "fast" for Charioteer'),
        (["watch", "charioteer", "--seats", "competent"], "for 2 to 6 seats, not 1"),
        (["watch", "charioteer", "--seats", ",".join(["random"] * 7)], "for 2 to 6 seats, not 7"),
        (["watch", "charioteer", "--seed", "-1"], "a seed is a whole number"),
        (["watch", "charioteer", "--edition", "no.toml"], "no.toml:1: there is no such file"),
        (["watch", "charioteer", "--save", "no/race.json"], "no/race.json cannot be written: there is no folder no"),
        (["board", "charioteer", "--output", "no/board.svg"], "no/board.svg cannot be written"),
        (["board", "chariotteer"], "there is no game"),
        (["edition", "new", "chariotteer"], "there is no game"),
        (["replay", "no.json"], "no.json cannot be read"),
        (["simulate", "charioteer", "--drivers", "fast"], 'Charioteer has no driver "fast"'),
        (["simulate", "charioteer", "--seats", "3", "--drivers", "random,longest"], "2 drivers for 3 seats"),
        (["simulate", "charioteer", "--seats", "9"], "for 2 to 6 seats, not 9"),
        (["simulate", "charioteer", "--seed", "-1"], "a seed is a whole number"),
    ],
)
def test_errors_are_one_line_and_code_2(capsys: Capture, arguments: list[str], said: str) -> None:
    assert said in fail(capsys, *arguments)


def test_a_broken_edition_is_one_line_too(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text(template().replace("red-5", "red-x").replace("laps = {", "lapse = {"))
    said = fail(capsys, *WATCH, "--edition", file)
    assert re.match(rf"spina: {re.escape(str(file))}:\d+: .* \(and \d+ more: ", said)


# --- replaying ------------------------------------------------------------------------------------------------------


@pytest.fixture
def saved(tmp_path: Path, capsys: Capture) -> Path:
    """The race of WATCH, saved."""
    file = tmp_path / "race.json"
    run(capsys, *WATCH, "--quiet", "--save", file)
    return file


def test_replay_tells_the_same_story(capsys: Capture, saved: Path) -> None:
    assert story_of(run(capsys, "replay", saved)) == story_of(run(capsys, *WATCH))


def test_replay_gives_the_same_json(capsys: Capture, saved: Path) -> None:
    head, *again = json_lines(run(capsys, "replay", saved, "--json"))
    assert (head["seed"], head["bots"]) == (7, None)
    assert again == json_lines(run(capsys, *WATCH, "--json"))[1:]


def test_replay_draws_the_same_picture(capsys: Capture, saved: Path, tmp_path: Path) -> None:
    one, two = tmp_path / "1.svg", tmp_path / "2.svg"
    run(capsys, *WATCH, "--quiet", "--svg", one)
    assert str(two) in run(capsys, "replay", saved, "--svg", two)
    assert one.read_text() == two.read_text()


def test_replay_with_the_eyes_of_a_seat(capsys: Capture, saved: Path) -> None:
    lines = json_lines(run(capsys, "replay", saved, "--json", "--seat", "1"))
    drew = [event for turn in lines[1:-1] for event in turn["events"] if event["type"] == "Drew"]
    assert all((event["cards"] != []) == (event["seat"] == 1) for event in drew)
    story = run(capsys, "replay", saved, "--seat", "1")
    assert "Draws" in story
    assert "Draws" not in run(capsys, "replay", saved)
    assert "there is no seat 3" in fail(capsys, "replay", saved, "--seat", "3")


def test_replay_checks_the_hashes(capsys: Capture, saved: Path) -> None:
    content = json.loads(saved.read_text())
    content["race"]["hashes"][-1][1] = "0" * 16
    saved.write_text(json.dumps(content))
    assert main(["replay", str(saved)]) == 2
    assert "the race stands otherwise than it was saved" in capsys.readouterr().err


def test_replay_of_a_running_race_keeps_its_secrets(capsys: Capture, tmp_path: Path) -> None:
    race = spina.new("charioteer", seats=3, seed=123456789)
    bot = spina.bots.make("longest", game="charioteer", seed=1)
    while race.turn < 4:
        race.play(race.to_act[0], bot.choose(race, race.to_act[0]))
    race.play(0, bot.choose(race, 0))
    race.save(tmp_path / "running.json")
    out = run(capsys, "replay", tmp_path / "running.json")
    assert "The race goes on: turn 4 waits for Diocles, Crescens." in out
    assert "123456789" not in out
    *_, turn, result = json_lines(run(capsys, "replay", tmp_path / "running.json", "--json"))
    assert turn == {"type": "turn", "turn": 4, "events": [{"type": "Chosen", "seat": 0}]}
    assert (result["over"], result["hash"]) == (False, None)
    assert "the race is still running" in fail(capsys, "replay", tmp_path / "running.json", "--seat", "0")


# --- components -----------------------------------------------------------------------------------------------------


def test_edition_new_writes_a_file_that_is_found_right(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    assert run(capsys, "edition", "new", "charioteer") == template()
    assert str(file) in run(capsys, "edition", "new", "charioteer", "--output", file)
    assert file.read_text(encoding="utf-8") == template()
    out = run(capsys, "edition", "check", file)
    assert out.startswith(f"{file}: OK\n")
    assert '"Reference edition", an edition of Charioteer' in out
    assert "147 cards" in out
    assert re.search(r"\d+ values: \d+ rulebook, \d+ reconstructed", out)
    file.write_text("mine")
    assert "exists already" in fail(capsys, "edition", "new", "charioteer", "--output", file)
    assert file.read_text() == "mine"
    run(capsys, "edition", "new", "charioteer", "--output", file, "--force")
    assert file.read_text(encoding="utf-8") == template()


def test_edition_check_lists_every_problem_with_its_line(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    text = template().replace('"3 x whip"', '"4 x whip"').replace("laps = { value = 3", "laps = { value = 0")
    file.write_text(text)
    assert main(["edition", "check", str(file)]) == components.MISTAKES
    out, err = capsys.readouterr()
    assert err == ""
    lines = text.split("\n")
    wanted = [
        1 + next(i for i, line in enumerate(lines) if key in line) for key in ("laps = {", "total = { value = 147")
    ]
    assert [line.split(": ")[0] for line in out.splitlines()] == [f"{file}:{line}" for line in wanted]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, ":1: there is no such file"),
        ("", ":1: game is missing"),
        ("a = 1\ngame = 'ludo'\n", ':2: game is "ludo": the games are "charioteer"'),
        ("a = 1\ngame = 3\n", ":2: game is 3: "),
        ("a = 1\ngame = [[1]]\n", ":2: game is a list: "),
        ("a = \n", ":1: not valid TOML"),
    ],
)
def test_edition_check_of_what_is_no_edition(capsys: Capture, text: str | None, said: str) -> None:
    if text is not None:
        Path("my.toml").write_text(text)
    assert main(["edition", "check", "my.toml"]) == components.MISTAKES
    out, err = capsys.readouterr()
    assert err == ""
    assert out.startswith(f"my.toml{said}")


def test_board(capsys: Capture, tmp_path: Path) -> None:
    picture = run(capsys, "board", "charioteer")
    assert picture.startswith("<svg")
    run(capsys, "board", "charioteer", "--output", tmp_path / "board.svg")
    assert (tmp_path / "board.svg").read_text(encoding="utf-8") == picture.removesuffix("\n")
    (tmp_path / "one.toml").write_text(template().replace("laps = { value = 3", "laps = { value = 5"))
    assert run(capsys, "board", "charioteer", "--edition", tmp_path / "one.toml") != picture


# --- simulating -----------------------------------------------------------------------------------------------------


def test_simulate_counts_what_the_simulation_gives(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate, "PART", 40)  # the number of parts does not change the races
    arguments = ("simulate", "charioteer", "--drivers", "longest,random,longest", "--races", "100", "--seed", "5")
    report = json.loads(run(capsys, *arguments, "--json"))
    races = spina.simulate("charioteer", seats=3, races=100, drivers=["longest", "random", "longest"], seed=5)
    assert [row["wins"] for row in report["drivers"]] == [int((races["places"][:, s] == 1).sum()) for s in range(3)]
    assert [row["driver"] for row in report["drivers"]] == ["longest", "random", "longest"]
    assert report["turns"]["mean"] == races["turns"].mean()
    assert (report["races"], report["seed"], report["seats"]) == (100, 5, 3)
    table = run(capsys, *arguments)
    assert f"{report['drivers'][0]['share']:.1%}" in table
    assert "races a second" in table


def test_one_driver_goes_for_all_seats(capsys: Capture) -> None:
    report = json.loads(
        run(capsys, "simulate", "charioteer", "--seats", "5", "--drivers", "random", "--races", "20", "--json")
    )
    assert [row["driver"] for row in report["drivers"]] == ["random"] * 5
    assert sum(row["wins"] for row in report["drivers"]) == 20


def test_wilson_intervals() -> None:
    assert wilson(0, 10) == pytest.approx((0, 0.27753), abs=1e-5)
    assert wilson(5, 10) == pytest.approx((0.23659, 0.76341), abs=1e-5)
    assert wilson(10, 10) == pytest.approx((0.72247, 1), abs=1e-5)


# --- as a process ---------------------------------------------------------------------------------------------------


def start(*arguments: str, stdout: int = subprocess.PIPE, **environment: str) -> subprocess.Popen[str]:
    kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS", "LINES")}
    kept["PYTHONPATH"] = str(Path(spina.__file__).parents[1])  # this spina, in any folder
    return subprocess.Popen(
        [sys.executable, "-m", "spina", *arguments],
        stdout=stdout,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env={**kept, **environment},
    )


@pytest.mark.slow
def test_python_m_spina(capsys: Capture) -> None:
    process = start(*WATCH)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, "")
    assert out == run(capsys, *WATCH)
    process = start("watch", "ludo")
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (2, "")
    assert err == 'spina: there is no game "ludo": there are charioteer, chariot-race, chariotmaster\n'


@pytest.mark.slow
def test_a_closed_pipe_ends_it_politely() -> None:
    process = start(*WATCH, "--delay", "0.3")
    assert process.stdout
    assert process.stderr
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(timeout=120) == 141
    assert process.stderr.read() == ""
    process.stderr.close()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_ends_it_politely() -> None:
    process = start(*WATCH, "--delay", "30")
    assert process.stdout
    while process.stdout.readline().strip():
        pass
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert err.strip() == ""


def on_a_terminal(rows: int, columns: int, **environment: str) -> str:
    """The output of a race on a terminal of this size."""
    import fcntl
    import pty
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    process = start(*WATCH, "--delay", "0", stdout=theirs, TERM="xterm", **environment)
    os.close(theirs)
    read = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        read += part
    os.close(ours)
    _, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, "")
    return read.decode().replace("\r\n", "\n")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
def test_a_terminal_gets_colours_and_one_picture_that_changes(capsys: Capture) -> None:
    plain = run(capsys, *WATCH)
    turns = plain.count("\nTurn ")
    live = on_a_terminal(50, 80)
    assert live.count("\x1b[J") == turns
    shown = re.sub(r"\x1b\[[0-9;]*m", "", live)
    assert shown != live
    without_colour = on_a_terminal(50, 80, NO_COLOR="1")
    assert without_colour == shown
    # erase as a terminal does: what stays is the story without gaps, and the last picture
    screen: list[str] = []
    for line in shown.split("\n"):
        if found := re.match(r"\x1b\[(\d+)F\x1b\[J", line):
            del screen[-int(found[1]) :]
            line = line[found.end() :]
        screen.append(line)
    assert screen.count("") < 3 * turns
    assert "\n".join(screen).count("to go") == 1
    assert [line for line in screen if line.startswith("Turn ")] == re.findall(r"^Turn .*", plain, re.MULTILINE)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
def test_a_terminal_that_is_too_small_gets_one_picture_after_another() -> None:
    assert "\x1b[J" not in on_a_terminal(15, 80)
    assert "\x1b[J" not in on_a_terminal(50, 60)


# --- pictures in a terminal -----------------------------------------------------------------------------------------


def track(*sections: str) -> CharioteerEdition:
    """The reference edition with another track."""
    spaces = sum(int(s.split(" x ")[0]) * len(s.split(" x ")[1].split()) for s in sections)
    text = re.sub(r"sections = \[.*?\]", f"sections = {json.dumps(sections)}", template(), flags=re.DOTALL)
    text = re.sub(r"^spaces = { value = \d+", f"spaces = {{ value = {spaces}", text, flags=re.MULTILINE)
    return parse(text.replace("start = { value = 4", "start = { value = 1"), "track.toml")


TRACKS = [
    track("4 x regular", "7 x regular outer", "18 x regular", "7 x regular outer", "14 x regular"),
    track("3 x regular", "3 x regular outer", "8 x regular", "3 x regular outer", "9 x regular"),
    track("20 x regular", "12 x regular outer", "36 x regular", "12 x regular outer", "56 x regular"),
    track("4 x regular", "4 x regular outer", "10 x regular", "9 x regular outer", "30 x regular"),
    track("12 x regular", "9 x regular outer", "26 x regular", "9 x regular outer", "18 x regular"),
    track("2 x regular", "3 x regular outer", "2 x regular", "3 x regular outer", "140 x regular"),
    track("1 x outer", "7 x regular", "5 x regular outer", "40 x regular", "6 x regular outer"),
    track(*["4 x regular", "3 x regular outer", "4 x regular"] * 4),
    track("1 x regular", "1 x outer"),
]


@pytest.mark.slow
@pytest.mark.parametrize("edition", TRACKS, ids=lambda edition: str(edition.spaces))
@pytest.mark.parametrize("seats", range(2, 7))
def test_every_chariot_is_seen_wherever_it_stands(edition: CharioteerEdition, seats: int) -> None:
    """All chariots in one space, for every space in turn: apart from each other, within 80 columns."""
    letters = "RWBGPA"[:seats]
    race = spina.new("charioteer", seats=seats, seed=1, edition=edition)
    view = race.view(None).as_dict()
    spots: set[tuple[tuple[int, int], ...]] = set()
    for space in range(edition.spaces):
        for chariot in view["chariots"]:
            chariot.update(space=space, lane=chariot["seat"], progress=space)
        lines = terminal_board.draw(view, edition, NAMES[:seats], colour=False).split("\n")
        assert all(len(line) <= 79 for line in lines)
        picture = [re.sub(r"║.*║", lambda found: " " * len(found[0]), line) for line in lines[: -seats - 1]]
        found = [
            [(row, column) for row, line in enumerate(picture) for column, c in enumerate(line) if c == letter]
            for letter in letters
        ]
        assert [len(places) for places in found] == [1] * seats
        spots.add(tuple(places[0] for places in found))
    assert len(spots) == edition.spaces


def test_the_reference_track_fits_a_small_terminal() -> None:
    race = spina.new("charioteer", seats=6, seed=1)
    assert len(race.draw(NAMES).splitlines()) < 24
    assert race.draw(NAMES).count("▒") == 14


def test_chariots_run_counterclockwise_with_the_line_below() -> None:
    """In the reference edition: space 0 right of the line at the bottom, then right, up, left, down."""
    edition = TRACKS[0]
    ring = terminal_board._Ring.of(edition, 4)
    spots = [ring.spot(space, 0, 1) for space in range(edition.spaces)]
    assert len(set(spots)) == edition.spaces
    bottom, top = max(row for row, _ in spots), min(row for row, _ in spots)
    assert spots[0][0] == spots[63][0] == bottom
    assert spots[1][1] > spots[0][1]
    assert spots[27][0] == top
    assert spots[28][1] < spots[27][1]
    assert spots[12][0] < spots[11][0]
    assert spots[43][0] > spots[42][0]
    for (row, column), (next_row, next_column) in itertools.pairwise([*spots, spots[0]]):
        assert abs(next_row - row) <= 1
        assert abs(next_column - column) <= 3


def test_names_of_any_kind_keep_the_columns_straight() -> None:
    race = spina.new("charioteer", seats=3, seed=1)
    rows = race.draw(["甲乙丙丁", "a very long name indeed, my friend", "bell\x07\x1b[31m"]).splitlines()[-3:]
    assert len({terminal_board.columns(row) for row in rows}) == 1
    assert all("\x1b" not in row for row in rows)
    assert len({terminal_board.columns(row[: row.index("1/3")]) for row in rows}) == 1


# --- the words of a story -------------------------------------------------------------------------------------------

MOVE = e.Revealed(0, "red-3", ("red-3 red-3 red-1",) * 3, True, "+5 red", None, "discard-3", 2)
STORY = [
    MOVE,
    e.Revealed(1, "reset", ("whip",), False, None, None, None, 0),
    e.Calmed(1, 2, 1),
    e.Revealed(2, "black-0", ("black-0 black-0 whip",) * 2, False, "whip", None, None, 0),
    e.Ordered((0, 1, 2)),
    e.Recovered(0, 2, 1, 1),
    e.Counted(0, 3, 6, 5, 1, 1, 14),
    e.Attacked(0, 2, 4),
    e.Cube(2, 0, 1),
    e.Cube(2, 0, 2),
    e.Passed(0, 1, False),
    e.Stepped(0, 14, 14, 0, False),
    e.Passed(0, 2, False),
    e.Lap(0, 1),
    e.Learned(0, "red", 11, 12, 3),
    e.FanToken(0, None),
    e.Counted(2, 0, 4, 0, 0, 2, 2),
    e.Passed(2, 1, True),
    e.Whipped(2, 2, 0, "passed"),
    e.Suffered(2, 2, 4),
    e.Shuffled("deck", 99),
    e.Turn(5),
    e.Emperor("sprint"),
]


def test_a_turn_is_told_chariot_by_chariot() -> None:
    assert narrator.story(STORY, NAMES[:3], 80, False) == [
        "  R Felix     plays red-3 on 3 cards and the crowd card, token +5, discards 2:",
        "              6 symbols + 3 number + 5 token + 1 skill − 1 damage = 14. Recovers",
        "              2 cubes, 1 left. Attacks with 4 cards: 2 cubes for Crescens.",
        "              Passes Diocles and Crescens. Completes lap 1. Earns a fan token.",
        "              Red skill is now +3.",
        "  W Diocles   resets with 1 card: calms the horses and is rid of 3 cubes.",
        "  B Crescens  plays black-0 on 2 cards, token whip: 4 symbols + 0 number",
        "              − 2 damage = 2. Cuts the corner past Diocles. Cracks the whip for",
        "              nothing: it does not work after passing somebody.",
        "  New damage: Crescens 2 (4 in all).",
        "  The deck is filled again: 99 cards.",
    ]


def test_colours_change_nothing_but_the_colours() -> None:
    plain = narrator.story(STORY, NAMES[:3], 80, False)
    coloured = narrator.story(STORY, NAMES[:3], 80, True)
    assert coloured != plain
    assert [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in coloured] == plain
    named = narrator.story(STORY, ["31", "m", "red-3"], 80, True)  # names that occur in escapes and symbols
    assert [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in named] == narrator.story(
        STORY, ["31", "m", "red-3"], 80, False
    )


def test_the_beginning_of_a_turn() -> None:
    view = spina.new("charioteer", seats=3, seed=1).view(None).as_dict()
    view.update(turn=4, emperor="disrupt", crowd=["whip", "whip", "whip"])
    for chariot in view["chariots"]:
        chariot["attack"] = 2
    assert narrator.heading(view, 80, False) == [
        "Turn 4 · the emperor stirs up the crowd: 2 cubes for everybody · crowd whip"
    ]
    view["emperor"] = "corner"
    assert narrator.heading(view, 80, False) == ["Turn 4 · the emperor wants cornering (black) · crowd whip"]


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (MOVE, "Felix plays red-3 on 3 cards and the crowd card, token +5, discards 2."),
        (e.Counted(1, 4, 3, 0, 0, 0, 7), "Diocles moves 7: 3 symbols + 4 number."),
        (e.Passed(1, 0, True), "Diocles cuts the corner past Felix."),
        (e.Whipped(0, 1, 3, "blocked"), "Felix cracks the whip: 3 spaces more."),
        (e.Whipped(0, 1, 0, "leads"), "Felix cracks the whip for nothing: the leader needs none."),
        (e.FanToken(0, None), "Felix earns a fan token."),
        (e.FanToken(0, "+3 red"), "Felix earns a fan token (+3 red)."),
        (e.FanToken(0, None, True), "Felix has earned a fan token, but none is left."),
        (e.Drew(0, (), 3), ""),
        (e.Drew(0, ("whip", "whip"), 2), "Felix draws whip and whip."),
        (e.Shielded(0, 0), ""),
        (e.Suffered(0, 1, 3), "Felix takes 1 cube of damage, 3 in all."),
        (e.Finished(0, 1, 200), "Felix wins the race!"),
        (e.Finished(1, 2, 190), "Diocles comes in 2nd."),
        (e.Stepped(0, 1, 1, 0, False), ""),
        (e.Turn(3), "Turn 3."),
    ],
)
def test_an_event_in_words(event: e.Event, said: str) -> None:
    assert narrator.sentence(event, NAMES) == said


# --- variants and other games ---------------------------------------------------------------------------------------


def test_every_game_can_be_watched_as_it_is(capsys: Capture) -> None:
    for game in spina.game_names():
        assert "After " in run(capsys, "watch", game, "--seed", "3", "--quiet")


def test_variants_are_given_as_options(capsys: Capture) -> None:
    arguments = ("watch", "chariot-race", "--seed", "2", "--json", "--option", "board=BB", "--option", "individual=yes")
    lines = [json.loads(line) for line in run(capsys, *arguments).splitlines()]
    assert any(event["type"] == "Drafted" for line in lines for event in line.get("events", []))
    report = run(capsys, "simulate", "chariot-race", "--drivers", "random", "--races", "20", "--option", "board=BA")
    assert "20 races" in report


@pytest.mark.parametrize("text", ["board", "=BB", "bo ard=BB"])
def test_an_option_without_name_or_value_is_explained(text: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit):
        main(["watch", "chariot-race", "--option", text])
    assert "NAME=VALUE" in capsys.readouterr().err


def test_an_unknown_option_is_named(capsys: Capture) -> None:
    assert main(["watch", "charioteer", "--option", "turbo=yes"]) == 2
    assert 'no option "turbo"' in capsys.readouterr().err


@pytest.mark.parametrize(("option", "given", "least"), [("serve", "-1", 0), ("think", "0", 1)])
def test_a_number_of_workers_says_what_is_allowed(option: str, given: str, least: int, capsys: Capture) -> None:
    with pytest.raises(SystemExit):
        main([option, "--database", "postgresql://x/y", "--workers", given])
    assert f"a whole number from {least} is needed, not '{given}'" in capsys.readouterr().err
