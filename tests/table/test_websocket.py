"""The socket of a real server: what is told, to whom, and what happens to bad messages."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from serving_helpers import ConnectionClosed, Page, Server, any_legal, new_key, serving
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect


@pytest.fixture
def two(server: Server) -> Iterator[tuple[Page, Page]]:
    """Two people at a table of Charioteer, who have heard how it begins."""
    anna, ben = server.visitor("Anna"), server.visitor("Ben")
    table = anna.create("charioteer", "me", "open")
    ben.post(f"/api/tables/{table}/sit")
    with anna.open(table) as first:
        first.hear_of("welcome")  # she is there before he comes
        with ben.open(table) as second:
            second.hear_of("welcome")
            first.hear_of("presence")
            yield first, second


def whole(page: Page) -> str:
    """A whole choice that the page's seat is offered."""
    return str(page.state["offer"]["moves"][0]["best"]["choice"])


def test_a_choice_reaches_everybody_with_its_version(two: tuple[Page, Page]) -> None:
    first, second = two
    version = first.state["version"]
    first.send(type="play", key="first-choice", seat=0, actions=[whole(first)], version=version)
    update, done = first.hear(), first.hear()
    assert (update["type"], done) == ("update", {"type": "done", "key": "first-choice", "version": version + 1})
    told = second.hear_of("update")
    assert told["state"]["version"] == version + 1 == told["moments"][0]["version"]
    assert told["state"]["waiting"] == [1] and told["state"]["seats"][0]["ready"]
    assert told["moments"][0]["events"] == [{"type": "Chosen", "seat": 0}]  # nobody knows yet what it was
    assert update["state"]["retractable"] and not told["state"]["retractable"]


def test_a_hint_reaches_whoever_asks_and_nobody_else_and_can_be_taken(server: Server) -> None:
    anna, ben = server.visitor("Anna"), server.visitor("Ben")
    table = anna.create("charioteer", "me", "open", hints=True)
    ben.post(f"/api/tables/{table}/sit")
    with ben.open(table) as other:
        other.hear_of("welcome")  # he is there before she comes
        with anna.open(table) as page:
            page.hear_of("welcome")
            other.hear_of("presence")
            version = page.state["version"]
            page.send(type="hint", key="hint-for-me", seat=0)
            page.send(type="hint", key="hint-again", seat=0)
            assert page.ask(type="consider", seat=0, action=whole(page))["breakdown"]  # nobody need wait for the hint
            heard = {message["key"]: message for message in (page.heard[-2], page.hear_of("hinted"))}
            assert heard["hint-again"]["code"] == "too-fast"
            hint = heard["hint-for-me"]
            assert hint["version"] == version and hint["advice"]["seat"] == 0
            best = hint["advice"]["candidates"][0]
            assert other.quiet() and page.ask(type="hint", seat=1)["code"] == "not-yours"
            assert page.ask(type="play", seat=0, actions=[best["action"]], version=version)["type"] == "done"
            assert page.ask(type="hint", seat=0)["code"] == "not-now"
    assert anna.post(f"/api/tables/{table}/hint", {"seat": 1}).status == 403
    mine = ben.post(f"/api/tables/{table}/hint", {"seat": 1})
    assert mine.status == 200 and mine.json["seat"] == 1 and mine.json["candidates"]
    assert ben.get(f"/api/tables/{table}/analysis").json["error"] == "not-started"


def test_there_are_no_hints_among_people_unless_the_host_wants_them(two: tuple[Page, Page]) -> None:
    first, _ = two
    assert not first.state["hints"] and first.state["chances"] is None
    assert first.ask(type="hint", seat=0)["code"] == "no-hints"
    with first.client.server.visitor().open(first.table) as watching:
        assert watching.hear_of("welcome")["state"]["chances"] == pytest.approx([0.5, 0.5], abs=0.1)


def test_a_key_counts_once_over_socket_and_interface_and_after_a_restart(
    server: Server, two: tuple[Page, Page]
) -> None:
    first, _ = two
    key, action = new_key(), whole(first)
    version = first.ask(type="play", key=key, seat=0, actions=[action])["version"]
    assert first.ask(type="play", key=key, seat=0, actions=["something else"])["version"] == version
    assert first.client.play(first.table, 0, "something else", key=key).json == {"version": version}
    other = new_key()
    taken = first.client.post(f"/api/tables/{first.table}/retract", {"key": other, "seat": 0}).json["version"]
    assert taken == version + 1
    assert first.ask(type="retract", key=other, seat=0)["version"] == taken
    server.kill()
    server.start()
    assert first.client.play(first.table, 0, "something else", key=key).json == {"version": version}
    with first.client.open(first.table) as page:
        assert page.hear_of("welcome")["state"]["version"] == taken
        assert page.ask(type="retract", key=other, seat=0)["version"] == taken


def test_a_page_that_comes_back_hears_what_it_missed(two: tuple[Page, Page]) -> None:
    first, second = two
    known = second.state["version"]
    second.socket.close()
    first.ask(type="play", seat=0, actions=[whole(first)])
    first.ask(type="retract", seat=0)
    first.ask(type="play", seat=0, actions=[whole(first)])
    with second.client.open(second.table, known) as back:
        welcome = back.hear_of("welcome")
        assert welcome["complete"]
        assert [(moment["version"] - known, moment["kind"]) for moment in welcome["moments"]] == [
            (1, "play"),
            (2, "retract"),
            (3, "play"),
        ]
    for nonsense in ("-1", "x", "99999999999999999999", "1.5", "%D9%A3", "%C2%B2"):
        url = f"ws://127.0.0.1:{second.client.server.port}/t/{second.table}/live?version={nonsense}"
        with connect(url, additional_headers=second.client.headers) as socket:
            assert json.loads(socket.recv(10))["complete"] is False


BAD: list[tuple[Any, str]] = [
    ("", "malformed"),
    ("nonsense", "malformed"),
    ("null", "malformed"),
    ("[]", "malformed"),
    ("{}", "malformed"),
    (b"\xff\xfe\x00", "malformed"),
    ('{"type":"play"}', "malformed"),
    ('{"type":"dance","key":"12345678"}', "malformed"),
    ('{"type":"play","key":"12345678","seat":"0","actions":["x"]}', "malformed"),
    ('{"type":"play","key":"12345678","seat":0,"actions":"x"}', "malformed"),
    ('{"type":"play","key":"12345678","seat":0,"actions":[1]}', "malformed"),
    ('{"type":"play","key":"12345678","seat":0.5,"actions":["x"]}', "malformed"),
    ('{"type":"play","key":"12345678","seat":NaN,"actions":["x"]}', "malformed"),
    ('{"type":"play","key":"12345678","seat":1e999,"actions":["x"]}', "malformed"),
    ('{"type":"play","key":"12345678","seat":99999999999999999999999,"actions":["x"]}', "malformed"),
    ('{"type":"play","key":"12345678","seat":9223372036854775807,"actions":["x"]}', "malformed"),
    ('{"type":"play","key":"12345678","seat":-1,"actions":["x"]}', "malformed"),
    ('{"type":"play","key":"12345678","seat":0,"actions":["x"],"admin":true}', "malformed"),
    ('{"type":"play","key":"short","seat":0,"actions":["x"]}', "malformed"),
    ('{"type":"play","key":"' + "k" * 65 + '","seat":0,"actions":["x"]}', "malformed"),
    ('{"type":"play","key":"12345678","seat":0,"actions":[]}', "malformed"),
    ('{"type":"play","key":"12345678","seat":0,"actions":["\\ud800"]}', "malformed"),
    ('{"type":"play","key":"12345678","seat":0,"actions":["\\u0000"]}', "illegal"),
    ('{"type":"play","key":"12345678","seat":0,"actions":["' + "x" * 201 + '"]}', "illegal"),
    ('{"type":"play","key":"12345678","seat":1,"actions":["no token"]}', "not-yours"),
    ('{"type":"play","key":"12345678","seat":0,"actions":["no token"],"version":0}', "stale"),
    ('{"type":"retract","key":"12345678","seat":0}', "illegal"),
    ('{"type":"look","seat":1}', "not-yours"),
    ('{"type":"look","seat":99}', "malformed"),
    ('{"type":"back","key":"12345678","seat":1}', "not-yours"),
    ('{"type":"consider","key":"12345678","seat":1,"action":"no token"}', "not-yours"),
    ('{"type":"say","key":"12345678","text":"   "}', "wrong"),
    ('{"type":"say","key":"12345678","text":"' + "x" * 301 + '"}', "wrong"),
    ("[" * 50_000, "malformed"),
    ('{"type":"say","key":"12345678","text":' + "[" * 2000 + "]" * 2000 + "}", "malformed"),
]


def test_a_bad_message_is_answered_to_its_sender_alone_and_changes_nothing(two: tuple[Page, Page]) -> None:
    first, second = two
    version = first.state["version"]
    for text, code in BAD:
        first.socket.send(text)
        answer = first.hear()
        assert (answer["type"], answer["code"]) == ("refused", code), text[:90]
        assert answer["reason"]
    considered = first.ask(type="consider", seat=0, action="fly to the moon")
    assert considered["breakdown"] is None and considered["why"]
    assert second.quiet()
    assert first.ask(type="play", seat=0, actions=[whole(first)])["version"] == version + 1


def test_a_message_that_is_too_large_or_too_many_bad_ones_end_the_connection_and_no_other(
    two: tuple[Page, Page],
) -> None:
    first, second = two
    with first.client.open(first.table) as page:
        page.hear_of("welcome")
        page.socket.send("x" * 70_000)
        with pytest.raises(ConnectionClosed):
            page.hear()
    with first.client.open(first.table) as page:
        page.hear_of("welcome")
        with pytest.raises(ConnectionClosed, match="too-many-refusals"):
            pester(page)
    assert second.ask(type="play", seat=1, actions=[whole(second)])["type"] == "done"


def pester(page: Page) -> None:
    for _ in range(51):
        page.socket.send("nonsense")
        assert page.hear()["type"] == "refused"


def test_text_that_is_no_text_ends_the_connection(two: tuple[Page, Page]) -> None:
    first, second = two
    with first.client.open(first.table) as page:
        page.hear_of("welcome")
        page.socket.send(b"\xff\xfe\xfd", text=True)
        with pytest.raises(ConnectionClosed):
            page.hear()
    assert second.ask(type="play", seat=1, actions=[whole(second)])["type"] == "done"


def test_chat_reaches_everybody_as_it_was_meant(server: Server, two: tuple[Page, Page]) -> None:
    first, second = two
    said = "  <img src=x onerror=alert(1)> \u202eevil\x00 "
    assert first.ask(type="say", key="the-chat-key", text=said)["type"] == "done"
    assert first.ask(type="say", key="the-chat-key", text=said)["type"] == "done"
    line = second.hear_of("said")["said"]
    assert (line["name"], line["seat"], line["text"]) == ("Anna", 0, "<img src=x onerror=alert(1)> evil")
    assert second.quiet()
    stranger = server.visitor("Stranger")
    assert stranger.post(f"/api/tables/{first.table}/chat", {"key": new_key(), "text": "Salvete"}).status == 200
    line = second.hear_of("said")["said"]
    assert (line["name"], line["seat"], line["number"]) == ("Stranger", None, 2)


def test_people_at_one_screen_look_one_after_the_other(server: Server) -> None:
    anna = server.visitor("Anna")
    table = anna.create("charioteer", "screen", "screen")
    with anna.open(table) as page:
        page.hear_of("welcome")
        assert page.state["own"] == [0, 1] and page.state["looking"] is None and page.state["offer"] is None
        for seat in (0, 1):
            page.send(type="look", seat=seat)
            page.hear_of("welcome")
            assert page.state["looking"] == seat
            assert page.ask(type="play", seat=seat, actions=[whole(page)])["type"] == "done"


def test_who_may_not_watch_is_told_so_and_nothing_else(server: Server) -> None:
    anna, stranger = server.visitor("Anna"), server.visitor("Stranger")
    table = anna.create("charioteer", "me", "longest", watching="none")
    with stranger.open(table) as page:
        assert page.hear()["code"] == "not-yours"
        with pytest.raises(ConnectionClosed):
            page.hear()
    with stranger.open("nowhere") as page:
        assert page.hear()["code"] == "unknown"
    for path in (f"/api/tables/{table}", f"/api/tables/{table}/moments"):
        assert stranger.get(path).status == 403
    for path in (f"/t/{table}", f"/t/{table}/replay", f"/t/{table}/file"):
        assert stranger.get(path).status == 403
    assert stranger.post(f"/api/tables/{table}/chat", {"key": new_key(), "text": "hi"}).status == 403
    assert table not in stranger.get("/api/tables").text


def test_a_socket_needs_a_visitor(server: Server) -> None:
    with pytest.raises(InvalidStatus, match="403"), connect(f"ws://127.0.0.1:{server.port}/t/nowhere/live"):
        pass


@pytest.mark.slow
def test_messages_are_limited_in_number(tmp_path: Path) -> None:
    with serving(tmp_path / "slow", messages_per_second=0.01, messages_at_once=5.0) as server:
        anna = server.visitor("Anna")
        with anna.open(anna.create("charioteer", "me", "open")) as page:
            page.hear_of("welcome")
            answers = [page.ask(type="say", text=f"line {number}") for number in range(5)]
            assert [answer["type"] for answer in answers] == ["done"] * 5
            page.send(type="say", key=new_key(), text="one too many")
            assert page.hear_of("refused")["code"] == "too-fast"


@pytest.mark.parametrize("game", ["chariot-race", "chariotmaster"])
def test_two_pages_of_one_visitor_hear_the_same(server: Server, game: str) -> None:
    anna, ben = server.visitor("Anna"), server.visitor("Ben")
    table = anna.create(game, "me", "open")
    ben.post(f"/api/tables/{table}/sit")
    chance, by = random.Random(4), {0: anna, 1: ben}
    with anna.open(table) as first, anna.open(table) as second:
        for _ in range(12):
            for seat, person in by.items():
                if chosen := any_legal(person, table, seat, chance):
                    last = person.play(table, seat, chosen[0], version=chosen[1]).json["version"]
        for page in (first, second):
            page.hear_until(last)
        moments = [[m for message in page.heard for m in message.get("moments", [])] for page in (first, second)]
        assert [moment["version"] for moment in moments[0]] == list(range(1, last + 1))
        assert moments[0] == moments[1]
