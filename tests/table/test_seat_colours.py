"""Colours of seats: chosen among those that no other person has, different for all seats, drawn everywhere."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from house_helpers import House, in_house
from hypothesis import given
from hypothesis import strategies as st

import spina
from spina.games import find
from spina.table.http.table_pages import scene_of
from spina.table.live.lobby import Place, Setup
from spina.table.live.seat_colours import can_choose, colour_of, free_colours, with_colour
from spina.table.refusals import Refusal
from spina.table.store.records import Seat


def refusal(code: str) -> Any:
    return pytest.raises(Refusal, check=lambda error: error.code == code)


@given(st.integers(2, 6), st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12))
def test_exchanging_colours_keeps_them_different(count: int, wishes: list[tuple[int, int]]) -> None:
    seats = [Seat(table="t", seat=number, kind="open") for number in range(count)]
    for number, colour in wishes:
        number %= count
        for changed in with_colour(seats, number, colour):
            seats[changed.seat] = changed
        assert colour_of(seats[number]) == colour
        assert len({colour_of(seat) for seat in seats}) == count


def test_people_get_the_colour_they_prefer_unless_somebody_has_it(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna, bruno, carla = [await house.visitor(name) for name in ("Anna", "Bruno", "Carla")]
        await house.lobby.change(anna, colour=3)
        await house.lobby.change(bruno, colour=3)
        room = await house.table(anna, "charioteer", "me", "competent", "open", "open")
        assert room.colours() == [3, 1, 2, 0]  # the seat that had green has red now
        await house.lobby.sit(bruno, room.table.id)
        assert room.colours() == [3, 1, 2, 0]
        with refusal("full"):
            await house.lobby.sit(carla, room.table.id, colour=3)
        assert free_colours(room.table, room.seats, carla.id) == [0, 1, 4, 5]
        await house.services.seating.choose_colour(bruno, room.table.id, 1)  # the bot's
        assert room.colours() == [3, 2, 1, 0]
        with refusal("full"):
            await house.services.seating.choose_colour(bruno, room.table.id, 3)
        with refusal("not-yours"):
            await house.services.seating.choose_colour(carla, room.table.id, 5)
        await house.lobby.sit(carla, room.table.id, 3, 5)
        assert room.table.status == "running" and room.colours() == [3, 2, 1, 5]
        with refusal("full"):
            await house.services.seating.choose_colour(bruno, room.table.id, 4)
        again = await house.reopened(room)
        assert again.colours() == [3, 2, 1, 5]
        assert [person.colour for person in again.state_for(anna.id, 0).seats] == [3, 2, 1, 5]

    in_house(tmp_path, test)


def test_a_link_leads_to_the_seat_and_colour_that_were_chosen(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna, bruno = await house.visitor("Anna"), await house.visitor("Bruno")
        room = await house.table(anna, "charioteer", "me", "open", "open")
        secret = await house.invitations.link(anna, "join", room.table.id)
        await house.invitations.use(bruno, secret, 2, 4)
        assert room.own_seats(bruno.id) == [2] and room.colours() == [0, 1, 4]

    in_house(tmp_path, test)


def test_a_bot_that_takes_over_keeps_the_colour(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna, bruno = await house.visitor("Anna"), await house.visitor("Bruno")
        await house.lobby.change(bruno, colour=5)
        room = await house.together("charioteer", anna, bruno)
        await house.lobby.leave(bruno, room.table.id)
        assert room.seats[1].kind == "bot" and room.colours() == [0, 5]

    in_house(tmp_path, test)


def test_where_chariots_have_colours_of_their_own_nobody_chooses(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna, bruno = await house.visitor("Anna"), await house.visitor("Bruno")
        await house.lobby.change(anna, colour=3)
        for setup in (
            Setup("chariot-race", [Place("me"), Place("open")]),
            Setup("chariotmaster", [Place("me"), Place("open")], options={"chariots": 2}),
        ):
            room = await house.rooms.room(await house.lobby.create(anna, setup))
            assert not can_choose(room.table) and room.colours() == [0, 1]
            with refusal("full"):
                await house.lobby.sit(bruno, room.table.id, colour=4)

    in_house(tmp_path, test)


@pytest.mark.parametrize("game", ["charioteer", "chariotmaster"])
def test_pictures_show_the_chosen_colours(game: str) -> None:
    race = spina.new(game, seats=3, seed=1)
    usual, chosen = race.svg(), race.svg(colours=[4, 5, 3])
    for letter in "RWB":
        assert usual.count(f">{letter}<") > chosen.count(f">{letter}<")
    for letter in "PAG":
        assert usual.count(f">{letter}<") < chosen.count(f">{letter}<")
    assert race.svg() == usual  # for this picture only


def test_pictures_of_games_whose_chariots_have_colours_stay_as_they_are() -> None:
    race = spina.new("chariot-race", seats=3, seed=1)
    assert race.svg() == race.svg(colours=[4, 5, 3])


def test_the_board_of_chariotmaster_has_pieces_in_the_chosen_colours(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna = await house.visitor("Anna")
        await house.lobby.change(anna, colour=4)
        room = await house.table(anna, "chariotmaster", "me", "competent")
        scene = scene_of(room.table, room.seats)
        figures = scene.places["figures"]["chariots"]
        assert [(one["name"], one["faction"], one["letter"]) for one in figures] == [("red", 4, "P"), ("white", 1, "W")]
        plain = find("chariotmaster").scene(find("chariotmaster").reference(), room.table.options)
        assert scene.board != plain.board
        assert re.sub("#[0-9a-f]{6}", "", scene.board) != scene.board

    in_house(tmp_path, test)
