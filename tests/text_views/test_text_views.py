"""The race in words has every fact that the board and the panels show, in both languages."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

import spina
from spina.games import find
from spina.games.chariotmaster.pictures.layout import track_of
from spina.race import Race

PACKAGE = Path(spina.__file__).parent
SCRIPT = Path(__file__).parent / "describe.mjs"
NAMES = ["Livia", "Marcus", "Claudia", "Titus"]
ELSEWHERE = {"game", "rules", "edition", "seats", "seat", "options", "to_act", "over", "ranking"}
"""Fields of every view, which the page shows beside the text: whose choice it is, who has won."""


def positions(game: str, races: int = 4, each: int = 10, **options: Any) -> list[Race]:
    """Moments of races between careless drivers, so that much has gone wrong in them."""
    found = []
    for seed in range(races):
        race = spina.new(game, seats=4, seed=seed, **options)
        bots = [spina.bots.make(bot, game=game, seed=seed) for bot in ("competent", "random", "random", "competent")]
        moments = []
        while not race.over and len(moments) < 400:
            seat = race.to_act[0]
            race.play(seat, bots[seat].choose(race, seat))
            moments.append(race.copy())
        found += random.Random(seed).sample(moments, min(each, len(moments)))
    return found


def messages(game: str, language: str) -> dict[str, Any]:
    folders = [PACKAGE / "web" / "languages", PACKAGE / "games" / game.replace("-", "_") / "web" / "messages"]
    found: dict[str, Any] = {}
    for folder in folders:
        for path in (folder / language).glob("*.json"):
            found |= json.loads(path.read_text(encoding="utf-8"))
    return found


def described(game: str, views: list[Any], language: str = "en", **more: Any) -> dict[str, Any]:
    """What the page's own script says of these views, and which changes of them it does not tell."""
    node = shutil.which("node")
    assert node is not None, "node is missing, which comes with npm"
    flags = [] if _version(node) >= 22 else ["--experimental-default-type=module"]
    own = find(game)
    options = views[0]["options"]
    told = {
        "root": str(PACKAGE / "games" / game.replace("-", "_") / "web"),
        "language": language,
        "messages": messages(game, language),
        "places": own.scene(own.reference(), options).places,
        "options": options,
        "names": NAMES,
        "views": views,
        "unchanged": sorted(ELSEWHERE),
        "steps": {},
        **more,
    }
    answer = subprocess.run(
        [node, "--no-warnings", *flags, str(SCRIPT)],
        input=json.dumps(told),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert answer.returncode == 0, answer.stderr
    return dict(json.loads(answer.stdout))


def _version(node: str) -> int:
    return int(subprocess.run([node, "--version"], capture_output=True, text=True).stdout.strip("v\n").split(".")[0])


def views(races: list[Race], seat: int | None = 0) -> list[Any]:
    return [json.loads(msgspec.json.encode(race.view(seat))) for race in races]


BESIDE = {
    "charioteer": {"choice.wild": "the symbol names what the card was changed to"},
    "chariot-race": {
        "chariots.*.colour": "the faction has the word for it",
        "chariots.*.lane": "the name of the space begins with the lane",
    },
    "chariotmaster": {
        "chariots.*.colour": "the faction has the word for it",
        "chariots.*.team": "teams are an option, told when the race is set up",
        "chariots.*.finished": "home tells the place of those who have crossed the line",
        "pieces.*.chariot": "the number of the piece tells whose it is",
        "pieces.*.kind": "the number of the piece tells what it is",
        "scenario": "the track is described",
        "about": "told with the dice that luck may change; an attacker with the question",
    },
}
"""Facts that another fact of the text tells as well."""
STEPS = {"pieces.*.x": 400, "pieces.*.y": 400, "pieces.*.heading": 100, "pieces.*.length": 10, "pieces.*.width": 10}
"""By how much numbers are changed, if not by 1: the text rounds lengths to a tenth of a centimetre."""
OFTEN = 0.95
"""Part of the changes that must show. Of those who are out of the race the text does not tell everything."""
SELDOM = {
    "charioteer": {"choice": "only a choice that is made is told"},
    "chariot-race": {
        "chariots.*.chariot": "the number orders those who stand alike, and one's own is where gaps are counted from",
        "chariots": "wrecks and those who are home have no gap, no corner and no dice any more",
    },
    "chariotmaster": {
        "question": "while tokens are chosen nobody has the turn",
        "chariots.*.seat": "the number of the chariot has the name of its driver",
        "chariots.*.drawn": "only of chariots that have a token",
        "chariots.*.ready": "only of those whose token is hidden",
        "chariots.*.reins": "only of those who stand in a chariot",
        "chariots.*.out_of_control": "not of those who are out of the race",
        "pieces.*.length": "of all but one's own chariot",
        "pieces.*.width": "of all but one's own chariot",
        "asked": "if it is not the chariot that has the turn",
    },
}
"""Facts that are told only sometimes, and when."""


@pytest.mark.parametrize("game", BESIDE)
def test_every_fact_of_a_view_is_in_the_text(game: str) -> None:
    """Changes each fact of random positions, one at a time: the text must change with it."""
    found = described(game, views(positions(game)), steps=STEPS, unchanged=sorted(ELSEWHERE | BESIDE[game].keys()))
    assert found["missing"] == []
    assert len(found["told"]) > 20
    for fact, count in found["told"].items():
        seldom = any(fact == name or fact.startswith(f"{name}.") for name in SELDOM[game])
        assert count["told"] > 0, f"{fact} is never told"
        assert seldom or count["told"] >= OFTEN * count["tried"], (fact, count)


@pytest.mark.parametrize("game", BESIDE)
def test_spectators_and_spaniards_have_a_text_too(game: str) -> None:
    shown = positions(game, races=2, each=5)
    for language in ("en", "es"):
        for seat in (None, 1):
            found = described(game, views(shown, seat), language, unchanged=["chariots", "pieces", "discards", "hand"])
            assert found["missing"] == []
            for lines in found["texts"]:
                assert len(lines) >= 6
                wrong = ("undefined", "NaN", "null", "{", "[object")
                assert not any(part in line for line in lines for part in wrong)


def test_chariot_race_tells_every_corner_and_its_number() -> None:
    shown = views(positions("chariot-race", races=1, each=3))
    text = "\n".join(described("chariot-race", shown)["texts"][0])
    own = find("chariot-race")
    spaces = own.scene(own.reference(), shown[0]["options"]).places["spaces"]
    corners = [space for space in spaces if space["safe"]]
    assert len(corners) == 6
    for corner in corners:
        assert f"{corner['name']} at most {corner['safe']}" in text


def test_chariotmaster_tells_lane_heading_gaps_and_wrecks() -> None:
    shown = positions("chariotmaster", races=6, each=30)
    wrecked = [race for race in shown if any(piece["kind"] == "wreck" for piece in race.view(0)["pieces"])]
    assert wrecked, "nobody was wrecked: take more races"
    for race, lines in zip(wrecked, described("chariotmaster", views(wrecked))["texts"], strict=True):
        view, text = race.view(0), "\n".join(lines)
        if any(piece["piece"] == 0 for piece in view["pieces"]):
            for piece in view["pieces"]:
                if piece["kind"] == "wreck":
                    owner = view["chariots"][piece["chariot"]]
                    assert f"the wreck of {NAMES[owner['seat']]}: " in text
            racing = [c for c in view["chariots"] if any(p["piece"] == c["chariot"] for p in view["pieces"])]
            assert text.count("from the wall on the left") >= len(racing)
            assert text.count("It points ") >= len(racing)
            assert len([line for line in lines if " ahead, " in line or " behind, " in line]) == len(view["pieces"]) - 1


def test_places_on_the_track_are_those_of_the_rules() -> None:
    """The script's way from a pose to its place, against the way back, by which pictures are drawn."""
    own = find("chariotmaster")
    edition = own.reference()
    dice = random.Random(5)
    race = positions("chariotmaster", races=1, each=1)[0]
    [view] = views([race])
    track = track_of(edition.data, 0, "")
    shown, expected = [], []
    for _ in range(200):
        s, offset = dice.uniform(0, track.length), dice.uniform(-0.9, 0.9) * track.half_width
        x, y, heading = track.pose(s, offset)
        turned = dice.uniform(-90, 90)
        other = json.loads(json.dumps(view))
        piece = next(piece for piece in other["pieces"] if piece["piece"] == 0)
        piece |= {"x": x, "y": y, "heading": heading + turned * 10}
        shown.append(other)
        expected.append((track.half_width - offset, track.half_width + offset, turned))
    name = NAMES[0]
    for lines, (left, right, turned) in zip(
        described("chariotmaster", shown, unchanged=["chariots", "pieces", "driving"])["texts"], expected, strict=True
    ):
        line = next(line for line in lines if f" {name} (" in line)
        assert f"{_cm(left)} cm from the wall on the left and {_cm(right)} cm" in line
        assert f"{_tenths(abs(turned))}° to the {'left' if turned > 0 else 'right'} of the track" in line


def _cm(units: float) -> str:
    """Units of the rules in centimetres, as the page rounds them: to whole millimetres."""
    return _tenths(int(units / 10 + 0.5) / 10)


def _tenths(number: float) -> str:
    return f"{int(number * 10 + 0.5) / 10:.1f}".removesuffix(".0")
