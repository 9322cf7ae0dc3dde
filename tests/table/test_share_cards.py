"""What messengers show beside a link: a title, and a picture in which nothing hidden is."""

from __future__ import annotations

import random
import re
import struct
from pathlib import Path

import pytest
from house_helpers import House, in_house, legal
from serving_helpers import Server

import spina
from spina.table.http import share_cards
from spina.table.http.share_cards import card_svg, png, public_svg
from spina.table.live.room import Room

GAMES = ("charioteer", "chariot-race", "chariotmaster")


def size_of(data: bytes) -> tuple[int, int]:
    """Width and height of a PNG."""
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", data[16:24])


@pytest.mark.parametrize("game", GAMES)
def test_a_picture_is_the_same_whatever_is_hidden(game: str) -> None:
    """Hidden cards, draw piles and pending choices are dealt anew ten times: the picture does not change."""
    race = spina.new(game, seats=3, seed=5)
    names, draws = ["Anna", "Ben", "Carla"], random.Random(5)
    for step in range(60):
        if race.over:
            break
        seat = race.to_act[0]  # in between, some seats have chosen in secret and others have not
        race.play(seat, draws.choice(race.legal(seat)))
        if step % 6 == 0:
            shown = public_svg(race, names, [3, 4, 5])
            for seed in range(10):
                assert public_svg(race.determinized(None, seed), names, [3, 4, 5]) == shown


def test_names_in_a_picture_are_text_and_nothing_else() -> None:
    svg = card_svg("Charioteer", "<svg></svg>", ((0, "<b>& \x00"), (4, "x" * 60)), "Turn 3")
    assert "<b>" not in svg and "&lt;b&gt;&amp; \N{REPLACEMENT CHARACTER}" in svg and "x" * 20 not in svg
    assert size_of(png(svg)) == (1200, 630)


def test_a_picture_is_made_once_for_each_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def noted(svg: str) -> bytes:
        made.append(svg)
        return b"png"

    monkeypatch.setattr(share_cards, "png", noted)

    async def test(house: House) -> None:
        anna, ben = await house.visitor("Anna"), await house.visitor("Ben")

        def words(room: Room) -> str:
            return f"Turn {room.race.turn}" if room.race else "Open"

        cards = house.services.share_cards
        room = await house.table(anna, "charioteer", "me", "open")
        await cards.of(room, words)
        await house.lobby.sit(ben, room.table.id)
        await cards.of(room, words)
        await cards.of(room, words)
        assert len(made) == 2 and "Ben" in made[1] and "Ben" not in made[0]
        await room.play(anna.id, 0, [legal(room, 0)])  # in secret: nothing to see
        await cards.of(room, words)
        assert len(made) == 2
        await room.play(ben.id, 1, [legal(room, 1)])
        await cards.of(room, words)
        assert len(made) == 3

    in_house(tmp_path, test)


def test_pages_of_tables_replays_and_links_name_their_picture(server: Server) -> None:
    anna = server.visitor("Anna <script>")
    table = anna.create("chariot-race", "me", "fastest")
    origin = f"http://127.0.0.1:{server.port}"
    for path, words in ((f"/t/{table}", "a race to watch"), (f"/t/{table}/replay", "watch the race again")):
        page = server.ask("GET", path).text  # as a messenger does, without a visitor
        tags = dict(re.findall(r'<meta property="og:([a-z:_]+)" content="([^"]*)">', page))
        assert words in tags["title"] and tags["url"] == f"{origin}{path}"
        assert "Anna &lt;script&gt;" in tags["description"]
        picture = server.ask("GET", tags["image"].removeprefix(origin))
        assert picture.status == 200 and picture.headers["content-type"] == "image/png"
        assert size_of(picture.body) == (int(tags["image:width"]), int(tags["image:height"])) == (1200, 630)
    link = anna.post(f"/api/tables/{table}/links", {"kind": "join"}).json["path"]
    page = server.ask("GET", link).text
    assert f'property="og:image" content="{origin}/cards/chariot-race.png"' in page
    assert size_of(server.ask("GET", "/cards/chariot-race.png").body) == (1200, 630)
    assert server.ask("GET", "/cards/senet.png").status == 404
    closed = anna.create("chariot-race", "me", "fastest", watching="none")
    assert server.ask("GET", f"/t/{closed}/card-1.png").status == 403
