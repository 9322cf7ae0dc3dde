"""Whether everything that a choice needs is on one screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

SIZES = ((1366, 768), (1440, 900), (1920, 1080), (2560, 1440), (3840, 2160), (820, 1180), (390, 844))
"""Screens that the table is made for: desktops, a tablet held upright, a phone."""
PHONE = 600
"""Narrower screens are phones: what rivals have is one tap away there."""

SEEN = """
  const box = (element) => {
    const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
    return { left, top, right, bottom, width, height };
  };
  /* whether all of it lies in the window and under nothing: its middle and points near its corners are its own */
  const seen = (element) => {
    const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
    if (!width || !height || left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) return false;
    const [dx, dy] = [Math.min(6, width / 3), Math.min(6, height / 3)];
    const points = [[(left + right) / 2, (top + bottom) / 2], [left + dx, top + dy], [right - dx, bottom - dy]];
    return points.every(([x, y]) => {
      const found = document.elementFromPoint(x, y);
      return found && (element.contains(found) || found.contains(element));
    });
  };
"""
"""Scripts: the box of an element, and whether nothing hides it."""

HIDDEN = (
    "(chosen) => {"
    + SEEN
    + """
  const found = [...document.querySelectorAll(chosen)];
  return found.filter((each) => !seen(each)).map((each) => each.id || each.className);
}"""
)


def hidden(page: Page, chosen: str) -> list[str]:
    """Which of the chosen elements are not all in the window, or lie under something."""
    return list(page.evaluate(HIDDEN, chosen))


LOOK = (
    "() => {"
    + SEEN
    + """
  const words = (element) => (element.getAttribute("aria-label") || element.textContent).trim().slice(0, 60);
  const choice = document.getElementById("choice");
  const deciding = [...choice.querySelectorAll(".deciding")].filter((element) => element.checkVisibility());
  const panels = document.getElementById("panels");
  const shown = (id) => {
    const element = document.getElementById(id);
    return Boolean(element && element.checkVisibility() && element.childElementCount);
  };
  return {
    page: { height: document.documentElement.scrollHeight, width: document.documentElement.scrollWidth },
    window: { height: innerHeight, width: innerWidth },
    deciding: deciding.map((element) => ({ words: words(element), seen: seen(element), box: box(element) })),
    choice: { over: choice.scrollHeight - choice.clientHeight, box: box(choice) },
    board: box(document.getElementById("board")),
    status: seen(document.getElementById("status-line")),
    rivals: shown("panels"), own: shown("own"),
    panels: { over: panels.scrollHeight - panels.clientHeight, box: box(panels) },
  };
}"""
)

REPLAY = (
    "() => {"
    + SEEN
    + """
  const all = (chosen) => [...document.querySelectorAll(chosen)].filter((element) => element.checkVisibility());
  const name = (element) => element.id || String(element.className);
  const hidden = (chosen) => all(chosen).filter((element) => !seen(element)).map(name);
  const desk = document.getElementById("desk");
  return {
    page: { height: document.documentElement.scrollHeight, width: document.documentElement.scrollWidth },
    window: { height: innerHeight, width: innerWidth },
    board: box(document.getElementById("board")),
    controls: all("#transport button, #transport input, #transport select").length,
    hidden: hidden("#transport :is(button, input, select), #status-line, #drawer-button, #chances, .cx-play"),
    chart: all(".chart").length === 1 && seen(document.querySelector(".chart")),
    story: all("#log").length === 1 && all("#log .line:last-child").every(seen),
    open: all("#choice > *").length > 0,
    shown: hidden("#choice, #comparison, .costly-choice a, .comparison-side"),
    over: desk.scrollHeight - desk.clientHeight,
  };
}"""
)


EMPTY = """() => {
  const desk = document.getElementById("desk");
  const shown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const solid = "svg, img, input, select, textarea, button, .meter, [role=radio]";
  /* from where to where a box can be seen, as far as nothing that scrolls or clips hides it */
  const clipped = ({ left, top, right, bottom }, element) => {
    for (let around = element; around && desk.contains(around); around = around.parentElement) {
      if (around !== desk && getComputedStyle(around).overflowY === "visible") continue;
      const edge = around.getBoundingClientRect();
      [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
      [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
    }
    return left < right ? [top, bottom] : [top, top];
  };
  const boxes = [...desk.querySelectorAll(solid)].filter(shown)
    .filter((element) => element.clientWidth > 1)
    .map((element) => clipped(element.getBoundingClientRect(), element.parentElement));
  const texts = document.createTreeWalker(desk, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    const holder = text.parentElement;
    if (!text.data.trim() || !shown(holder) || holder.closest(".unseen")) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const box of range.getClientRects()) boxes.push(clipped(box, holder));
  }
  /* the space between two lines is not empty: each box reaches half a line further */
  const half = parseFloat(getComputedStyle(document.documentElement).fontSize) / 2;
  const { top, bottom } = desk.getBoundingClientRect();
  const seen = boxes.filter(([from, to]) => to > from).sort(([one], [other]) => one - other);
  let [covered, reached] = [0, top];
  for (const [from, to] of seen) {
    const end = Math.min(bottom, to + half);
    covered += Math.max(0, end - Math.max(reached, from - half));
    reached = Math.max(reached, end);
  }
  return 1 - covered / (bottom - top);
}"""
"""The share of the height of the column with the choice where nothing is: no text, picture or control."""
LARGE = 2560
"""Screens from this width on: there the column must not be emptier than this."""
MOST_EMPTY = 0.4


def emptiness(page: Page) -> float:
    return float(page.evaluate(EMPTY))


TABLET = 1000
"""Narrower screens are held upright: the story is one tap away there."""


def replay_problems(page: Page) -> list[str]:
    """What of a moment of a replay cannot be seen without scrolling; empty: it is all on one screen."""
    seen = dict(page.evaluate(REPLAY))
    window, board = seen["window"], seen["board"]
    found = [
        f"the page is {seen['page'][side]} px, the window {window[side]}"
        for side in ("height", "width")
        if seen["page"][side] > window[side]
    ]
    found += [f"cannot be seen: {name!r}" for name in seen["hidden"]]
    if seen["controls"] < 12:
        found.append("controls are missing")
    if board["height"] < 0.25 * window["height"] or board["width"] < 0.5 * window["width"]:
        found.append(f"the board is only {board['width']:.0f} x {board['height']:.0f}")
    if not seen["open"]:
        found.append("neither cards nor dice")
    if window["width"] < PHONE:
        return found
    if not seen["chart"]:
        found.append("the chart cannot be seen")
    found += [f"cannot be seen: {name!r}" for name in seen["shown"]]
    if window["width"] < TABLET:
        return found
    if not seen["story"]:
        found.append("the end of the story cannot be seen")
    if seen["over"] > 1:
        found.append(f"the desk scrolls by {seen['over']} px")
    return found


NARROW = {"width": 320, "height": 640}
"""What a zoom of 400 % makes of a desktop of 1280 pixels (WCAG 1.4.10)."""


PAINTED = 0.2
"""The scale at which a page is painted while it is only measured."""
LAID_OUT = """async ([width, height]) => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  while (innerWidth !== width || innerHeight !== height) await frame();
  await frame();
  await frame();
}"""


class Screen:
    """The screen of a page that is looked at in several sizes.

    A page is measured while its picture is painted small: no box changes, and large screens take a third less time.
    """

    def __init__(self, page: Page) -> None:
        self._page, self._session = page, page.context.new_cdp_session(page)

    def measure_at(self, width: int, height: int) -> None:
        """Lay the page out on a screen of this size. Nothing can be clicked until `restore`."""
        self._show(width, height, PAINTED)

    def restore(self) -> None:
        """Give the page its own size again."""
        assert self._page.viewport_size is not None
        self._show(self._page.viewport_size["width"], self._page.viewport_size["height"], 1)

    def _show(self, width: int, height: int, scale: float) -> None:
        size = {"width": width, "height": height, "screenWidth": width, "screenHeight": height}
        how = {**size, "deviceScaleFactor": 1, "mobile": False, "scale": scale}
        self._session.send("Emulation.setDeviceMetricsOverride", how)
        self._page.evaluate(LAID_OUT, [width, height])


def overhang(page: Page) -> int:
    """By how many pixels a page scrolls sideways where it is 320 pixels wide. Its size is the same afterwards."""
    size = page.viewport_size
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    found = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    if size is not None:
        page.set_viewport_size(size)
    return int(found)


TARGETS = """() => {
  const pressed = "button, a[href], input, select, summary, [role=button], [role=radio]";
  const own = (element, x, y) => {
    const found = document.elementFromPoint(x, y);
    const label = element.closest("label");
    return found && (element.contains(found) || Boolean(label && label.contains(found)));
  };
  return [...document.querySelectorAll("#choice, #status, dialog[open]")]
    .flatMap((place) => [...place.querySelectorAll(pressed)])
    .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.disabled)
    .filter((element) => {
      const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      if (x < 0 || y < 0 || x > innerWidth || y > innerHeight || !own(element, x, y)) return false; // scrolled away
      const wide = width >= 43.5 || (own(element, x - 21, y) && own(element, x + 21, y));
      const high = height >= 43.5 || (own(element, x, y - 21) && own(element, x, y + 21));
      return !wide || !high;
    })
    .map((element) => `${element.className || element.tagName} ${element.offsetWidth}x${element.offsetHeight}`);
}"""
"""What is pressed in a choice but is no target of 44 by 44 pixels, counting what lies around it and presses it too."""


def small_targets(page: Page) -> list[str]:
    return list(page.evaluate(TARGETS))


def look(page: Page) -> dict[str, Any]:
    """What is seen of the table while a choice is asked."""
    return dict(page.evaluate(LOOK))


def at_rest(page: Page, wrong: Callable[[], Any]) -> Any:
    """What is wrong with a page that has come to rest: it has two seconds to lay itself out."""
    for _ in range(20):
        if not (found := wrong()):
            break
        page.wait_for_timeout(100)
    return found


def problems(page: Page) -> list[str]:
    """What of a choice cannot be seen without scrolling; empty: it is all on one screen."""
    return list(at_rest(page, lambda: _problems(page)))


def _problems(page: Page) -> list[str]:
    seen = look(page)
    window, board = seen["window"], seen["board"]
    phone = window["width"] < PHONE
    found = []
    if seen["page"]["height"] > window["height"]:
        found.append(f"the page is {seen['page']['height']} px high, the window {window['height']}")
    if seen["page"]["width"] > window["width"]:
        found.append(f"the page is {seen['page']['width']} px wide, the window {window['width']}")
    if not seen["deciding"]:
        found.append("nothing is marked as deciding")
    found += [f"cannot be seen: {each['words']!r} at {each['box']}" for each in seen["deciding"] if not each["seen"]]
    if not phone and seen["choice"]["over"] > 1:
        found.append(f"the choice scrolls by {seen['choice']['over']} px")
    if not seen["status"]:
        found.append("whose turn it is cannot be seen")
    if board["height"] < 0.28 * window["height"] or board["width"] < 0.5 * window["width"]:
        found.append(f"the board is only {board['width']:.0f} x {board['height']:.0f}")
    if window["width"] >= LARGE and (empty := emptiness(page)) > MOST_EMPTY:
        found.append(f"{empty:.0%} of the column with the choice are empty")
    if not phone:
        found += [f"no {name}" for name in ("own", "rivals") if not seen[name]]
        if seen["panels"]["box"]["bottom"] > window["height"] + 1 or seen["panels"]["over"] > 1:
            found.append("the rivals do not fit")
    return found
