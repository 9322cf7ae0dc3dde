"""Balance: the races recorded are those of a simulation, and known advantages are found."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import spina
from spina.errors import OptionError
from spina.games import get
from spina.games.chariot_race.lab.facts import PLACE_NAMES
from spina.games.studies import intervals
from spina.games.studies.facts import Facts, joined
from spina.games.studies.recording import Task
from spina.lab import balance, knobs, setups
from spina.lab.fact_collection import gather
from spina.lab.recorder import record, split


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "seats", "races"), [("charioteer", 3, 12), ("chariot-race", 6, 6), ("chariotmaster", 2, 1)]
)
def test_recorded_races_are_those_of_a_simulation(game: str, seats: int, races: int) -> None:
    simulated = spina.simulate(game, seats=seats, races=races, drivers="competent", seed=11, threads=1)
    parts = record(Task(game, seats, 11, 0, races))
    assert np.concatenate([part.hashes for part in parts]).tolist() == simulated["hash"].tolist()
    assert np.concatenate([part.places for part in parts]).tolist() == simulated["places"].tolist()
    facts = gather(Task(game, seats, 11, 0, races))
    assert facts.races["seed"].tolist() == simulated["seed"].tolist()
    assert facts.races["turns"].tolist() == simulated["turns"].tolist()


@pytest.mark.slow
def test_races_in_parts_give_the_same_facts() -> None:
    task = setups.make("charioteer", "longest 3", 12, 5)
    whole, parts = gather(task), joined([gather(part) for part in split(task, 5)])
    for name, column in whole.chariots.items():
        assert column.tolist() == parts.chariots[name].tolist() or column.dtype.kind == "f", name
    np.testing.assert_allclose(whole.chariots["won"], parts.chariots["won"])


def test_every_race_has_one_win_to_share_and_leads_that_add_up() -> None:
    facts = gather(setups.make("chariot-race", "field 6 BB", 25, 3))
    won = np.zeros(len(facts))
    np.add.at(won, facts.chariots["race"], facts.chariots["won"])
    np.testing.assert_allclose(won, (facts.races["winners"] > 0).astype(float))
    lead = np.zeros(len(facts))
    np.add.at(lead, facts.chariots["race"], facts.chariots["lead_2"])
    np.testing.assert_allclose(lead, 1.0)
    assert set(facts.chariots["grid"][facts.chariots["race"] == 0]) == set(PLACE_NAMES)
    assert (facts.chariots["place"][facts.chariots["won"] > 0] == 1).all()


def test_a_strong_driver_among_weak_ones_is_found() -> None:
    facts = gather(setups.make("charioteer", "field 4", 60, 2, drivers=("competent", "random")))
    (group,) = [each for each in balance.groups("charioteer", facts, ("competent", "random")) if each.title == "Driver"]
    shares = {share.name: share for share in group.shares}
    assert shares["competent"].unfair
    assert shares["competent"].estimate.low > 0.4
    assert shares["random"].estimate.high < 0.1
    assert shares["random"].fair == 0.25
    assert any("Driver" in line and "no clear" not in line for line in balance.headlines("charioteer", facts, [group]))


@pytest.mark.parametrize(
    ("wins", "says"),
    [
        (28, "Seat: no clear advantage."),
        (36, "Seat: red wins 36.0 %, more than its fair 25.0 % (4 seats); that may be chance, more races would tell."),
        (60, "Seat: red wins 60.0 %, more than its fair 25.0 % (4 seats)."),
    ],
)
def test_a_headline_says_how_sure_it_is(wins: int, says: str) -> None:
    facts = gather(setups.make("charioteer", "field 4", 4, 2))
    shares = [
        balance.Share("red", intervals.share(wins, 100), 0.25),
        balance.Share("blue", intervals.share(25, 100), 0.25),
    ]
    group = balance.Group("Seat", "4 seats", shares, balance.Grouping("Seat", "colour", "field"))
    assert says in balance.headlines("charioteer", facts, [group])


def test_a_rigged_chariot_is_found() -> None:
    text = get("chariot-race").reference().text
    rigged = knobs.apply("chariot-race", text, {"gold.first_condition": 1, "gold.first_speed": 1}, "rigged")
    facts = gather(setups.make("chariot-race", "kinds 6 AA", 40, 4, edition=rigged))
    shares = {share.name: share for share in balance.shares_by(facts, "kind")}
    assert len(shares) == 6
    assert min(shares.values(), key=lambda share: share.estimate.value).name == "sprinter"
    assert shares["sprinter"].unfair


def test_one_seat_with_a_handicap_never_does_what_it_is_kept_from() -> None:
    for label, column in (("peaceful 6 AA", "attacks"), ("unmended 6 AA", "repairs")):
        table = gather(setups.make("chariot-race", label, 6, 1)).chariots
        assert table[column][table["held"] == 1].sum() == 0
        assert table[column][table["held"] == 0].sum() > 0
        assert table["seat"][table["held"] == 1].tolist() == [0, 1, 2, 3, 4, 5]


@pytest.mark.slow
def test_equipment_and_species_are_read_as_they_were_dealt() -> None:
    for label in ("equipment 4", "species 6"):
        task = setups.make("chariotmaster", label, 1, 1)
        table = gather(task).chariots
        (options,) = [dict(each) for each in task.varied[:1]]
        for chariot, design in enumerate(options["designs"]):
            if isinstance(design, dict):
                assert table["chassis"][chariot] == design["chassis"]
            else:
                kit = get("chariotmaster").reference().kit  # type: ignore[attr-defined]
                assert table["species"][chariot] == kit.ready_made[design].race
        assert sorted(table["lane"].tolist()) == [*range(1, len(table["lane"]) + 1)]


def test_races_that_need_more_room_are_run_with_more(monkeypatch: pytest.MonkeyPatch) -> None:
    game = get("charioteer")
    sizes = dataclasses.replace(game.lab.sizes, events=300)
    monkeypatch.setattr(game, "lab", dataclasses.replace(game.lab, sizes=sizes))
    cramped = record(Task("charioteer", 2, 9, 0, 3))
    simulated = spina.simulate("charioteer", seats=2, races=3, drivers="competent", seed=9, threads=1)
    assert np.concatenate([part.hashes for part in cramped]).tolist() == simulated["hash"].tolist()


def test_set_ups_that_cannot_be_are_refused() -> None:
    with pytest.raises(OptionError, match="2 to 6 seats, not 9"):
        balance.tasks("charioteer", 10, 1, seats=[9])
    with pytest.raises(OptionError, match="kinds"):
        setups.make("charioteer", "kinds 4", 10, 1)
    with pytest.raises(OptionError, match="no driver"):
        gather(setups.make("charioteer", "sleepy 4", 10, 1))
    with pytest.raises(OptionError, match="such as"):
        setups.make("charioteer", "field", 10, 1)


def test_intervals_contain_what_they_should() -> None:
    dice = np.random.default_rng(3)
    hits = sum(
        (lambda estimate: estimate.low <= 0.3 <= estimate.high)(intervals.share(float(dice.binomial(200, 0.3)), 200))
        for _ in range(300)
    )
    assert 0.9 < hits / 300 < 0.99
    same = intervals.times(*(dice.poisson(4, (4, 500)).astype(float)))
    assert same.low < 1 < same.high


def test_the_best_of_equals_is_not_called_better() -> None:
    """Chance makes some group the best; the interval is corrected for that."""
    dice = np.random.default_rng(1)
    race = np.repeat(np.arange(900), 6)
    group = np.tile(np.arange(6), 900)
    won = np.zeros(5400)
    won[np.arange(900) * 6 + dice.integers(0, 6, 900)] = 1.0
    estimate = intervals.spread(won, group, race, range(6), worst=True)
    assert estimate.low < 1.1
    assert estimate.value > 1.1
    won[group == 2] += 0.3
    assert intervals.spread(won, group, race, range(6), worst=True).low > 1.5


def test_facts_keep_their_chariots_when_races_are_picked() -> None:
    facts = gather(dataclasses.replace(setups.make("charioteer", "field 2", 6, 1)))
    odd: Facts = facts.of_races(facts.races["number"] % 2 == 1)
    assert odd.races["number"].tolist() == [1, 3, 5]
    assert odd.chariots["race"].tolist() == [0, 0, 1, 1, 2, 2]
    assert odd.chariots["place"].tolist() == facts.chariots["place"].reshape(6, 2)[1::2].ravel().tolist()
