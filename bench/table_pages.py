"""The table in a real browser: bytes of a first visit, and frames of a turn. `bench.start` measures the start.

`python -m bench.table_pages` runs this part alone, `python -m bench.table_pages charioteer` for one game. It needs
Playwright and a Chromium, as the browser tests do. The frames are drawn without a graphics card, which takes the more
time the more pixels there are: at 4K they are only reported. Nothing else should be running.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import websockets.sync.client
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, sync_playwright

from bench.offered_actions import an_action
from bench.processes import free_port
from bench.report import heading, measured
from spina.games import names

FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking")
HOME_BAR, TABLE_BAR = 200_000, 350_000
"""Bytes of the home page and of a table. Both together, with what they share, keep to the second."""
RACES = 3
"""Times that a turn of each game is watched at each size."""
SCREENS = ((1366, 768), (390, 844))
"""Sizes with bars: a small desktop, and a phone."""
LARGEST = (3840, 2160)
"""The size that is only reported."""
PHONE = 600
FRAME_BAR = 59.0
"""Required frames a second, of sixty: the system may miss a few."""
LONG = 20.0
"""Milliseconds; a frame of sixty a second takes 16.7."""
LONGEST_BAR = 50.0
"""Milliseconds that no frame may take."""
SHIFT_BAR = 0.001
PATIENCE = 60.0

RECORDER = """() => {
  const main = document.getElementById("main");
  const record = { frames: [], shifts: [] };
  window.record = record;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) record.shifts.push({
      value: entry.value,
      what: entry.sources.map((source) => source.node instanceof Element ? source.node.id || source.node.className : "")
    });
  }).observe({ type: "layout-shift", buffered: false });
  const frame = (now) => {
    record.frames.push([now, main.hasAttribute("data-busy")]);
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}"""
AT_REST = """() => {
  const main = document.getElementById("main");
  return !main.hasAttribute("data-busy") && (main.dataset.status === "over" || document.querySelector(".your-turn"));
}"""

MOVED = "() => window.record.frames.slice(1).some(([, moves], i) => moves && window.record.frames[i][1])"
"""Whether two frames in a row were drawn in motion."""


def run(games: Sequence[str] = ()) -> None:
    """Measure and report everything, for these games or all."""
    games = games or names()
    with (
        tempfile.TemporaryDirectory() as folder,
        _served(Path(folder)) as url,
        sync_playwright() as playwright,
        chromium(playwright) as browser,
    ):
        run_weight(browser, url, games)
        run_motion(browser, url, games)


# --- weight ---------------------------------------------------------------------------------------------------------


@dataclass
class Load:
    """What a browser has fetched."""

    total: int = 0
    requests: int = 0
    hosts: set[str] = field(default_factory=set)
    largest: dict[str, int] = field(default_factory=dict)


def run_weight(browser: Browser, url: str, games: Sequence[str]) -> None:
    heading("Page: first load of the home page and a table, as sent (packed, with headers)")
    with visit(browser, url) as page:
        load = _listen(page)
        page.goto("/", wait_until="networkidle")
        _report_load("home page", load, HOME_BAR, url)
    for game in games:
        with visit(browser, url) as page:
            load = _listen(page)
            page.goto("/", wait_until="networkidle")
            _race_now(page, game)
            page.wait_for_load_state("networkidle")
            _report_load(f"home and table of {game}", load, TABLE_BAR, url)
            address = page.url
        with visit(browser, url) as page:  # as a friend who follows a link to it
            load = _listen(page)
            page.goto(address, wait_until="networkidle")
            _report_load(f"table of {game} alone", load, TABLE_BAR, url)


def _report_load(what: str, load: Load, bar: int, url: str) -> None:
    measured(what, f"{load.total / 1000:.0f} kB", f"at most {bar // 1000} kB", load.total <= bar)
    foreign = load.hosts - {urlsplit(url).netloc}
    measured("    requests to other hosts", str(len(foreign)), "none", not foreign)
    largest = sorted(load.largest.items(), key=lambda item: -item[1])[:3]
    named = ", ".join(f"{path} {size / 1000:.0f}" for path, size in largest)
    print(f"        {load.requests} requests; largest: {named}")


def _listen(page: Page) -> Load:
    """What this page fetches from now on."""
    load, addresses = Load(), {}
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")

    def begun(event: dict[str, Any]) -> None:
        address = urlsplit(event["request"]["url"])
        if address.scheme in ("http", "https", "ws", "wss"):
            load.requests += 1
            load.hosts.add(address.netloc)
        addresses[event["requestId"]] = address.path

    def finished(event: dict[str, Any]) -> None:
        size = int(event["encodedDataLength"])
        load.total += size
        path = addresses.get(event["requestId"], "").rpartition("/")[2] or "/"
        load.largest[path] = load.largest.get(path, 0) + size

    def told(event: dict[str, Any]) -> None:
        load.total += len(event["response"]["payloadData"])  # an upper bound: it is packed on the way

    session.on("Network.requestWillBeSent", begun)
    session.on("Network.loadingFinished", finished)
    session.on("Network.webSocketFrameReceived", told)
    return load


# --- motion ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shown:
    """How a turn was shown."""

    seconds: float
    rate: float
    long: float
    longest: float
    shift: float
    shifted: tuple[str, ...]
    busy: float
    """Share of the time in which the page's main thread was busy."""


def run_motion(browser: Browser, url: str, games: Sequence[str]) -> None:
    heading(f"Page: a full turn at the usual speed, drawn without a graphics card, {RACES} races of each game and size")
    for game in games:
        for size in SCREENS:
            turns = [_watch(browser, url, game, size) for _ in range(RACES)]
            best = max(turns, key=lambda turn: turn.rate)
            calmest = min(turns, key=lambda turn: turn.longest)
            worst = max(turns, key=lambda turn: turn.shift)
            what = f"{game} at {size[0]} x {size[1]}"
            measured(f"{what}: frames a second, best", f"{best.rate:.1f}", "60 (59 or more)", best.rate >= FRAME_BAR)
            measured("    frames over 20 ms, best", f"{best.long:.1%}", "under 2 %", best.long < 0.02)
            longest = f"{calmest.longest:.0f} ms"
            measured(
                "    longest frame, best", longest, f"at most {LONGEST_BAR:.0f} ms", calmest.longest <= LONGEST_BAR
            )
            measured("    layout shift, worst", f"{worst.shift:.4f}", "none (under 0.001)", worst.shift < SHIFT_BAR)
            _tell(turns)
            if worst.shifted:
                print(f"        shifted: {', '.join(worst.shifted)}")
        turn = _watch(browser, url, game, LARGEST)
        print(f"        {game} at {LARGEST[0]} x {LARGEST[1]}, reported only; layout shift {turn.shift:.4f}:")
        _tell([turn])


def _tell(turns: Sequence[Shown]) -> None:
    """All turns that were watched, and how busy the machine was."""
    each = ", ".join(f"{turn.rate:.1f} (longest {turn.longest:.0f} ms)" for turn in turns)
    best = max(turns, key=lambda turn: turn.rate)
    print(
        f"        all: {each} frames a second; {best.seconds:.1f} s of motion, page's thread at work {best.busy:.0%}; "
        f"load {os.getloadavg()[0]:.1f}",
        flush=True,
    )


def _watch(browser: Browser, url: str, game: str, size: tuple[int, int]) -> Shown:
    with visit(browser, url, size=size) as page:
        page.goto("/")
        _race_now(page, game)
        page.wait_for_function(AT_REST)
        page.wait_for_timeout(500)
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable")
        page.evaluate(RECORDER)
        before = _metrics(session)
        _drive_a_turn(page, url)
        page.wait_for_function(MOVED)  # it is at rest until the first message has come, too
        page.wait_for_function(AT_REST, polling=500)
        after = _metrics(session)
        record = page.evaluate("() => window.record")
    frames = record["frames"]
    gaps = [later[0] - earlier[0] for earlier, later in pairwise(frames) if earlier[1] and later[1]]
    shifted = {name for shift in record["shifts"] for name in shift["what"] if name}
    return Shown(
        seconds=sum(gaps) / 1000,
        rate=1000 * len(gaps) / sum(gaps),
        long=sum(gap > LONG for gap in gaps) / len(gaps),
        longest=max(gaps),
        shift=sum(shift["value"] for shift in record["shifts"]),
        shifted=tuple(sorted(shifted)),
        busy=(after["TaskDuration"] - before["TaskDuration"]) / (after["Timestamp"] - before["Timestamp"]),
    )


def _metrics(session: Any) -> dict[str, float]:
    return {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}


def _drive_a_turn(page: Page, url: str) -> None:
    """Answer for the page's seat over a separate socket until its next turn, while the page shows everything."""
    cookie = next(each for each in page.context.cookies() if each["name"] == "spina")
    table = urlsplit(page.url).path.rpartition("/")[2]
    address = f"ws://{urlsplit(url).netloc}/t/{table}/live"
    headers = {"authorization": f"Bearer {cookie['value']}"}
    with websockets.sync.client.connect(address, additional_headers=headers, max_size=None) as live:
        begun, turn = time.monotonic(), None
        while time.monotonic() - begun < PATIENCE:
            message = json.loads(live.recv(PATIENCE))
            if "state" not in message:
                if message["type"] == "refused":
                    raise RuntimeError(f"a choice was refused: {message['reason']}")
                continue
            state = message["state"]
            number = state["view"]["turn"] if "turn" in state["view"] else state["view"]["round"]
            turn = number if turn is None else turn
            if state["status"] == "over" or (number > turn and state["offer"]):
                return
            if state["offer"]:
                play = {"type": "play", "key": secrets.token_hex(8), "seat": state["looking"]}
                live.send(json.dumps({**play, "actions": [an_action(state["offer"])]}))
    raise RuntimeError("the turn did not end")


# --- servers and browsers -------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _served(folder: Path) -> Iterator[str]:
    port = free_port()
    command = [sys.executable, "-m", "spina", "serve", "--port", str(port), "--workers", "1"]
    command += ["--database", f"sqlite:///{folder / 'table.db'}"]
    server = subprocess.Popen(command, env={**os.environ, "SPINA_DATA_DIR": str(folder)}, stdout=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    try:
        _until_ready(url)
        yield url
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(30)


def _until_ready(url: str) -> None:
    begun = time.perf_counter()
    while time.perf_counter() - begun < 600:
        with contextlib.suppress(httpx.TransportError):
            if all(game["ready"] for game in httpx.get(f"{url}/api/ready").json().values()):
                return
        time.sleep(0.1)
    raise RuntimeError("the server did not start")


@contextlib.contextmanager
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """A headless Chromium: the system's, or one that Playwright brings."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
    yield browser
    browser.close()


@contextlib.contextmanager
def visit(browser: Browser, url: str, *, still: bool = False, size: tuple[int, int] = (1440, 900)) -> Iterator[Page]:
    """A new visitor with an empty cache; `still`: for whom nothing moves."""
    context: BrowserContext = browser.new_context(
        base_url=url,
        viewport={"width": size[0], "height": size[1]},
        has_touch=size[0] < PHONE,
        is_mobile=size[0] < PHONE,
        locale="en",
        reduced_motion="reduce" if still else "no-preference",
    )
    context.set_default_timeout(PATIENCE * 1000)
    yield context.new_page()
    context.close()


def _race_now(page: Page, game: str) -> None:
    page.locator(f"form:has(input[name=game][value={game}]) button").first.click()
    page.wait_for_url("**/t/*")
    page.locator(".your-turn, #status-line > *").first.wait_for()


if __name__ == "__main__":
    run(sys.argv[1:])
