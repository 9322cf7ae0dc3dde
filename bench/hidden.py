"""The campaign of hidden information: what a viewer is sent does not depend on what the viewer may not know.

A race is raced to a random moment. Two tables go on from there, with everything that one seat does not know dealt anew,
differently at each. Other seats then make different secret choices. Everything that the seat and a spectator are sent
by two servers, over WebSocket and HTTP, must be the same at both tables, byte by byte, except for the table's id, its
commitment and times. `python -m bench.hidden` runs the campaign; `make test` runs a small one. All connections are on
loopback.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import re
import secrets
import sys
import time
from dataclasses import dataclass, field
from typing import Any

import httpx
import msgspec
import websockets

import spina
from bench.people import GAMES, OPTIONS, address
from bench.report import heading, measured, missed
from bench.servers import Cluster, cluster
from spina.games import find
from spina.race import Race
from spina.table.live import starts
from spina.table.store.journal_store import Store
from spina.table.store.records import Seat, Table

RACES = 200
SEATS = 3
LATEST = 40
"""Number of choices after which a race is branched off, at most."""
PATIENCE = 60.0
ALPHABET = "abcdefghjkmnpqrstuvwxyz"
NOT_COMPARED = {"date", "x-request-id", "content-length"}
"""Headers of answers. The length is that of the body, which is compared."""
TIME = re.compile(r'"at":[0-9.e+-]+')


@dataclass
class Found:
    """What was compared."""

    races: int = 0
    texts: int = 0
    bytes: int = 0
    differences: list[str] = field(default_factory=list)
    controls: int = 0
    """Races in which a seat whose knowledge was not kept was sent something else: the permutation was one."""


class Viewer:
    """A visitor who notes everything that servers send."""

    def __init__(self, number: int) -> None:
        self.token = secrets.token_urlsafe(24)
        self.headers = {"authorization": f"Bearer {self.token}", "x-forwarded-for": address(number)}
        self.client = httpx.AsyncClient(timeout=PATIENCE)
        self.id = ""

    async def introduce(self, port: int) -> None:
        made = (await self.client.post(f"http://127.0.0.1:{port}/api/visitors", json={}, headers=self.headers)).json()
        self.headers["authorization"], self.id = f"Bearer {made['token']}", made["visitor"]
        self.token = made["token"]

    async def ask(self, port: int, method: str, path: str, content: Any = None, **headers: str) -> httpx.Response:
        while True:
            answer = await self.client.request(
                method, f"http://127.0.0.1:{port}{path}", json=content, headers=self.headers | headers
            )
            if answer.status_code != 429:
                return answer
            await asyncio.sleep(0.2)


class Open:
    """An open page, with everything that it was sent."""

    def __init__(self, socket: websockets.ClientConnection) -> None:
        self._socket, self.texts = socket, list[str]()
        self.version, self.here, self.watchers = -1, set[int](), 0
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for text in self._socket:
            assert isinstance(text, str)
            message = msgspec.json.decode(text)
            told = message.get("state", message)
            if "seats" in told:
                self.here = {seat["seat"] for seat in told["seats"] if seat.get("here")}
                self.watchers = told["watchers"]
            self.version = told.get("version", self.version) if "state" in message else self.version
            if message["type"] != "presence":  # who is here reaches the other server when it does
                self.texts.append(text)

    async def close(self) -> None:
        self._reading.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)
        await self._socket.close()


class Case:
    """One of the two tables of a case."""

    def __init__(self, ports: list[int], people: list[Viewer], spectator: Viewer, keep: int) -> None:
        self._ports, self._people, self._keep = ports, people, keep
        self._watching: list[tuple[str, int | None, Viewer]] = [
            ("kept", keep, people[keep]),
            ("spectator", None, spectator),
            ("control", (keep + 1) % SEATS, people[(keep + 1) % SEATS]),
        ]
        self.sent: dict[tuple[str, int], list[str]] = {}

    async def run(self, store: Store, base: Race, number: int, chance: random.Random, common: random.Random) -> Race:
        """Set the table up, let seats choose in secret, and ask for everything. Returns the race at its start."""
        race = spina.branch(base, self._keep, number)
        table = await self._set_up(store, race)
        pages: dict[tuple[str, int], Open] = {}
        async with contextlib.AsyncExitStack() as stack:
            for name, _, viewer in self._watching:
                for server, port in enumerate(self._ports):
                    pages[name, server] = page = Open(
                        await websockets.connect(
                            f"ws://127.0.0.1:{port}/t/{table.id}/live",
                            additional_headers=viewer.headers,
                            max_size=None,
                            compression=None,
                        )
                    )
                    stack.push_async_callback(page.close)
                    await self._until(lambda: self._all_know_who_is_here(pages))
            await self._choose(race.copy(), table, pages, chance, common)
            for name, seat, viewer in self._watching:
                for server, port in enumerate(self._ports):
                    texts = list(pages[name, server].texts)
                    if name != "control":
                        texts += await self._look_around(viewer, port, table.id, seat)
                    self.sent[name, server] = [_plain(text, table) for text in texts]
        return race

    async def _set_up(self, store: Store, race: Race) -> Table:
        """A table whose last seat is open; when it is taken, the race begins."""
        table = Table(
            id="".join(secrets.choice(ALPHABET) for _ in range(10)),
            game=race.game.name,
            rules=race.rules,
            seats=race.seats,
            options=race.options,
            edition=race.edition.hash,
            edition_text=race.game.kept_text(race.edition),
            seed=0,
            salt=secrets.token_hex(16),
            commitment="",
            host=self._people[0].id,
            created=time.time(),
            hints=True,
        )
        starts.give(table, race)
        seats = [
            Seat(table=table.id, seat=seat, kind="person", visitor=person.id, name=f"Person {seat}")
            for seat, person in enumerate(self._people[:-1])
        ]
        await store.add_table(table, [*seats, Seat(table=table.id, seat=SEATS - 1, kind="open")])
        sat = await self._people[-1].ask(self._ports[0], "POST", f"/api/tables/{table.id}/sit", {})
        assert sat.status_code == 200, sat.text
        return table

    async def _choose(
        self,
        race: Race,
        table: Table,
        pages: dict[tuple[str, int], Open],
        chance: random.Random,
        common: random.Random,
    ) -> None:
        """Let all seats but the last choose, if choices are made at the same time: nothing is revealed then."""
        turn = 0
        for seat in race.to_act[:-1]:
            for again in (False, True) if seat != self._keep else (False,):
                if again:
                    taken = await self._people[seat].ask(
                        self._ports[turn % 2], "POST", f"/api/tables/{table.id}/retract", _keyed(seat=seat)
                    )
                    race.retract(seat)
                    await self._until(lambda found=taken: _all_at(pages, found))
                action = _choice(race, seat, common if seat == self._keep else chance)
                played = await self._people[seat].ask(
                    self._ports[turn % 2], "POST", f"/api/tables/{table.id}/play", _keyed(seat=seat, actions=[action])
                )
                race.play(seat, action)
                await self._until(lambda found=played: _all_at(pages, found))
                turn += 1

    async def _look_around(self, viewer: Viewer, port: int, table: str, seat: int | None) -> list[str]:
        """Ask for everything that can be asked for, also for what is refused. Returns the answers."""
        own = "" if seat is None else f"?seat={seat}"
        path = f"/api/tables/{table}"
        asked = [await viewer.ask(port, "GET", f"{path}{own}"), await viewer.ask(port, "GET", f"{path}/moments{own}")]
        legal = asked[0].json()["legal"] or []
        for other in range(SEATS):
            if other != seat:
                for end in ("", "/moments"):
                    asked.append(await viewer.ask(port, "GET", f"{path}{end}?seat={other}"))
                for end in ("play", "retract", "hint"):
                    content = _keyed(seat=other, **({"actions": ["no token"]} if end == "play" else {}))
                    asked.append(await viewer.ask(port, "POST", f"{path}/{end}", content))
            for action in ("no token", *legal[:1]):
                asked.append(await viewer.ask(port, "POST", f"{path}/consider", {"seat": other, "action": action}))
        for page in ("", "/replay", "/file"):
            page_headers = {"accept": "text/html", "cookie": f"spina={viewer.token}"}
            asked.append(await viewer.ask(port, "GET", f"/t/{table}{page}", **page_headers))
        asked.append(await viewer.ask(port, "GET", f"{path}/analysis"))
        return [_whole(answer) for answer in asked]

    async def _until(self, happened: Any) -> None:
        async with asyncio.timeout(PATIENCE):
            while not happened():
                await asyncio.sleep(0.002)

    def _all_know_who_is_here(self, pages: dict[tuple[str, int], Open]) -> bool:
        seats = {seat for (name, seat, _) in self._watching if seat is not None and any(n == name for n, _ in pages)}
        watching = sum(name == "spectator" for name, _ in pages)  # each server counts its own spectators
        return all(page.here == seats and page.watchers == watching for page in pages.values())


def _all_at(pages: dict[tuple[str, int], Open], answer: httpx.Response) -> bool:
    assert answer.status_code == 200, answer.text
    return all(page.version >= answer.json()["version"] for page in pages.values())


def _keyed(**content: Any) -> dict[str, Any]:
    return {"key": secrets.token_hex(8), **content}


def _choice(race: Race, seat: int, chance: random.Random) -> str:
    """A whole choice of a seat, which may consist of several steps."""
    trial = race.copy()
    before = len(trial.log)
    while len(trial.log) == before:
        trial.play(seat, chance.choice(trial.legal(seat)))
    return str(trial.log[-1][1])


def _whole(answer: httpx.Response) -> str:
    headers = sorted(f"{name}: {value}" for name, value in answer.headers.items() if name not in NOT_COMPARED)
    return "\n".join([str(answer.status_code), *headers, answer.text])


def _plain(text: str, table: Table) -> str:
    """A text without what differs between any two tables."""
    return TIME.sub('"at":0', text.replace(table.id, "TABLE").replace(table.commitment, "COMMITMENT"))


async def campaign(cluster: Cluster, races: int, seed: int) -> Found:
    """Compare as many pairs of tables, each with new people: rate limits count by visitor."""
    found, chance = Found(), random.Random(seed)
    store = await Store.open(cluster.url)
    try:
        for number in range(races):
            viewers = [Viewer(number * (SEATS + 1) + each) for each in range(SEATS + 1)]
            try:
                await asyncio.gather(*(viewer.introduce(cluster.ports[0]) for viewer in viewers))
                await _compare(cluster.ports, store, viewers, GAMES[number % len(GAMES)], chance, found)
            finally:
                for viewer in viewers:
                    await viewer.client.aclose()
    finally:
        await store.close()
    return found


async def _compare(
    ports: list[int],
    store: Store,
    viewers: list[Viewer],
    game: str,
    chance: random.Random,
    found: Found,
) -> None:
    """Compare what two tables send. The last of the viewers is a spectator."""
    base = spina.new(find(game).name, seats=SEATS, seed=chance.getrandbits(60), **OPTIONS.get(game, {}))
    for _ in range(chance.randrange(LATEST)):
        seat = base.to_act[0]
        base.play(seat, chance.choice(base.legal(seat)))
        if base.over:
            return
    keep, luck = chance.randrange(SEATS), chance.getrandbits(60)
    cases, branched = [], []
    for number in (1, 2):
        case = Case(ports, viewers[:-1], viewers[-1], keep)
        branched.append(
            await case.run(store, base, chance.getrandbits(60), random.Random(luck + number), random.Random(luck))
        )
        cases.append(case)
    if branched[0].hash() == branched[1].hash():
        return  # nothing is hidden at this moment
    found.races += 1
    for key, texts in cases[0].sent.items():
        others = cases[1].sent[key]
        pairs = [(one, other) for one, other in zip(texts, others, strict=False) if one != other]
        if key[0] == "control":
            found.controls += key[1] == 0 and bool(pairs)
            continue
        found.texts += len(texts)
        found.bytes += sum(map(len, texts))
        if len(texts) != len(others):
            found.differences.append(f"{game}, {key}: {len(texts)} and {len(others)} texts")
        found.differences += [f"{game}, {key}: {_first_difference(*pair)}" for pair in pairs]


def _first_difference(one: str, other: str) -> str:
    at = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"{one[max(0, at - 60) : at + 60]!r} and {other[max(0, at - 60) : at + 60]!r}"


def run(cluster: Cluster, races: int = RACES, seed: int = 1) -> Found:
    """Run the campaign and report it."""
    heading(f"Hidden information: {races} races, each with hidden information dealt in two ways, two servers")
    found = asyncio.run(campaign(cluster, races, seed))
    print(
        f"        {found.races} races with hidden information, {found.texts} messages and answers compared,"
        f" {found.bytes / 1e6:.1f} MB; {found.controls} races differ for another seat"
    )
    for each in found.differences[:3]:
        print(f"        {each}")
    measured("differences", str(len(found.differences)), "0", not found.differences)
    measured("races that differ for another seat", str(found.controls), "some", found.controls > 0)
    broken = cluster.tracebacks()
    measured("tracebacks in logs", str(broken), "0", broken == 0)
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--races", type=int, default=RACES)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with cluster() as servers:
        run(servers, asked.races, seed=asked.seed)
    sys.exit(bool(missed()))
