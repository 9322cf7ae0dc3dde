"""The JSON interface of a real server: enough for a bot in any language to take a seat."""

from __future__ import annotations

import threading
import time

import pytest
from serving_helpers import Server, new_key, race_on

import spina


def test_the_games_say_what_can_be_set_up(server: Server) -> None:
    games = server.ask("GET", "/api/games").json
    assert [game["name"] for game in games] == list(spina.game_names())
    for game in games:
        assert game["title"] and game["summary"] and game["bots"] and game["seats"]
        assert [words["bot"] for words in game["bot_words"]] == game["bots"]
        assert all(words["name"] and words["character"] and words["line"] for words in game["bot_words"])
        seats = [{"kind": "me"}, *[{"kind": "bot", "bot": game["bots"][0]}] * (game["seats"][0] - 1)]
        asked = {"game": game["name"], "seats": seats}
        assert server.visitor("Anna").post("/api/check", asked).json["ok"] is True
    wrong = server.visitor("Anna").post("/api/check", {"game": "charioteer", "seats": []}).json
    assert wrong["ok"] is False and "seats" in wrong["problem"]


def test_every_game_gets_ready(server: Server) -> None:
    until = time.monotonic() + 60
    while not all(game["ready"] for game in server.ask("GET", "/api/ready").json.values()):
        assert time.monotonic() < until
        time.sleep(0.1)


def test_asking_with_patience_is_answered_as_soon_as_something_happens(server: Server) -> None:
    anna, ben = server.visitor("Anna"), server.visitor("Ben")
    table = anna.create("charioteer", "me", "open")
    version = anna.see(table)["state"]["version"]
    answers = []
    asking = threading.Thread(target=lambda: answers.append(anna.see(table, seat=0, after=version, wait=25)))
    asking.start()
    began = time.monotonic()
    ben.post(f"/api/tables/{table}/sit")
    asking.join(25)
    assert time.monotonic() - began < 20
    assert answers[0]["moments"][0]["version"] == version + 1
    later = anna.see(table, seat=0, after=answers[0]["state"]["version"])
    assert all(moment["version"] > answers[0]["state"]["version"] for moment in later["moments"])
    began = time.monotonic()
    assert anna.see(table, after=999, wait=1)["moments"] == []
    assert 0.9 < time.monotonic() - began < 20


def test_what_is_seen_is_one_seats_view(server: Server) -> None:
    anna, ben = server.visitor("Anna"), server.visitor("Ben")
    table = anna.create("charioteer", "me", "open")
    ben.post(f"/api/tables/{table}/sit")
    mine, theirs, nobodys = anna.see(table, seat=0), ben.see(table, seat=1), anna.see(table)
    assert mine["state"]["view"]["hand"] and mine["legal"] and mine["state"]["offer"]
    assert mine["state"]["view"]["hand"] != theirs["state"]["view"]["hand"]
    assert not nobodys["state"]["view"].get("hand") and nobodys["legal"] is None and nobodys["state"]["offer"] is None
    assert anna.get(f"/api/tables/{table}", seat=1).status == 403
    for bad in ("seat=x", "after=-1", "wait=1.5", "seat=99999999999", "after=%D9%A3"):
        assert anna.get(f"/api/tables/{table}?{bad}").status == 400, bad


@pytest.mark.parametrize(
    ("path", "content", "status", "code"),
    [
        ("play", {"key": "12345678", "seat": 0, "actions": ["fly"]}, 409, "illegal"),
        ("play", {"key": "12345678", "seat": 1, "actions": ["no token"]}, 403, "not-yours"),
        ("play", {"key": "12345678", "seat": 0, "actions": ["no token"], "version": 0}, 409, "stale"),
        ("play", {"key": "12345678", "seat": 0, "actions": []}, 400, "malformed"),
        ("retract", {"key": "12345678", "seat": 0}, 409, "illegal"),
        ("consider", {"seat": 0, "action": "fly"}, 409, "illegal"),
        ("sit", {"seat": 1}, 409, "full"),
        ("rematch", {}, 409, "not-started"),
        ("links", {"kind": "seat"}, 400, "malformed"),
        ("chat", {"key": "12345678", "text": ""}, 422, "wrong"),
    ],
)
def test_what_is_refused_has_a_code_and_a_reason(
    server: Server, path: str, content: object, status: int, code: str
) -> None:
    anna, ben = server.visitor("Anna"), server.visitor("Ben")
    table = anna.create("charioteer", "me", "open")
    ben.post(f"/api/tables/{table}/sit")
    before = anna.see(table, seat=0)
    answer = anna.post(f"/api/tables/{table}/{path}", content)
    assert (answer.status, answer.json["error"]) == (status, code)
    assert answer.json["reason"]
    assert anna.see(table, seat=0) == before
    assert anna.post(f"/api/tables/nowhere/{path}", content).status == 404


def test_a_race_from_its_table_to_its_file(server: Server) -> None:
    anna = server.visitor("Anna")
    table = anna.create("chariot-race", "me", "fastest")
    assert anna.get(f"/t/{table}/file").status == 409
    end = race_on(anna, table, 0)
    assert end["status"] == "over" and end["seed"] and end["salt"]
    part = anna.get(f"/api/tables/{table}/moments", begin=0, count=3).json
    assert [standing["moment"]["kind"] for standing in part["standings"]] == ["start", "play", "play"]
    rest = anna.get(f"/api/tables/{table}/moments", begin=part["total"] - 1, count=10).json
    assert rest["standings"][-1]["view"]["over"] and rest["over"]
    stranger = server.visitor("Stranger")
    assert stranger.get(f"/api/tables/{table}/moments", seat=0).status == 200  # all is known now
    assert stranger.get(f"/api/tables/{table}/moments", seat=9).status == 400
    file = anna.get(f"/t/{table}/file")
    assert "attachment" in file.headers["content-disposition"]
    form = (
        b'--x\r\ncontent-disposition: form-data; name="file"; filename="a.json"\r\n\r\n' + file.body + b"\r\n--x--\r\n"
    )
    headers = anna.headers | {"content-type": "multipart/form-data; boundary=x"}
    taken = server.ask("POST", "/import", form, headers)
    assert taken.status == 303
    copy = taken.headers["location"].removeprefix("/t/")
    assert anna.get(f"/t/{copy}/file").body == file.body
    seed = file.json["race"]["origin"]
    other = str(int(seed) ^ 1)  # long seeds are written as text
    forged = server.ask("POST", "/import", form.replace(str(seed).encode(), other.encode()), headers)
    assert forged.status == 422 and "action" in forged.text
    again = anna.post(f"/api/tables/{table}/rematch").json["id"]
    assert anna.see(again)["state"]["own"] == [0]
    assert anna.post(f"/api/tables/{table}/rematch").json["id"] == again
    assert anna.post(f"/api/tables/{again}/leave").status == 200
    assert anna.see(again)["state"]["status"] == "left"
    assert anna.post(f"/api/tables/{again}/chat", {"key": new_key(), "text": "Vale"}).status == 200
