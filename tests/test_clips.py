"""Clips: animated pictures of races, in which nothing hidden shows."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

import spina
from spina import bots
from spina.cli import main
from spina.clips import make_clip
from spina.clips.film import _rasterised
from spina.clips.race_picture import Pose, RacePicture
from spina.errors import OptionError
from spina.games.game import Game
from spina.race import Race

GAMES = ("charioteer", "chariot-race", "chariotmaster")
WIDTH = 320


def states(game: str, turns: int) -> Iterator[Race]:
    """A race at its start and after every action, up to the end of some turns."""
    race = spina.new(game, seats=2, seed=7)
    driver = bots.make("competent", game=game, seed=1)
    yield race
    while not race.over and race.turn <= turns:
        seat = race.to_act[0]
        race.play(seat, driver.choose(race, seat))
        yield race


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_clip_begins_with_the_board_moves_the_pieces_and_is_small(game: str) -> None:
    clip = make_clip(states(game, 2), width=WIDTH, last=2)
    shown = Image.open(io.BytesIO(clip.data))
    count = getattr(shown, "n_frames", 1)
    assert 5 < count <= clip.frames < 400 and len(clip.data) < 600_000
    durations = []
    for number in range(count):
        shown.seek(number)
        durations.append(shown.info["duration"])
    assert sum(durations) / 1000 == pytest.approx(clip.seconds)
    start = _rasterised(spina.new(game, seats=2, seed=7).svg(), WIDTH).convert("RGB")
    shown.seek(0)
    first = shown.convert("RGB")
    assert first.size == start.size
    assert max(ImageStat.Stat(ImageChops.difference(first, start)).mean) < 4  # but for the number of colours
    shown.seek(count - 1)
    assert ImageChops.difference(first, shown.convert("RGB")).getbbox() is not None


def test_a_clip_is_drawn_from_what_spectators_know(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every picture is drawn from a determinization: the cards in hands are other ones than those of the race."""
    game = spina.new("charioteer", seats=2, seed=7).game
    drawn: list[bytes] = []
    picture = type(game).picture

    def noted(self: Game, race: bytes, *rest: object) -> str:
        drawn.append(bytes(race))
        return picture(self, race, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(type(game), "picture", noted)
    secret: set[bytes] = set()

    def followed() -> Iterator[Race]:
        for race in states("charioteer", 1):
            secret.add(bytes(race._bytes))
            yield race

    make_clip(followed(), width=WIDTH, last=1)
    assert drawn and not secret & set(drawn)


def test_pieces_turn_the_shorter_way_and_letters_stay_upright() -> None:
    halfway = Pose(0, 0, 350).towards(Pose(10, 20, 30), 0.5)
    assert halfway == Pose(5, 10, 370)
    picture = RacePicture(spina.new("charioteer", seats=2, seed=7).svg())
    assert set(picture.poses) == {"chariot-0", "chariot-1"} and 'id="chariot-0"' not in picture.still
    pose = picture.poses["chariot-0"]
    turned = picture.sprite("chariot-0", pose._replace(turn=pose.turn + 40))
    assert f"rotate({-pose.turn - 40:.2f})" in turned


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["-o", "race.mp4"], "must end in .gif"),
        (["--from", "5", "--to", "2"], "comes after"),
        (["--size", "10"], "pixels wide"),
        (["--fps", "80"], "frames a second"),
        (["--from", "900"], "none of these turns"),
    ],
)
def test_wrong_options_are_refused_in_plain_words(
    given: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spina.new("charioteer", seats=2, seed=7).save(tmp_path / "race.json")
    assert main(["clip", str(tmp_path / "race.json"), *given]) == 2
    assert said in capsys.readouterr().err
    assert not list(tmp_path.glob("*.gif"))


def test_the_command_writes_a_clip_of_some_turns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    *_, race = states("charioteer", 2)
    race.save(tmp_path / "race.json")
    assert main(["clip", str(tmp_path / "race.json"), "--from", "1", "--to", "1", "--size", "240"]) == 0
    assert "seconds" in capsys.readouterr().out
    assert (tmp_path / "race.gif").read_bytes().startswith(b"GIF89a")


def test_a_clip_of_no_turns_is_refused() -> None:
    with pytest.raises(OptionError):
        make_clip(states("charioteer", 1), first=50)
