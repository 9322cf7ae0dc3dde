"""The start of Spina as a newcomer meets it, in a real browser: with empty caches, then warm.

`python -m bench.start` runs this part alone; with a folder as its argument it keeps a picture of the page for every
second of the first starts. Each first start has sources without bytecode, a home, caches and data of its own. Rivals
move without motion on the page. In Chariot Race they may be first, and to watch them takes longer than the rest: a race
has begun when the page offers a choice or shows a rival's move, whichever comes first.
It needs Playwright and a Chromium, as the browser tests do; nothing else should be running.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx
import websockets.sync.client
from playwright.sync_api import Browser, Page, sync_playwright

import spina
from bench.offered_actions import an_action
from bench.processes import cpu_seconds, free_port
from bench.report import heading, measured
from bench.table_pages import AT_REST, chromium, visit
from spina.games import names

BEGUN = f"""() => document.querySelector("#log .line:not(.quiet)") || ({AT_REST})()"""
HOME_BAR, WARM_HOME_BAR = 3.0, 1.5
OFFER_BARS, OFFER_BAR, WARM_RACE_BAR = {"chariotmaster": 8.0}, 4.0, 1.0
ANSWER_BARS, ANSWER_BAR = {"chariotmaster": 2.0}, 1.0
COMPILE_BAR, IDLE_BAR, RACING_BAR = 60.0, 120.0, 180.0
WATCH_BAR = 4.0
STARTS = 5
"""Warm starts, of which the median counts."""
THINKING = 1.0
"""Seconds that the person takes for a choice."""
PATIENCE = 600.0
TURN = '"type":"turn"'
"""In the lines of `spina watch --json`."""


def run(pictures: Path | None = None) -> None:
    """Measure and report everything."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright, chromium(playwright) as browser:
        machine = _idle(Path(folder))
        for game in names():
            _first_race(browser, game, pictures)
        _watched(None)
        _warm(browser, machine)
        _watched(machine)


# --- machines and servers -------------------------------------------------------------------------------------------


class Machine:
    """A machine on which Spina has just been installed: folders of its own, all empty but for the sources."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        source = Path(spina.__file__).parent
        shutil.copytree(source, folder / "source" / "spina", ignore=shutil.ignore_patterns("__pycache__"))
        places = ("HOME", "XDG_CACHE_HOME", "SPINA_CACHE_DIR", "NUMBA_CACHE_DIR", "SPINA_DATA_DIR")
        self.environment = {**os.environ, **{name: str(folder / name.lower()) for name in places}}
        self.environment["PYTHONPATH"] = str(folder / "source")
        self.environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for name in places:
            (folder / name.lower()).mkdir(mode=0o700)


class Server:
    """A running `spina`, with the times at which its games were compiled."""

    def __init__(self, machine: Machine) -> None:
        port = free_port()
        self.url, self._port = f"http://127.0.0.1:{port}", port
        command = [sys.executable, "-P", "-m", "spina", "--no-browser", "--port", str(port)]
        self.begun = time.perf_counter()
        self.process = subprocess.Popen(command, env=machine.environment, stdout=subprocess.DEVNULL)
        self.compiled: dict[str, float] = {}
        """Seconds from the start until each game was ready, searching bots included."""
        self.worked: dict[str, float] = {}
        """Processor time of the compiler of each game."""
        self._over = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Server:
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self._port)):
                self._watcher.start()
                return self
            time.sleep(0.01)

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._watcher.join()
        self.process.send_signal(signal.SIGINT)
        self.process.wait(30)

    @property
    def elapsed(self) -> float:
        return time.perf_counter() - self.begun

    @property
    def ready(self) -> bool:
        return len(self.compiled) == len(names())

    def _watch(self) -> None:
        before: dict[str, dict[int, float]] = {}
        with httpx.Client(base_url=self.url, timeout=60) as client:
            while not self._over.wait(0.5):
                for game, process in _compilers(self.process.pid):
                    before.setdefault(game, {})[process] = cpu_seconds(process)
                    self.worked[game] = sum(before[game].values())
                with contextlib.suppress(httpx.TransportError):
                    for game, state in client.get("/api/ready").json().items():
                        if state["ready"]:
                            self.compiled.setdefault(game, self.elapsed)


def _compilers(server: int) -> Iterator[tuple[str, int]]:
    """The compilers that a server has started, with their games."""
    with contextlib.suppress(OSError):
        for child in Path(f"/proc/{server}/task/{server}/children").read_text().split():
            with contextlib.suppress(OSError):
                words = Path(f"/proc/{child}/cmdline").read_text().split("\0")
                if any("compile_child" in word for word in words):
                    yield next(word for word in words if word in names()), int(child)


# --- first starts ---------------------------------------------------------------------------------------------------


def _idle(folder: Path) -> Machine:
    """Compile everything while nobody races."""
    heading("Start: empty caches, nobody races")
    machine = Machine(folder)
    with Server(machine) as server:
        _until(server)
    for game in names():
        worked = server.worked.get(game, 0.0)
        measured(f"{game}: processor time to compile", f"{worked:.0f} s", f"{COMPILE_BAR:.0f} s", worked <= COMPILE_BAR)
    last = max(server.compiled.values())
    measured("all games compiled after", f"{last:.0f} s", f"{IDLE_BAR:.0f} s", last <= IDLE_BAR)
    return machine


def _until(server: Server) -> None:
    while not server.ready:
        if server.elapsed > PATIENCE:
            raise RuntimeError(f"not compiled: {server.compiled}")
        time.sleep(0.2)


class Wait(NamedTuple):
    """Seconds from the click on Race now."""

    race: float
    """Until the page offers a choice or shows a rival's move."""
    offer: float
    """Until the page offers a choice."""


def _first_race(browser: Browser, game: str, pictures: Path | None) -> None:
    heading(f"Start: empty caches, {game} raced at once")
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(Machine(Path(folder))) as server,
        visit(browser, server.url, still=True) as page,
    ):
        page.goto("/")
        home = server.elapsed
        offer = _race_now(page, game).offer
        answers: list[float] = []
        while not server.ready:
            answers += _race(page, server, game, pictures)
            if not server.ready:
                page.goto("/")
                _race_now(page, game)
        measured("spina to home page", f"{home:.2f} s", f"{HOME_BAR:g} s", home <= HOME_BAR)
        bar = OFFER_BARS.get(game, OFFER_BAR)
        measured("Race now to the first offer", f"{offer:.2f} s", f"{bar:g} s", offer <= bar)
        bar, longest = ANSWER_BARS.get(game, ANSWER_BAR), max(answers)
        measured("own choice answered, longest", f"{longest:.2f} s", f"{bar:g} s", longest <= bar)
        print(f"        {len(answers)} choices, median {1000 * statistics.median(answers):.0f} ms")
        last = max(server.compiled.values())
        measured("all games compiled after", f"{last:.0f} s", f"{RACING_BAR:.0f} s", last <= RACING_BAR)
        print("        " + ", ".join(f"{name} {seconds:.0f} s" for name, seconds in server.compiled.items()))


def _race_now(page: Page, game: str) -> Wait:
    """Click Race now on the home page, and wait until the page offers a choice."""
    clicked = time.perf_counter()
    page.locator(f"form:has(input[name=game][value={game}]) button").first.click()
    page.wait_for_url("**/t/*")
    page.wait_for_function(BEGUN)
    begun = time.perf_counter()
    page.wait_for_function(AT_REST)
    return Wait(begun - clicked, time.perf_counter() - clicked)


def _race(page: Page, server: Server, game: str, pictures: Path | None) -> list[float]:
    """Race for the page's seat over a socket of its own, while the page shows it, until all games are compiled or the
    race is over. Returns the seconds until each choice was answered."""
    cookie = next(each for each in page.context.cookies() if each["name"] == "spina")
    table = urlsplit(page.url).path.rpartition("/")[2]
    headers = {"authorization": f"Bearer {cookie['value']}"}
    answers: list[float] = []
    address = f"ws://{urlsplit(server.url).netloc}/t/{table}/live"
    with websockets.sync.client.connect(address, additional_headers=headers, max_size=None) as live:
        state: dict[str, Any] = {}
        key, sent = "", 0.0
        while not server.ready and state.get("status") != "over":
            try:
                message = json.loads(live.recv(1.0))
            except TimeoutError:
                continue
            if message["type"] == "refused":
                raise RuntimeError(f"a choice was refused: {message['reason']}")
            if message["type"] == "done" and message["key"] == key:
                answers.append(time.perf_counter() - sent)
                key = ""
            state = message.get("state", state)
            if state.get("offer") and not key:
                _think(page, pictures and pictures / f"{game}-{server.elapsed:05.1f}.png")
                key, sent = secrets.token_hex(8), time.perf_counter()
                choice = {"seat": state["looking"], "actions": [an_action(state["offer"])]}
                live.send(json.dumps({"type": "play", "key": key, **choice}))
                state = {**state, "offer": None}
    return answers


def _think(page: Page, picture: Path | None) -> None:
    """Let the person look at the page for a while, and keep a picture of it."""
    page.wait_for_timeout(1000 * THINKING)
    if picture is not None:
        picture.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=picture)


def _watched(machine: Machine | None) -> None:
    """`spina watch` until its first turn; without a machine: on a new one."""
    heading(f"Start: spina watch charioteer, {'empty caches' if machine is None else 'warm'}")
    with tempfile.TemporaryDirectory() as folder:
        environment = (machine or Machine(Path(folder))).environment
        command = [sys.executable, "-P", "-m", "spina", "watch", "charioteer", "--json", "--seed", "7"]
        begun = time.perf_counter()
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            next(line for line in process.stdout if TURN in line)
            seconds = time.perf_counter() - begun
            process.terminate()
    measured("first turn printed after", f"{seconds:.2f} s", f"{WATCH_BAR:g} s", seconds <= WATCH_BAR)


# --- warm starts ----------------------------------------------------------------------------------------------------


def _warm(browser: Browser, machine: Machine) -> None:
    heading(f"Start: everything compiled before, median of {STARTS}")
    homes: list[float] = []
    waits: dict[str, list[Wait]] = {game: [] for game in names()}
    for number in range(STARTS):
        with Server(machine) as server, visit(browser, server.url, still=True) as page:
            page.goto("/")
            homes.append(server.elapsed)
            game = names()[number % len(names())]
            waits[game].append(_race_now(page, game))
            for other in names():
                page.goto("/")
                waits[other].append(_race_now(page, other))
    home = statistics.median(homes)
    measured("spina to home page", f"{home:.2f} s", f"{WARM_HOME_BAR:g} s", home <= WARM_HOME_BAR)
    for game, found in waits.items():
        race = statistics.median(wait.race for wait in found)
        what = f"{game}: Race now to the race"
        measured(what, f"{race:.2f} s", f"{WARM_RACE_BAR:g} s", race <= WARM_RACE_BAR)
        offers = [wait.offer for wait in found]
        print(
            f"        longest {max(wait.race for wait in found):.2f} s; "
            f"to the first own choice {statistics.median(offers):.2f} s, longest {max(offers):.2f} s"
        )


if __name__ == "__main__":
    run(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
