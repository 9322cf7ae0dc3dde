"""Hints and chances: for whom they are, and that they say nothing that a seat does not know."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from house_helpers import Ear, House, in_house, legal

import spina
from spina import bots
from spina.race import Race
from spina.table.bots import hints
from spina.table.bots.bot_pool import BotPool
from spina.table.bots.win_chances import public_chances
from spina.table.bots.worker import advise
from spina.table.bots.worker_messages import AdviceQuestion, Question
from spina.table.live import replay_steps
from spina.table.refusals import Refusal
from spina.web.messages import bundle

GAMES = spina.game_names()


def in_the_middle(game: str, choices: int = 10, seed: int = 3) -> Race:
    race = spina.new(game, seats=3, seed=seed)
    driver = bots.make("competent", game=game, seed=1)
    for _ in range(choices):
        seat = race.to_act[-1]
        race.play(seat, driver.choose(race, seat))
    return race


def refusal(error: pytest.ExceptionInfo[Refusal]) -> str:
    return error.value.code


# --- what advice says


@pytest.mark.parametrize("game", GAMES)
def test_advice_names_choices_that_can_be_made_with_everybodys_chances(game: str) -> None:
    race = in_the_middle(game)
    seat = race.to_act[0]
    found = advise(AdviceQuestion.of(race, seat, 5, iterations=8, milliseconds=60_000.0))
    assert found.seat == seat and found.candidates
    for candidate in found.candidates:
        assert race.check(seat, candidate.action) is None
        assert sum(candidate.chances) == pytest.approx(1, abs=1e-3)
    own = [candidate.chances[seat] for candidate in found.candidates]
    assert own == sorted(own, reverse=True) and found.chances == found.candidates[0].chances


def test_a_hint_is_the_same_whatever_the_others_hold() -> None:
    race = in_the_middle("charioteer", 9)
    seat = race.to_act[0]
    other = race.determinized(seat, 12345)
    rival = next(each for each in range(race.seats) if each != seat)
    assert race.view(rival)["hand"] != other.view(rival)["hand"] and race.view(seat) == other.view(seat)
    asked = [AdviceQuestion.of(each, seat, 5, iterations=40, milliseconds=60_000.0) for each in (race, other)]
    assert asked[0].state == asked[1].state
    assert advise(asked[0]) == advise(asked[1])


def test_a_hint_is_the_same_whether_or_not_others_have_chosen() -> None:
    race = spina.new("charioteer", seats=3, seed=8)
    before = AdviceQuestion.of(race, 0, 5, iterations=40, milliseconds=60_000.0)
    race.play(2, bots.make("competent", game="charioteer", seed=1).choose(race, 2))
    after = AdviceQuestion.of(race, 0, 5, iterations=40, milliseconds=60_000.0)
    assert advise(before) == advise(after)


def test_what_everybody_sees_of_the_chances_hides_what_is_chosen_in_secret() -> None:
    race = in_the_middle("charioteer", 9)
    known = public_chances(race)
    other = race.determinized(None, 999)
    assert public_chances(other) == known
    for seat in race.to_act[:-1]:
        race.play(seat, bots.make("competent", game="charioteer", seed=1).choose(race, seat))
        assert public_chances(race) == known


def test_every_reason_has_words_in_every_language_and_every_word_a_reason() -> None:
    for game in GAMES:
        source = (Path(spina.games.__file__).parent / game.replace("-", "_") / "play" / "reasons.py").read_text()
        stated = set(re.findall(r'"([a-z-]+)"', source))
        for language in ("en", "es"):
            ids = [id_.split(".") for id_ in bundle(language, f"{game}.table") if id_.startswith(f"reason.{game}.")]
            said = {(code, way) for _, _, code, way in ids}
            assert said == {
                tuple(id_.split(".")[2:]) for id_ in bundle("en", f"{game}.table") if id_.startswith(f"reason.{game}.")
            }
            for code, way in said:
                assert code in stated or code.removeprefix("draft-") in source, f"{language}: {code} is never said"
                assert way in ("for", "against")


@pytest.mark.parametrize("game", GAMES)
def test_advice_says_why_in_facts_or_leaves_it_to_the_chances(game: str) -> None:
    race = in_the_middle(game)
    seat = race.to_act[0]
    found = advise(AdviceQuestion.of(race, seat, 5, iterations=8, milliseconds=60_000.0))
    others = [each.action for each in found.candidates[1:]]
    assert (found.against is None) == (not others)
    if others:
        assert found.against in others
        typed = [race.game.read(race.edition, action) for action in (found.candidates[0].action, found.against)]
        assert found.reasons == race.game.reasons(race.determinized_state(seat, 7), race.edition, seat, *typed)
        good = [reason.good for reason in found.reasons]
        assert good == sorted(good, reverse=True)


@pytest.mark.parametrize("game", GAMES)
def test_no_offer_marks_a_choice_as_advised(game: str) -> None:
    """One adviser: the hint, which must be asked. So a table without hints has nothing to hide."""

    def names(data: Any) -> set[str]:
        if isinstance(data, dict):
            return set(data) | {name for value in data.values() for name in names(value)}
        return {name for each in data for name in names(each)} if isinstance(data, list) else set()

    race = spina.new(game, seats=3, seed=2)
    driver = bots.make("competent", game=game, seed=1)
    asked = set()
    for _ in range(60):
        seat = race.to_act[0]
        offer = json.loads(msgspec.json.encode(race.offer(seat)))
        asked |= names(offer)
        race.play(seat, driver.choose(race, seat))
    assert asked and not [name for name in asked if re.search("advi|hint|suggest|recommend", name)]


# --- who gets one


def test_only_a_seat_that_owes_a_choice_gets_a_hint_for_its_own_person(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna, bruno = await house.visitor("Anna"), await house.visitor("Bruno")
        room = await house.table(anna, "charioteer", "me", "screen", "open", hints=True)
        with pytest.raises(Refusal) as early:
            await house.services.hints.hint(room, anna.id, 0)
        assert refusal(early) == "not-started"
        await house.lobby.sit(bruno, room.table.id)
        journal = await house.store.journal(room.table.id)
        ears = [Ear(bruno, 2), Ear("spectator")]
        for ear in ears:
            room.enter(ear, None)
        for ear in ears:
            ear.heard.clear()
        version, advice = await house.services.hints.hint(room, anna.id, 0)
        assert version == room.table.version and advice.seat == 0
        assert room.race is not None and room.race.check(0, advice.candidates[0].action) is None
        assert (await house.services.hints.hint(room, anna.id, 1))[1].seat == 1
        assert [ear.heard for ear in ears] == [[], []]
        assert await house.store.journal(room.table.id) == journal
        for visitor, seat, code in (
            ("spectator", 0, "not-yours"),
            (anna.id, 2, "not-yours"),
            (anna.id, 7, "malformed"),
        ):
            with pytest.raises(Refusal) as refused:
                await house.services.hints.hint(room, visitor, seat)
            assert refusal(refused) == code
        await room.play(anna.id, 0, [legal(room, 0)])
        with pytest.raises(Refusal) as late:
            await house.services.hints.hint(room, anna.id, 0)
        assert refusal(late) == "not-now"

    in_house(tmp_path, test)


def test_a_hint_that_is_asked_for_twice_is_thought_about_once_and_not_too_often(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna = await house.visitor("Anna")
        room = await house.table(anna, "charioteer", "me", "screen", "screen")
        first = await house.services.hints.hint(room, anna.id, 0)
        assert await house.services.hints.hint(room, anna.id, 0) == first
        assert len(house.bot_pool.inquiries) == 1
        for _ in range(int(hints.HINTS_AT_ONCE) - 2):
            await house.services.hints.hint(room, anna.id, 0)
        with pytest.raises(Refusal) as refused:
            await house.services.hints.hint(room, anna.id, 0)
        assert refusal(refused) == "too-fast"

    in_house(tmp_path, test)


@pytest.mark.parametrize(
    ("kinds", "wished", "allowed"),
    [
        (("me", "medium", "medium"), None, True),
        (("screen", "screen", "medium"), None, True),
        (("me", "medium", "medium"), False, False),
        (("me", "open", "medium"), None, False),
        (("me", "open", "medium"), True, True),
    ],
)
def test_hints_are_for_races_against_bots_unless_the_host_decides_otherwise(
    tmp_path: Path, kinds: tuple[str, ...], wished: bool | None, allowed: bool
) -> None:
    async def test(house: House) -> None:
        house.bot_pool.allowed.clear()
        anna, bruno = await house.visitor("Anna"), await house.visitor("Bruno")
        room = await house.table(anna, "charioteer", *kinds, hints=wished)
        if "open" in kinds:
            await house.lobby.sit(bruno, room.table.id)
        room = await house.reopened(room)
        mine, watching = Ear(anna, 0), Ear("spectator")
        for ear in (mine, watching):
            room.enter(ear, None)
        assert mine.state["hints"] is allowed
        assert (mine.state["chances"] is not None) is allowed
        assert len(watching.state["chances"]) == 3
        if allowed:
            house.bot_pool.allowed.set()
            await house.services.hints.hint(room, anna.id, 0)
        else:
            with pytest.raises(Refusal) as refused:
                await house.services.hints.hint(room, anna.id, 0)
            assert refusal(refused) == "no-hints"

    in_house(tmp_path, test)


def test_a_replay_of_a_running_race_shows_the_chances_to_those_who_may_know_them(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna, bruno = await house.visitor("Anna"), await house.visitor("Bruno")
        room = await house.together("charioteer", anna, bruno, await house.visitor("Carla"))
        assert not room.may_judge(anna.id) and room.may_judge("spectator")
        for judging in (False, True):
            replay = await house.services.replays.part(room, None, 0, 5, judging=judging)
            assert isinstance(replay, replay_steps.Replay)
            assert (replay.standings[0].chances is not None) is judging

    in_house(tmp_path, test)


# --- the workers


@pytest.mark.slow
def test_a_worker_gives_advice_and_lets_choices_go_first() -> None:
    race = in_the_middle("charioteer")
    seat = race.to_act[0]

    async def run() -> None:
        pool = BotPool(1)
        inquiry = AdviceQuestion.of(race, seat, 5, iterations=200, milliseconds=60_000.0)
        order: list[str] = []

        async def ask(name: str, asked: Any) -> Any:
            found = await asked
            order.append(name)
            return found

        try:
            leisurely = [ask(f"leisure {n}", pool.advise(inquiry, leisurely=True)) for n in range(3)]
            question = Question.of(race, seat, "competent", 5)
            tasks = [asyncio.create_task(each) for each in leisurely]
            await asyncio.sleep(0)
            tasks.append(asyncio.create_task(ask("choice", pool.choose(question))))
            found = await asyncio.gather(*tasks)
        finally:
            await pool.close()
        assert found[0] == found[1] == advise(inquiry)
        assert order.index("choice") <= 1
        assert race.check(seat, found[3]) is None

    asyncio.run(run())


def test_advice_can_be_read_by_programs() -> None:
    race = in_the_middle("charioteer")
    found = advise(AdviceQuestion.of(race, race.to_act[0], 5, iterations=20, milliseconds=60_000.0))
    plain = json.loads(msgspec.json.encode(found))
    assert set(plain) == {"seat", "candidates", "chances", "reasons", "against", "chosen"}
