"""Offers: every answer is legal and has the consequences that the offer states."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from losing_scenes import BYSTANDER, LEFT, STRIKES

import spina
from spina.games.chariotmaster.components.edition import reference
from spina.games.chariotmaster.play import events, odds
from spina.games.chariotmaster.rules.record import EDITION
from spina.kernel.record import look

if TYPE_CHECKING:
    from conftest import Table


def offered(t: Table) -> dict[str, Any]:
    found: dict[str, Any] = t.race.offer(t.race.to_act[0])
    return found


def listed(offer: dict[str, Any]) -> list[str]:
    """Every action that an offer names."""
    found = [answer["action"] for answer in (*offer.get("answers", ()), *offer.get("attacks", ()))]
    found += [one if isinstance(one, str) else one["action"] for one in offer.get("ready", ())]
    found += [change["action"] for die in offer.get("dice", ()) for change in die["changes"]]
    found += [side["action"] for side in offer.get("sides", ())]
    found += [f"walk {leg['direction']} {leg['mm']} mm" for leg in offer.get("legs", ())]
    found += [f"{way['way']} {way['most']}" for way in offer.get("ways", ())]
    return [*found, *offer.get("runs", ())]


@pytest.mark.parametrize(
    "options",
    [{}, {"scenario": "trial"}, {"points": 4, "fantasy": True}, {"chariots": 2, "points": 4, "fantasy": True}],
    ids=["circus", "trial", "fantasy", "two each"],
)
def test_everything_that_is_offered_in_a_wild_race_can_be_played(options: dict[str, Any]) -> None:
    race = spina.new("chariotmaster", seats=4, seed=11, **options)
    lot = random.Random(5)
    questions = set()
    for _ in range(500):
        if race.over:
            break
        seat = race.to_act[0]
        offer = race.offer(seat)
        assert json.loads(msgspec.json.encode(offer)) == offer
        questions.add(offer["question"])
        if offer["question"] == "speed tokens":
            tokens = [lot.choice(one["tokens"])["token"] for one in offer["chariots"]]
            race.play(seat, f"{'tokens' if len(tokens) > 1 else 'token'} {' '.join(tokens)}")
            continue
        assert offer["question"] == race.view(seat)["question"]
        for action in listed(offer):
            assert race.check(seat, action) is None, (offer["question"], action)
        race.play(seat, lot.choice(race.legal(seat)))
    assert {"speed tokens", "drive", "sub-move"} <= questions


def test_an_offer_changes_nothing(table: type[Table]) -> None:
    t = table()
    before = t.race.hash()
    offered(t)
    assert t.race.hash() == before


def test_an_offer_of_tokens_does_not_depend_on_those_that_rivals_have_chosen() -> None:
    offers = []
    for token in ("0", "10"):
        race = spina.new("chariotmaster", seats=3, seed=4)
        race.play(1, f"token {token}")
        offers.append(race.offer(0))
    assert offers[0] == offers[1]


def test_tokens_are_offered_with_their_distances_pivots_and_chances(table: type[Table]) -> None:
    race = spina.new("chariotmaster", seats=2, seed=1)
    (mine,) = race.offer(0)["chariots"]
    slow, middle, fast = mine["tokens"]
    assert (slow["least"], slow["most"], slow["pivot"]) == (0, 50, 45)
    assert (middle["least"], middle["most"], middle["pivot"]) == (50, 100, 30)
    assert (fast["least"], fast["most"], fast["pivot"]) == (100, 150, 10)
    assert fast["chances"] == [4 / 6, 3 / 6]


def test_after_a_first_choice_all_tokens_of_the_seat_are_offered_again() -> None:
    race = spina.new("chariotmaster", seats=2, chariots=2, seed=1)
    race.play(0, "token 5")
    assert [one["chariot"] for one in race.offer(0)["chariots"]] == [0, 2]


def test_each_way_is_offered_as_far_as_it_is_free(table: type[Table]) -> None:
    t = table({"progress": 100, "offset": 0, "token": "10"}, {"progress": 200, "offset": 0})
    ways = {way["way"]: way for way in offered(t)["ways"]}
    assert ways["ahead"]["most"] == 59  # 100 mm between the centres, less two halves of 40, less the gap at rest
    assert not t.why_not(f"ahead {ways['ahead']['most']}")
    assert t.why_not(f"ahead {ways['ahead']['most'] + 1}")


def test_a_side_sweep_names_its_price_and_whether_it_can_be_paid(table: type[Table]) -> None:
    t = table({"stamina": 0, "token": "5"}, BYSTANDER)
    sweep = next(way for way in offered(t)["ways"] if way["way"] == "right")
    assert (sweep["price"], sweep["exhausts"]) == (1, True)
    t = table({"stamina": 3, "token": "5"}, BYSTANDER)
    sweep = next(way for way in offered(t)["ways"] if way["way"] == "right")
    assert (sweep["price"], sweep["stamina"], sweep["exhausts"]) == (1, 2, False)


def test_another_sub_move_is_offered_with_the_chance_of_its_test(table: type[Table]) -> None:
    t = table({"token": "10"}, BYSTANDER, driving={"moved": 60, "submoves": 1})
    answers = {answer["action"]: answer for answer in offered(t)["answers"]}
    assert answers["announce"]["test"]["chance"] == 4 / 6
    assert answers["brake"]["price"] == 1


@pytest.mark.parametrize("structure", [1, 4, 7])
def test_the_dice_of_a_ram_are_those_that_are_rolled(table: type[Table], structure: int) -> None:
    beside = {"progress": 100, "offset": 29, "structure": structure}
    t = table({**LEFT, "reins": False}, beside, BYSTANDER, active=1, driving=STRIKES)
    ram = next(one for one in offered(t)["attacks"] if one["action"] == "ram red body")
    t.play("ram red body")
    rolled = t.told(events.RolledBoth)[0]
    assert (len(rolled.dice), len(rolled.others)) == (ram["dice"], ram["against"])
    assert ram["escape"] is None  # without reins it cannot defend itself


def test_the_attacked_sees_what_threatens_and_the_chance_of_every_escape(table: type[Table]) -> None:
    t = table(LEFT, {"progress": 100, "offset": 29}, BYSTANDER, active=1, driving=STRIKES)
    threat = next(one for one in offered(t)["attacks"] if one["action"] == "ram red body")
    t.play("ram red body")
    offer = offered(t)
    assert offer["question"] == "defence"
    assert (offer["attacker"], offer["attack"]["how"], offer["attack"]["part"]) == (1, "ram", "body")
    assert offer["attack"]["dice"] == threat["dice"]
    evade = next(answer for answer in offer["answers"] if answer["action"] == "evade")
    assert evade["test"]["chance"] == threat["escape"]
    t.play("evade")
    assert t.told(events.Tested)[0].modifier == evade["test"]["modifier"]


def test_a_bite_without_the_better_team_costs_the_biter_more() -> None:
    figures = look(reference().data, EDITION)
    strong, weak = odds._bite(figures, 4, 2), odds._bite(figures, 2, 4)
    assert strong["deals"] == pytest.approx(weak["takes"])
    assert strong["deals"] > strong["takes"]


def test_the_scene_has_the_parts_for_every_chariot_of_the_race() -> None:
    race = spina.new("chariotmaster", seats=4, chariots=2, seed=1)
    scene = race.game.scene(race.edition, race.options)
    assert [of["name"] for of in scene.places["figures"]["chariots"]] == [
        c["colour"] for c in race.view(None)["chariots"]
    ]
    for chariot in range(8):
        for part in ("car", "aboard", "slumped", "haft", "lying", "dragged", "wreck", "walker"):
            assert scene.board.count(f'id="spina-{part}-{chariot}"') == 1
    json.dumps(scene.places)
