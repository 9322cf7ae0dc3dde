"""Make docs/table.png, the README's picture of the browser table: `python tools/table_picture.py`.

Starts a server and a headless Chromium, races some turns against bots, and takes a screenshot while a choice is open.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests" / "browser"), str(ROOT / "tests" / "table")]

from browsing import Served, Visitors, launch_chromium  # noqa: E402
from steps import ASKED, choose, set_up  # noqa: E402

COLOURS = 128
"""Fewer colours make a smaller file; boards have few."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="charioteer")
    parser.add_argument("--choices", type=int, default=8, help="choices before the picture is taken")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "table.png")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Served(Path(folder))
        server.start()
        browser = launch_chromium(playwright)
        try:
            page = Visitors(browser, server.url)()
            bots = [{"kind": "bot", "bot": level} for level in ("medium", "hard", "expert")]
            set_up(page, {"game": args.game, "seats": [{"kind": "me"}, *bots]})
            choose(page, args.game, args.choices)
            # The same person in another window, where races are shown at the usual speed.
            cookies = page.context.cookies()
            window = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
            window.add_cookies(cookies)  # type: ignore[arg-type]
            address, page = page.url, window.new_page()
            page.goto(address)
            page.wait_for_function(ASKED)
            page.screenshot(path=args.out)
        finally:
            browser.close()
            server.stop()
    Image.open(args.out).convert("RGB").quantize(COLOURS).save(args.out, optimize=True)
    print(f"{args.out}: {args.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
