"""A Spanish page is refused everything that can be refused, and is sent no sentence of the server's.

Everything that the server answers is looked at: JSON and messages over the socket hold codes with parameters, pages
that the server writes are Spanish. The only sentences among them are those that the visitor typed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import refusal_messages
from serving_helpers import HOST, Answer, Client, Page, Server, new_key

from spina.games import find, names
from spina.web.messages import messages

TYPED = "Salve, the race is over"
"""What the visitor says: an English sentence that comes back as it is."""
QUOTED = re.compile(r'"[^"]*"')
BRACES = re.compile(r"\{[a-z_]+\}")
SENTENCE_FIELDS = {"reason", "problem", "why", "text", "message", "detail"}
ILLEGAL = {
    "charioteer": [
        "red-9: a", "reset: a a", "reset: z", "reset: a + crowd", "token +9", "nonsense", "card z", "a" * 150,
        "reset: a b c d e f g h", "symbol x", "reset: a, token +5 red", "reset:",
        # the last ones are allowed with a rare hand, and then end the seat's turn
        "red-5: a, discard-9 b", "red-5: a b, fly", "red-5: a b, token wild", "red-5: a b, token shield",
        "red-2: a b, discard-2 a", "black-1: a b c + crowd", "red-5: a b",
    ],
    "chariot-race": [
        "ahead", "draft light", "draft nobody", "start zz", "re-roll 1 2", "turn 9 to steer", "turn 1 to nothing",
        "plus 9", "javelin at nobody", "caltrop on zz", "keep", "no attack", "nonsense", "inward", "a" * 150,
    ],
    "chariotmaster": [
        "token 20", "token 7", "tokens 5 5 5 5 5 5 5 5 5 5 5 5 5", "ahead 85", "ahead 8.55", "ahead 900", "pivot 30",
        "pivot 300 left", "pivot 30 left about the moon", "walk 400 10", "walk 4 100", "ram nobody", "ram red",
        "bite red", "modify die 40 +1", "evade left", "nonsense", "u-turn 180 right", "spur", "stop", "a" * 150,
    ],
}  # fmt: skip
WRONG_OPTIONS: dict[str, list[dict[str, Any]]] = {
    "charioteer": [{"laps": 3}],
    "chariot-race": [{"board": "CC"}, {"pairs": 7}, {"nothing": 1}, {"safe_finish": "perhaps"}],
    "chariotmaster": [
        {"laps": 99}, {"scenario": "moon"}, {"scenario": 3}, {"fantasy": True}, {"chariots": 12}, {"chariots": "many"},
        {"teams": [1]}, {"teams": [1, 1]}, {"points": -1}, {"designs": 3}, {"designs": ["citizen"]}, {"nothing": 1},
        {"designs": ["nobody", "citizen"]}, {"designs": [{"horses": "camels"}, "citizen"]}, {"designs": [3, "citizen"]},
        {"designs": [{"race": "orcs"}, "citizen"]}, {"designs": [{"wings": "two"}, "citizen"]}, {"second_row": 1},
        {"designs": [{"chassis": ["light", "heavy"]}, "citizen"]}, {"designs": [{"chassis": "heavy"}, "citizen"]},
        {"fantasy": True, "points": 4, "designs": [{"race": "elves", "horses": "boars"}, "citizen"]},
        {"fantasy": True, "points": 4, "designs": [{"race": "martians"}, "citizen"]},
        {"fantasy": True, "points": 4, "designs": [{}, "citizen"]},
    ],
}  # fmt: skip
GARBLED = [
    "", "hand =", "[race", "x = [1, 2", 'x = "abc', "x = 1\nx = 2", "= 3", "[a]\n[a]\n", "x = 1 y = 2", "x = {a = 1",
    "x = \u0007", "a.b.c.d.e.f.g.h.i.j = 1", f"{'k' * 80} = 1", f"x = {'9' * 80}",
    'format = 9\ngame = "chess"\nname = ""',
    'format = "one"\ngame = 3\nname = ["x"]',
    '[race]\nlaps = 3\n', '[race]\nlaps = { value = "many", source = "dream" }',
    '[race]\nlaps = { source = "reconstructed" }', "race = 3", '[deck]\nlist = 3\nsource = "rulebook"',
]  # fmt: skip


class SpanishPage(Client):
    """A browser of a visitor who reads Spanish: it shows its cookie, and says where its page comes from."""

    def __init__(self, client: Client) -> None:
        super().__init__(client.server, client.token, client.id)
        origin = f"http://{HOST}:{client.server.port}"
        self.headers = {**client.cookie(), "accept-language": "es", "origin": origin}
        self.answers: list[Answer] = []

    def get(self, path: str, **query: int) -> Answer:
        self.answers.append(super().get(path, **query))
        return self.answers[-1]

    def post(self, path: str, content: Any = None) -> Answer:
        self.answers.append(super().post(path, content))
        return self.answers[-1]

    def post_text(self, path: str, body: bytes, kind: str = "text/plain") -> Answer:
        self.answers.append(self.server.ask("POST", path, body, {**self.headers, "content-type": kind}))
        return self.answers[-1]


@pytest.fixture
def page(server: Server) -> SpanishPage:
    return SpanishPage(server.visitor("Ana"))


def fragments() -> list[str]:
    """Pieces of English sentences, three words and longer."""
    found: set[str] = set()
    for _, catalogue in refusal_messages.catalogues():
        for template in catalogue.own.values():
            for form in [template] if isinstance(template, str) else template:
                for piece in BRACES.split(QUOTED.sub("{x}", form)):
                    piece = piece.strip(" :,;.()[]")
                    if len(piece.split()) >= 3:
                        found.add(piece)
    return sorted(found)


FRAGMENTS = fragments()


def english_in(text: str) -> list[str]:
    """The pieces of English sentences in a text, but for what the visitor typed."""
    text = text.replace(TYPED, "")
    return [piece for piece in FRAGMENTS if piece in text]


def refusals_in(value: Any) -> Iterator[dict[str, Any]]:
    """Every code with its parameters, also those inside others."""
    if isinstance(value, list):
        for each in value:
            yield from refusals_in(each)
    elif isinstance(value, dict):
        if value.keys() == {"code", "parameters"}:
            yield value
        for each in value.values():
            yield from refusals_in(each)


def check_told(told: Any, seen: set[str]) -> None:
    """What a page was sent holds no sentence, and has Spanish words for each of its codes."""
    text = json.dumps(told, ensure_ascii=False)
    assert not english_in(text), text[:600]
    for refusal in refusals_in(told):
        assert messages().has("es", f"refused.{refusal['code']}"), refusal
        assert refusal["code"] != "other", text[:600]
        seen.add(refusal["code"])


def check_answer(answer: Answer, seen: set[str]) -> None:
    if answer.headers.get_content_type() == "application/json":
        told = answer.json
        check_told(told, seen)
        if answer.status >= 400:
            assert set(told) == {"error", "refusal"}
        elif isinstance(told, dict) and told.get("ok") is False:
            assert not SENTENCE_FIELDS & told.keys()
            assert all(problem.keys() == {"line", "refusal"} for problem in told.get("problems", []))
    elif answer.headers.get_content_type() == "text/html":
        assert '<html lang="es"' in answer.text and not english_in(answer.text), english_in(answer.text)
    else:
        assert answer.status in (204, 303, 307), answer.text[:200]


# --- setting up ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", names())
def test_options_that_cannot_be(page: SpanishPage, game: str) -> None:
    two = [{"kind": "me"}, {"kind": "bot", "bot": "easy"}]
    setups: list[dict[str, Any]] = [
        {"game": game, "seats": []},
        {"game": game, "seats": two * 12},
        {"game": game, "seats": [{"kind": "me"}] * 2},
        {"game": game, "seats": [{"kind": "me"}, {"kind": "bot", "bot": "oracle"}]},
        {"game": game, "seats": [{"kind": "me"}, {"kind": "screen", "name": "x" * 30}]},
        {"game": game, "seats": two, "clock": 1},
        {"game": game, "seats": two, "clock": "soon"},
        {"game": game, "seats": two, "edition": "format = 9"},
        {"game": "chess", "seats": two},
        *({"game": game, "seats": two, "options": options} for options in WRONG_OPTIONS[game]),
    ]
    seen: set[str] = set()
    for setup in setups:
        for path in ("/api/check", "/api/tables"):
            answer = page.post(path, setup)
            assert answer.status >= 400 or answer.json["ok"] is False, setup
            check_answer(answer, seen)
    assert {"option.seats", "option.no-bot", "table.clock", "edition.problem", "option.no-game"} <= seen


@pytest.mark.parametrize("game", names())
def test_editions_with_mistakes(page: SpanishPage, game: str) -> None:
    lines = find(game).editions.template().splitlines()
    spoilt = [re.sub(r"\d+", "x", line) if i % 3 else re.sub(r'"[^"]*"', '"?"', line) for i, line in enumerate(lines)]
    texts = [*GARBLED]
    for begin in range(0, len(lines), 12):  # a few mistakes at a time: after twenty the rest is not read
        texts.append("\n".join([*lines[:begin], *spoilt[begin : begin + 4], *lines[begin + 4 :]]))
        texts.append("\n".join([*lines[:begin], *lines[begin + 2 :]]))
        texts.append(
            "\n".join(re.sub(r"\d+", "99", line) if begin <= i < begin + 4 else line for i, line in enumerate(lines))
        )
    seen: set[str] = set()
    for text in texts:
        check_answer(page.post_text(f"/new/{game}/settings", text.encode()), seen)
    check_answer(page.post_text(f"/new/{game}/settings", b"\xff\xfe"), seen)
    check_answer(page.post_text(f"/new/{game}/settings", b"x" * 300_000), seen)
    assert len(seen) > 30, sorted(seen)


# --- at the table ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", names())
def test_choices_that_are_not_allowed(server: Server, page: SpanishPage, game: str) -> None:
    table = page.create(game, "me", "open")
    other = SpanishPage(server.visitor("Luz"))
    other.post(f"/api/tables/{table}/sit")
    mine = page.see(table)["state"]["waiting"][0]
    page, other = (page, other) if mine == 0 else (other, page)
    heard: list[dict[str, Any]] = []
    for action in ILLEGAL[game]:
        with Page(page, table) as line:  # a new one for each: many refusals end a connection
            line.hear_of("welcome")
            line.ask(type="consider", seat=mine, action=action)
            line.ask(type="play", seat=mine, actions=[action])
            line.ask(type="play", seat=1 - mine, actions=[action])
            heard += line.heard
        page.post(f"/api/tables/{table}/play", {"key": new_key(), "seat": mine, "actions": [action]})
        page.post(f"/api/tables/{table}/consider", {"seat": mine, "action": action})
    with Page(page, table) as line:
        line.hear_of("welcome")
        line.ask(type="retract", seat=mine)
        line.ask(type="retract", seat=9)
        line.ask(type="play", seat=mine, actions=[])
        line.ask(type="play", seat=mine, actions=["x"] * 99)
        line.ask(type="hint", seat=1 - mine)
        line.ask(type="say", text="   ")
        line.ask(type="say", text="x" * 400)
        line.ask(type="say", text=TYPED)
        line.socket.send("nonsense")
        line.hear_of("refused")
        line.send(type="look", seat=9)
        line.hear_of("refused")
        heard += line.heard
    seen: set[str] = set()
    for message in heard:
        check_told(message, seen)
        if message["type"] in ("refused", "considered"):
            assert not SENTENCE_FIELDS & {name for name, value in message.items() if value is not None}
    for answer in page.answers:
        check_answer(answer, seen)
    assert {
        "race.no-seat",
        "table.seat-not-yours",
        "table.empty-line",
        "table.line-too-long",
        "table.malformed",
    } <= seen
    assert len([code for code in seen if code.startswith(f"{game}.")]) >= 4, sorted(seen)
    assert any(message["type"] == "said" and message["said"]["text"] == TYPED for message in heard)


def test_what_else_a_table_refuses(server: Server, page: SpanishPage) -> None:
    ben = SpanishPage(server.visitor("Ben"))
    open_table = page.create("charioteer", "me", "open", "open")
    closed = page.create("charioteer", "me", "open", watching="none")
    seen: set[str] = set()
    for path in ("sit", "leave", "rematch", "fill", "play", "retract", "consider", "hint", "chat", "links"):
        for content in (
            {},
            {"key": new_key(), "seat": 0},
            {"seat": 99},
            {"kind": "seat", "seat": 0},
            {"bot": "oracle"},
        ):
            for table in ("nowhere", open_table, closed):
                ben.post(f"/api/tables/{table}/{path}", content)
                page.post(f"/api/tables/{table}/{path}", content) if path not in ("fill", "leave") else None
    for who in (page, ben):
        who.post("/api/links", {"secret": "x" * 20})
        who.post(f"/api/tables/{open_table}/links", {"kind": "seat", "seat": 2})
        for path in ("analysis", "moments?begin=x", "", "?seat=99", "?seat=x", "?seat=1"):
            who.get(f"/api/tables/{open_table}/{path}".replace("/?", "?").rstrip("/"))
            who.get(f"/api/tables/{closed}/{path}".replace("/?", "?").rstrip("/"))
        who.get("/api/nowhere")
        who.post("/api/check", [1, 2])
    for answer in (*page.answers, *ben.answers):
        check_answer(answer, seen)
    assert {
        "table.unknown",
        "table.not-to-be-seen",
        "table.not-started",
        "table.malformed",
        "table.link-unknown",
    } <= seen
    assert len(seen) > 15, sorted(seen)


def test_a_table_that_may_not_be_seen(server: Server, page: SpanishPage) -> None:
    host = server.visitor("Host")
    table = host.create("charioteer", "me", "open", watching="none")
    seen: set[str] = set()
    for id_ in (table, "nowhere"):
        with Page(page, id_) as line:
            message = line.hear_of("refused")
            assert "reason" not in message
            check_told(message, seen)
    assert seen == {"table.not-to-be-seen", "table.unknown"}


# --- pages that the server writes -------------------------------------------------------------------------------------


def test_error_pages_speak_spanish(server: Server, page: SpanishPage) -> None:
    host = server.visitor("Host")
    table = host.create("charioteer", "me", "open", watching="none")
    boundary = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
    for path in ("/nowhere", f"/t/{table}", "/t/nowhere", "/l/nowhere", f"/t/{table}/file", "/new/chess"):
        page.get(path)
    for path, body in (
        (f"/t/{table}/sit", b""),
        ("/l/nowhere", b"name=Ana"),
        ("/me", b"name=" + b"x" * 60),
        ("/me", b"colour=9"),
        ("/me", b"colour=red"),
        ("/me", b"language=latin"),
        ("/me", b"name=" + b"x" * 20_000),
        ("/race-now", b"game=chess"),
    ):
        page.post_text(path, body, "application/x-www-form-urlencoded")
    for body in (b"{}", b"PK", b'{"spina": 9, "game": "chess"}', b"[" * 2000):
        page.post_text("/import", boundary + body + b"\r\n--x--\r\n", "multipart/form-data; boundary=x")
    refused = [answer for answer in page.answers if answer.status >= 400]
    assert len(refused) > 14
    for answer in refused:
        check_answer(answer, set())
        assert answer.headers.get_content_type() == "text/html"


# --- programs ---------------------------------------------------------------------------------------------------------


def test_programs_still_get_the_sentence(server: Server) -> None:
    program = server.visitor("Bot")
    table = program.create("charioteer", "me", "open")
    answer = program.play(table, 0, "nonsense")
    assert answer.json["reason"] and answer.json["refusal"]["code"]
    wrong = program.post("/api/check", {"game": "charioteer", "seats": []}).json
    assert "seats" in wrong["problem"] and wrong["refusal"]["code"] == "option.seats"
    with Page(program, table) as line:
        line.hear_of("welcome")
        assert line.ask(type="play", seat=0, actions=["nonsense"])["reason"]
