"""What advice says of two choices: each reason is true by the rules, none contradicts another, none tells a secret."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise

import pytest

import spina
from spina.errors import IllegalAction
from spina.games.chariot_race.rules.record import EDITION
from spina.games.choice_reasons import Reason, compared, held, sorted_out
from spina.kernel.record import look
from spina.race import Race
from spina.web.messages import bundle

GAMES = ("charioteer", "chariot-race", "chariotmaster")
CHOICES = {"charioteer": 40, "chariot-race": 160, "chariotmaster": 160}
PAIRS = 4


def positions(game: str, seed: int) -> Iterator[tuple[Race, int, list[str]]]:
    """Positions of a race that is driven half well, half at random, each with a few choices of a seat."""
    lot = random.Random(seed)
    race = spina.new(game, seats=3, seed=seed)
    driver = spina.bots.make("competent", game=game, seed=seed)
    for _ in range(CHOICES[game]):
        if race.over:
            return
        seat = race.to_act[0]
        good = driver.choose(race, seat)
        found = {str(good)}
        if game == "charioteer":
            offer = race.offer(seat)
            found |= {move["best"].choice for move in offer["moves"] if move["best"]}
            found.add(offer["reset"]["best"].choice)
            found |= {random_choice(race, seat, lot) for _ in range(3)}
        else:
            found |= {str(lot.choice(race.legal(seat))) for _ in range(PAIRS)}
        yield race, seat, lot.sample(sorted(found), len(found))[: PAIRS + 1]
        race.play(seat, good if lot.random() < 0.6 else str(lot.choice(sorted(found))))


def random_choice(race: Race, seat: int, lot: random.Random) -> str:
    """A whole choice of Charioteer, made of random steps."""
    trial, steps = race.copy(), []
    while not steps or trial.choosing(seat):
        steps.append(lot.choice(trial.legal(seat)))
        trial.play(seat, steps[-1])
    return str(race.game.gather(race.edition, steps))


def reasons(race: Race, seat: int, action: str, other: str, seed: int = 0) -> list[Reason]:
    """The reasons as a worker finds them: from a determinization of the race for the seat."""
    game, edition = race.game, race.edition
    state = race.determinized_state(seat, seed)
    try:
        return game.reasons(state, edition, seat, game.read(edition, action), game.read(edition, other))
    except IllegalAction:
        return []


def cases(game: str, seed: int) -> Iterator[tuple[Race, int, str, str, list[Reason]]]:
    for race, seat, actions in positions(game, seed):
        for one, two in pairwise(actions):
            yield race, seat, one, two, reasons(race, seat, one, two)


# --- of all games


@pytest.mark.parametrize("game", GAMES)
def test_reasons_have_words_and_mirror_each_other_and_tell_no_secret(game: str) -> None:
    known = [bundle(language, f"{game}.table") for language in ("en", "es")]
    some = 0
    for race, seat, one, two, found in cases(game, 5):
        some += bool(found)
        for reason in found:
            for messages in known:
                assert f"reason.{game}.{reason.code}.{'for' if reason.good else 'against'}" in messages, reason
        facts = [(reason.code, reason.good, str(reason.values.get("rivals"))) for reason in found]
        assert len(facts) == len(set(facts)), found
        mirrored = reasons(race, seat, two, one)
        for reason in mirrored:  # what speaks for one choice does not speak for the other as well
            assert (reason.code, reason.good, str(reason.values.get("rivals"))) not in facts, (one, two, reason)
        assert found == reasons(race, seat, one, two, seed=99), "the reason depends on what the seat cannot see"
    assert some > 30


def test_a_reason_is_a_clear_difference_and_those_for_a_choice_come_first() -> None:
    assert compared("x", 5, 5) == [] and compared("x", 5.5, 5.0, least=1) == []
    assert compared("x", 7, 5) == [Reason("x", True, {"n": 7, "by": 2, "count": 2})]
    assert compared("x", 7, 5, less=True)[0].good is False and compared("x", 3, 5, less=True)[0].good is True
    assert held("x", True, True) == [] and held("x", False, True) == [Reason("x", False, {})]
    every = [Reason(str(n), bool(n % 2)) for n in range(12)]
    assert [r.code for r in sorted_out(every)] == ["1", "3", "5", "0", "2"]


# --- Charioteer: the choice is played while all rivals stay where they are


class Played:
    """What a choice of Charioteer leads to when every rival resets, from the race itself and its events."""

    def __init__(self, race: Race, seat: int, action: str) -> None:
        trial = race.copy()
        for rival in range(trial.seats):
            if trial.retractable(rival):
                trial.retract(rival)
        before = trial.view(seat)["chariots"][seat]
        events = list(trial.play(seat, action))
        for rival in trial.to_act:
            events += trial.play(rival, "reset: a")
        after = trial.view(seat)["chariots"][seat]
        own = [event for event in events if getattr(event, "seat", None) == seat]
        kinds = [type(event).__name__ for event in own]
        self.spaces = after["progress"] - before["progress"]
        self.finished = after["progress"] >= race.edition.spaces * race.edition.laps
        self.passes = {event.rival for event in own if type(event).__name__ == "Passed"}
        self.damage = after["damage"] - sum(event.cubes for event in own if type(event).__name__ == "Suffered")
        self.shielded = "Shielded" in kinds or "Calmed" in kinds
        self.attack = sum(event.cubes for event in own if type(event).__name__ == "Attacked")
        self.bonus = {colour: skill["bonus"] for colour, skill in after["skills"].items()}
        self.gained = sum(self.bonus.values()) - sum(skill["bonus"] for skill in before["skills"].values())
        self.steps = kinds.count("Learned")
        self.fans = sum(type(event).__name__ == "FanToken" and not event.empty for event in own)
        held_before = sum(before["player_tokens"].values()) + before["fan_tokens"]
        self.spent = held_before + self.fans - sum(after["player_tokens"].values()) - after["fan_tokens"]


@pytest.mark.parametrize("seed", [1, 2])
def test_reasons_of_charioteer_are_what_happens(seed: int) -> None:
    stated = set()
    for race, seat, one, two, found in cases("charioteer", seed):
        own, its = Played(race, seat, one), Played(race, seat, two)
        for reason in found:
            values, good = reason.values, reason.good
            better, worse = (own, its) if good else (its, own)
            stated.add(reason.code)
            match reason.code:
                case "spaces" | "damage" | "attack":
                    mine, theirs = getattr(own, reason.code), getattr(its, reason.code)
                    assert (values["n"], values["by"]) == (mine, abs(mine - theirs)), (one, two, reason)
                    assert good == ((mine < theirs) == (reason.code == "damage"))
                case "finish":
                    assert better.finished and not worse.finished
                case "passes":
                    assert set(values["rivals"]) == better.passes - worse.passes and not worse.passes - better.passes
                case "shield":
                    assert better.shielded and not worse.shielded
                case "bonus":
                    assert better.bonus[values["colour"]] == values["bonus"] and better.gained > worse.gained
                case "training":
                    assert better.steps - worse.steps == values["by"]
                case "fan-token":
                    assert better.fans > worse.fans
                case "token":
                    assert better.spent < worse.spent and str(values["token"]).split()[0] in (two if good else one)
                case code:
                    raise AssertionError(code)
    assert {"spaces", "damage", "bonus", "training", "token"} <= stated, stated


# --- Chariot Race: every path is driven to its end


class Driven:
    """The ends of every path of a move that begins with an action, found one by one."""

    def __init__(self, race: Race, seat: int, action: str) -> None:
        edition = race.edition
        chariot = race.view(seat)["chariot"]
        stage = race.view(seat)["stage"]
        if stage in ("signs", "path"):
            every = [path for path in race.outlook(seat) if path.actions[0] == action]
        else:
            trial = race.copy()
            trial.play(seat, action)
            while trial.view(seat)["stage"] in ("free re-roll", "fortune") and trial.view(seat)["chariot"] == chariot:
                trial.play(seat, "keep")
            now = trial.view(seat)
            known = now["stage"] in ("signs", "path") and now["chariot"] == chariot
            every = trial.outlook(seat) if known else []
        self.known = bool(every)
        before = race.view(seat)["chariots"][chariot]["condition"]
        numbers = {name: number for number, name in enumerate(edition.space_names)}
        alive = [path for path in every if not path.wrecked]
        self.survives = bool(alive)
        self.finishes = any(path.lap >= edition.laps for path in alive)
        if not alive:
            return

        def damage(path: object) -> int:
            return int(before - path.condition)  # type: ignore[attr-defined]

        def come(path: object) -> int:
            return int(path.lap * edition.length + edition.front[numbers[path.space]])  # type: ignore[attr-defined]

        self.damage = min(map(damage, alive))
        cheap = [path for path in alive if damage(path) == self.damage]
        self.distance = max(map(come, cheap))
        self.best = [path for path in cheap if come(path) == self.distance]
        self.ends = [numbers[path.space] for path in self.best]
        rivals = [c["distance"] for c in race.view(seat)["chariots"] if c["chariot"] != chariot and not c["wrecked"]]
        self.place = 1 + sum(rival > self.distance for rival in rivals)


def in_range(race: Race, seat: int, space: int) -> set[int]:
    """Rivals from whose space this one can be reached in as many steps over borders as a javelin flies."""
    figures = look(race.edition.data, EDITION)
    chariots = race.view(seat)["chariots"]
    return {
        c["chariot"]
        for c in chariots
        if c["seat"] != seat and not c["wrecked"] and c["space"] is not None and figures.near[c["space"], space] > 0
    }


@pytest.mark.parametrize("seed", [3, 4])
def test_reasons_of_chariot_race_are_true_of_every_path(seed: int) -> None:
    stated = set()
    for race, seat, one, two, found in cases("chariot-race", seed):
        stage, edition = race.view(seat)["stage"], race.edition
        moves = stage in ("signs", "path") or (stage in ("free re-roll", "fortune") and "re-roll" not in one + two)
        own, its = (Driven(race, seat, each) for each in (one, two)) if moves else (None, None)
        offer = race.offer(seat)
        for reason in found:
            values, good = reason.values, reason.good
            stated.add(reason.code)
            if stage == "repair":
                mine, theirs = (next(r for r in offer["repair"] if r["action"] == each) for each in (one, two))
                name = {"fate": "cost", "first-speed": "speed"}.get(reason.code, reason.code)
                assert (values["n"], values["by"]) == (mine[name], abs(mine[name] - theirs[name]))
                assert good == ((mine[name] < theirs[name]) == (reason.code == "fate"))
            elif stage == "attack":
                struck = one if good else two
                told = next(a for a in offer["attacks"] if a["action"] == struck)
                if told["kind"] == "javelin":
                    trial = race.copy()
                    trial.play(seat, struck)
                    hit = trial.view(seat)["chariots"][told["target"]]
                    assert values["rivals"] == [told["target"]] and hit["wrecked"] == (reason.code == "javelin-wrecks")
                    if not hit["wrecked"]:
                        assert hit["condition"] == values["left"]
                else:
                    for rival in values["rivals"]:
                        c = race.view(seat)["chariots"][rival]
                        figures, here, way = look(edition.data, EDITION), c["space"], []
                        for _ in range(c["speed"]):
                            here = int(figures.next[here, 0])
                            way.append(here)
                        assert told["space"] in way and c["seat"] != seat
            elif own is not None and its is not None and own.known and its.known:
                better, worse = (own, its) if good else (its, own)
                match reason.code:
                    case "survives":
                        assert better.survives and not worse.survives
                    case "finish":
                        assert better.finishes and not worse.finishes
                    case "damage":
                        assert better.damage < worse.damage and values["by"] == worse.damage - better.damage
                        assert values["n"] == own.damage
                    case "bend":
                        assert its.damage - own.damage == values["by"]
                        assert any(path.corner for path in its.best) and any(not path.corner for path in own.best)
                    case "further":
                        assert own.damage == its.damage and better.distance > worse.distance
                        unit = edition.length / edition.spaces * edition.lanes
                        assert values["by"] == pytest.approx((better.distance - worse.distance) / unit)
                    case "place":
                        assert own.damage == its.damage and better.place < worse.place and values["n"] == own.place
                    case "javelins":
                        reached = [in_range(race, seat, end) for end in worse.ends]
                        spared = [in_range(race, seat, end) for end in better.ends]
                        rivals = set(values["rivals"])
                        assert any(rivals <= there for there in reached)
                        assert any(not rivals & there for there in spared)
                    case "lane":
                        lanes = {edition.lane[end] for end in own.ends}
                        assert values["n"] in lanes
                    case "speed" | "next-bend":
                        name = "n" if reason.code == "speed" else "speed"
                        assert values[name] in {path.speed for path in own.best}
                    case "lanes" | "attacks" | "fate":
                        pass
                    case code:
                        raise AssertionError(code)
            elif reason.code in ("lie-damage", "lie-wreck", "sure", "sure-free"):
                kept = Driven(race, seat, two if reason.code.startswith("lie") else one)
                if kept.known:
                    assert kept.survives == (reason.code != "lie-wreck")
                    if kept.survives:
                        assert kept.damage == values["n"]
                    if reason.code.startswith("sure"):
                        assert values["space"] in {path.space for path in kept.best}
            elif reason.code == "chance":
                faces = offer["dice"]["chances"][values["side"]]
                assert values["share"] == pytest.approx(faces[len(one.split()) - 2], abs=1e-3)
    assert {"damage", "further", "javelins", "fate", "lane"} <= stated, stated


# --- Chariotmaster: the move is made, and the offer says the odds


@pytest.mark.parametrize("seed", [6, 7])
def test_reasons_of_chariotmaster_are_what_the_rules_say(seed: int) -> None:
    stated = set()
    for race, seat, one, two, found in cases("chariotmaster", seed):
        offer = race.offer(seat)
        for reason in found:
            values, good = reason.values, reason.good
            better, worse = (one, two) if good else (two, one)
            stated.add(reason.code)
            match reason.code:
                case "token-most" | "token-pivot" | "token-test" | "token-room":
                    tokens = {each["token"]: each for each in offer["chariots"][0]["tokens"]}
                    mine, theirs = (tokens[each.removeprefix("token ")] for each in (one, two))
                    if reason.code == "token-room":
                        bound = theirs if good else mine
                        assert values["least"] == pytest.approx(bound["least"] / 10)
                        assert values["least"] > values["room"] == pytest.approx(offer["chariots"][0]["room"] / 10)
                    elif reason.code == "token-test":
                        assert values["share"] == pytest.approx(mine["chances"][0], abs=1e-3)
                        assert good == (mine["chances"][0] > theirs["chances"][0])
                    else:
                        name = reason.code.removeprefix("token-")
                        unit = 10 if name == "most" else 1
                        assert values["n"] == pytest.approx(mine[name] / unit)
                        assert good == (mine[name] > theirs[name])
                case "gained":
                    gains = []
                    for action in (one, two):
                        trial = race.copy()
                        chariot = offer["chariot"]
                        before = trial.view(seat)["chariots"][chariot]["progress"]
                        if not action.startswith("run"):  # what is run over may throw the chariot about
                            trial.play(seat, action)
                        gains.append(trial.view(seat)["chariots"][chariot]["progress"] - before)
                    if "run" not in one + two and not {"left", "right"} & {one.split()[0], two.split()[0]}:
                        assert values["n"] == pytest.approx(gains[0] / 10, abs=0.02)
                        assert good == (gains[0] > gains[1])
                case "room" | "beside":
                    told = [race.explain(seat, action) for action in (one, two)]
                    rooms = [
                        min(each.room_ahead, 600) if reason.code == "room" else min(each.room_left, each.room_right)
                        for each in told
                    ]
                    assert values["n"] == pytest.approx(rooms[0] / 10) and good == (rooms[0] > rooms[1])
                    assert values["by"] >= 1
                case "reach":
                    assert race.explain(seat, better).attacks and not race.explain(seat, worse).attacks
                case "stamina":
                    prices = [race.explain(seat, action).price for action in (one, two)]
                    assert good == (prices[0] < prices[1]) and values["by"] == abs(prices[0] - prices[1])
                case "exhausts":
                    assert not race.explain(seat, better).exhausts and race.explain(seat, worse).exhausts
                case "test" | "next-test":
                    name = reason.code.replace("-", "_")
                    chances = [getattr(race.explain(seat, action), name).chance for action in (one, two)]
                    assert values["share"] == pytest.approx(chances[0], abs=1e-3) and good == (chances[0] > chances[1])
                case "no-test":
                    assert race.explain(seat, better).test is None
                    chance = race.explain(seat, worse).test.chance
                    assert values["share"] == pytest.approx(1 - chance, abs=1e-3)
                case "deals" | "takes" | "throws":
                    named = {each["action"]: each.get(reason.code) or 0.0 for each in offer["attacks"]}
                    odds = [named.get(action, 0.0) for action in (one, two)]
                    assert good == ((odds[0] < odds[1]) == (reason.code == "takes"))
                case "faster" | "slower":
                    for luck in range(4):
                        events = race.determinized(seat, luck).play(seat, better)
                        changed = next(event for event in events if type(event).__name__ == "Changed")
                        change = changed.mm if reason.code == "faster" else -changed.mm
                        assert 10 <= change <= 10 * values["n"], (better, change)
                case "luck":
                    faces = {c["action"]: c["face"] for die in offer["dice"] for c in die["changes"]}
                    lies = offer["dice"][0]["face"]
                    assert faces.get(better, lies) in offer["passing"]
                    assert faces.get(worse, lies) not in offer["passing"]
                case code:
                    raise AssertionError(code)
    assert {"token-most", "token-pivot", "gained", "room", "stamina"} <= stated, stated
