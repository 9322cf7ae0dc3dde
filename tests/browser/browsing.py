"""A server, a browser and people who use them, as tests need them."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect

OUTPUT = Path(__file__).parents[2] / "build-output" / "screens"
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
"""By day and by night."""
PATIENCE = 30_000
"""Milliseconds that a page may take on a busy machine."""
expect.set_options(timeout=PATIENCE)


class Served:
    """A server of its own, which can be killed and started again."""

    def __init__(
        self,
        folder: Path,
        program: Sequence[str] = ("-m", "spina"),
        environment: Mapping[str, str] | None = None,
        options: Sequence[str] = (),
    ) -> None:
        """`program`: what Python runs instead of Spina itself; `environment`: in which, if not that of the tests;
        `options`: further ones of `spina serve`."""
        self.folder, self._program, self._options = folder, program, options
        self._environment = os.environ if environment is None else environment
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, *, compiled: bool = True) -> None:
        """Start, and wait until it answers; `compiled`: until all games are compiled too."""
        command = [sys.executable, *self._program, "serve", "--port", str(self.port)]
        command += ["--database", f"sqlite:///{self.folder / 'table.db'}", "--workers", "1", *self._options]
        environment = {**self._environment, "SPINA_DATA_DIR": str(self.folder)}
        with open(self.folder / "server.log", "ab") as log:
            self._process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        for _ in range(600):
            try:
                with urllib.request.urlopen(f"{self.url}/api/ready", timeout=5) as answer:
                    if not compiled or all(game["ready"] for game in json.load(answer).values()):
                        return
            except OSError:
                pass
            time.sleep(0.1)
        raise AssertionError(f"the server did not start: {(self.folder / 'server.log').read_text()}")

    def kill(self) -> None:
        """As a power cut would."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(20)

    def log(self) -> str:
        return (self.folder / "server.log").read_text()


WHOLE = ("chromium", "chromium-browser")
"""Commands of the browser that people use."""
SHELL = ("chromium-headless-shell",)
"""Commands of the same browser without a user interface. It shows pages alike, in two thirds of the time."""


def launch_chromium(playwright: Playwright, *, whole: bool = False) -> Browser:
    """The system's Chromium, or else the one that Playwright installed; `whole`: with everything that people use."""
    path = next((found for name in (() if whole else SHELL) + WHOLE if (found := shutil.which(name))), None)
    channel = "chromium" if whole and path is None else None
    return playwright.chromium.launch(executable_path=path, channel=channel, args=list(FLAGS))


class Visitors:
    """People with a browser each. What goes wrong in their pages is remembered."""

    def __init__(self, browser: Browser, url: str) -> None:
        self._browser, self._url = browser, url
        self._contexts: list[BrowserContext] = []
        self.problems: list[str] = []
        self.expected: tuple[str, ...] = ()
        """Parts of console messages that a test provokes on purpose."""

    def __call__(
        self,
        *,
        phone: bool = False,
        scheme: str = "light",
        language: str = "en",
        quick: bool = True,
        sound: bool = False,
        size: tuple[int, int] = (1366, 768),
    ) -> Page:
        """Somebody new; `quick`: for whom things hardly move; `sound`: who has not switched it off."""
        context = self._browser.new_context(
            base_url=self._url,
            viewport={"width": 390, "height": 844} if phone else {"width": size[0], "height": size[1]},
            has_touch=phone,
            is_mobile=phone,
            color_scheme=scheme,  # type: ignore[arg-type]
            locale=language,
            reduced_motion="reduce" if quick else "no-preference",
        )
        context.set_default_timeout(PATIENCE)
        if quick:
            context.add_init_script("localStorage.setItem('spina-speed', '40')")
        if not sound:
            context.add_init_script("localStorage.setItem('spina-sound', 'off')")
        self._contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: self._note(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self._note(str(error)))
        return page

    def _note(self, text: str) -> None:
        if not any(part in text for part in self.expected):
            self.problems.append(text)

    def keep_pictures(self, name: str) -> None:
        """Keep a picture of every open page among the build's output, as `failed-NAME-NUMBER.png`."""
        OUTPUT.mkdir(parents=True, exist_ok=True)
        stem = re.sub(r"[^\w-]+", "-", f"failed-{name}").strip("-")
        pages = [page for context in self._contexts for page in context.pages]
        for number, page in enumerate(pages):
            page.screenshot(path=OUTPUT / f"{stem}-{number}.png")

    def close(self) -> None:
        for context in self._contexts:
            context.close()
