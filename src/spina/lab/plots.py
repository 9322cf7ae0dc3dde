"""Plots as SVG for HTML pages. Their colours are CSS variables of the page, so that they follow light and dark mode."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any

import numpy as np

from spina.errors import SpinaError
from spina.games.factions import FACTIONS
from spina.games.studies.intervals import Estimate, Unit

INK, SOFT, LINE, GROUND, ACCENT, WATER = "#010203", "#010204", "#010205", "#010206", "#010207", "#010208"
VARIABLES = {
    INK: "var(--ink)", SOFT: "var(--ink-soft)", LINE: "var(--line)", GROUND: "var(--raised)",
    ACCENT: "var(--accent)", WATER: "var(--water)",
}  # fmt: skip
"""Placeholder colours, with the CSS variables that replace them in the page."""
WIDTH = 7.2
NARROW = 5.2
ROW = 0.34
_numbers = count()


@contextmanager
def _canvas(height: float, width: float = WIDTH) -> Any:
    """An empty plot in Spina's style. Raises SpinaError without Matplotlib."""
    try:
        import matplotlib
        from matplotlib.figure import Figure as Canvas
    except ImportError:
        raise SpinaError("plots need Matplotlib: pip install 'spina[lab]'") from None
    style: dict[Any, Any] = {
        "svg.fonttype": "none", "svg.hashsalt": "spina", "font.family": "sans-serif", "font.size": 11.0,
        "text.color": INK, "axes.labelcolor": SOFT, "xtick.color": SOFT, "ytick.color": INK, "axes.edgecolor": LINE,
        "axes.spines.top": False, "axes.spines.right": False, "axes.spines.left": False, "axes.facecolor": "none",
        "figure.facecolor": "none", "xtick.major.size": 0.0, "ytick.major.size": 0.0, "axes.labelsize": 10.0,
    }  # fmt: skip
    with matplotlib.rc_context(style):
        canvas = Canvas(figsize=(width, height), layout="constrained")
        yield canvas


def _svg(canvas: Any, words: str) -> str:
    """The plot as an SVG element with a text alternative (`words`)."""
    out = io.StringIO()
    canvas.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    text = out.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    prefix = f"p{next(_numbers)}-"
    text = re.sub(r'\bid="', f'id="{prefix}', text)
    text = re.sub(r'(href="#|url\(#)', rf"\g<1>{prefix}", text)
    for colour, variable in VARIABLES.items():
        text = text.replace(colour, variable)
    text = re.sub(r"font: ([0-9.]+)px [^;\"]*", r"font-size: \1px; font-family: var(--reading)", text)
    text = re.sub(r'<svg [^>]*viewBox="([^"]*)"[^>]*>', rf'<svg role="img" viewBox="\1" aria-label="{words}">', text)
    return text


def restart() -> None:
    """Restarts the numbering of plots, so that equal reports have equal text."""
    global _numbers
    _numbers = count()


def faction_colour(name: str, otherwise: str = ACCENT) -> str:
    """The colour of a faction or of a kind of moves with this name, else `otherwise`."""
    if name == "black":
        return INK
    name = {"yellow": "gold"}.get(name, name)
    return next((each.colour for each in FACTIONS if each.name == name), otherwise)


def shares(rows: Sequence[tuple[str, Estimate]], fair: float | None, *, coloured: bool = False, what: str = "") -> str:
    """Shares with their intervals, one in a row, and a line at the fair share."""
    with _canvas(0.75 + ROW * len(rows), NARROW) as canvas:
        axes = canvas.add_subplot()
        for row, (name, estimate) in enumerate(rows):
            colour = faction_colour(name.split()[0]) if coloured else ACCENT
            axes.plot(
                [estimate.low, estimate.high], [row, row], color=SOFT, linewidth=2.2, solid_capstyle="round", zorder=2
            )
            axes.plot(
                [estimate.value],
                [row],
                "o",
                color=colour,
                markersize=10,
                markeredgecolor=INK,
                markeredgewidth=0.8,
                zorder=3,
            )
            axes.annotate(
                estimate.shown(estimate.value), (estimate.high, row), xytext=(8, 0), textcoords="offset points",
                va="center", fontsize=9.5, color=SOFT,
            )  # fmt: skip
        if fair is not None:
            axes.axvline(fair, color=WATER, linewidth=1.4, linestyle=(0, (4, 3)), zorder=1)
            axes.annotate(
                f"fair: {fair:.1%}",
                (fair, -0.9),
                ha="center",
                va="bottom",
                fontsize=9,
                color=WATER,
                annotation_clip=False,
            )
        highest = max([estimate.high for _, estimate in rows if np.isfinite(estimate.high)] + [fair or 0.0])
        lowest = min([estimate.low for _, estimate in rows] + [fair if fair is not None else 1.0])
        margin = max(0.01, 0.12 * (highest - lowest))
        axes.set_xlim(max(0.0, lowest - margin), min(1.06, highest + 2.2 * margin))
        axes.set_ylim(len(rows) - 0.4, -1.0 if fair is not None else -0.6)
        axes.set_yticks(range(len(rows)), [name for name, _ in rows])
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
        axes.grid(axis="x", color=LINE, linewidth=0.6)
        axes.set_axisbelow(True)
        if what:
            axes.set_xlabel(what)
        return _svg(canvas, f"{what or 'shares'}: " + ", ".join(f"{name} {estimate}" for name, estimate in rows))


def values(rows: Sequence[tuple[str, Estimate]], what: str, reference: float | None = None) -> str:
    """Numbers with their intervals, such as ratings."""
    with _canvas(0.7 + ROW * len(rows), NARROW) as canvas:
        axes = canvas.add_subplot()
        for row, (name, estimate) in enumerate(rows):
            axes.plot([estimate.low, estimate.high], [row, row], color=SOFT, linewidth=2.2, solid_capstyle="round")
            axes.plot([estimate.value], [row], "D", color=faction_colour(name), markersize=8, markeredgecolor=INK)
            axes.annotate(
                estimate.shown(estimate.value), (estimate.high, row), xytext=(8, 0), textcoords="offset points",
                va="center", fontsize=9.5, color=SOFT,
            )  # fmt: skip
        if reference is not None:
            axes.axvline(reference, color=WATER, linewidth=1.4, linestyle=(0, (4, 3)), zorder=1)
        axes.margins(x=0.15)
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.set_yticks(range(len(rows)), [name for name, _ in rows])
        axes.grid(axis="x", color=LINE, linewidth=0.6)
        axes.set_axisbelow(True)
        axes.set_xlabel(what)
        return _svg(canvas, f"{what}: " + ", ".join(f"{name} {estimate}" for name, estimate in rows))


def lengths(turns: Sequence[tuple[str, Any]], word: str) -> str:
    """The distribution of the lengths of races: a line for every group of races."""
    colours = [ACCENT, WATER, *(each.colour for each in FACTIONS if each.name not in ("white", "red", "blue"))]
    with _canvas(2.9) as canvas:
        axes = canvas.add_subplot()
        low = min(int(np.min(values)) for _, values in turns)
        high = max(int(np.max(values)) for _, values in turns)
        step = max(1, (high - low) // 40)
        edges = np.arange(low, high + step + 1, step) - 0.5 * step
        for index, (name, numbers) in enumerate(turns):
            shares_of, _ = np.histogram(numbers, edges)
            colour = colours[index % len(colours)]
            middle = edges[:-1] + 0.5 * step
            axes.plot(
                middle, shares_of / len(numbers), color=colour, linewidth=1.8, marker="o", markersize=4, label=name
            )
            axes.fill_between(middle, shares_of / len(numbers), color=colour, alpha=0.08, linewidth=0)
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
        axes.grid(axis="y", color=LINE, linewidth=0.6)
        axes.set_axisbelow(True)
        axes.set_xlabel(f"{word} in a race")
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.set_ylim(bottom=0)
        if len(turns) > 1:
            axes.legend(frameon=False, fontsize=9.5)
        return _svg(canvas, f"how many {word} races take, from {low} to {high}")


def leads(groups: Sequence[tuple[str, Sequence[Estimate], float]]) -> str:
    """The share of winners that lead after each quarter of the race; at the start it is the fair share."""
    colours = [ACCENT, WATER, *(each.colour for each in FACTIONS if each.name not in ("white", "red", "blue"))]
    with _canvas(2.9) as canvas:
        axes = canvas.add_subplot()
        for index, (name, quarters, fair) in enumerate(groups):
            x = np.arange(len(quarters) + 2) / (len(quarters) + 1)
            y = [fair, *(each.value for each in quarters), 1.0]
            colour = colours[index % len(colours)]
            axes.plot(x, y, color=colour, linewidth=2, marker="o", markersize=6, label=name, markeredgecolor=INK)
            axes.fill_between(
                x, [fair, *(each.low for each in quarters), 1.0], [fair, *(each.high for each in quarters), 1.0],
                color=colour, alpha=0.18, linewidth=0,
            )  # fmt: skip
        axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["start", "a quarter", "half", "three quarters", "finish"])
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
        axes.set_ylim(0, 1.03)
        axes.grid(axis="y", color=LINE, linewidth=0.6)
        axes.set_axisbelow(True)
        axes.set_ylabel("winners that lead")
        if len(groups) > 1:
            axes.legend(frameon=False, fontsize=9.5, loc="upper left")
        return _svg(canvas, "how many of the winners lead after each quarter of the race")


def heat(names: Sequence[str], matrix: Any, columns: Sequence[str], what: str) -> str:
    """A heat map of shares, such as finishing places."""
    matrix = np.asarray(matrix, float)
    with _canvas(0.6 + 0.36 * len(names)) as canvas:
        axes = canvas.add_subplot()
        top = max(float(np.nanmax(matrix)), 1e-9)
        for row in range(len(names)):
            for column in range(len(columns)):
                value = matrix[row, column]
                depth = 0.06 + 0.86 * value / top
                axes.fill_between(
                    [column + 0.03, column + 0.97], row + 0.04, row + 0.96, color=ACCENT, alpha=depth, linewidth=0
                )
                axes.text(
                    column + 0.5, row + 0.5, f"{value:.0%}", ha="center", va="center", fontsize=10,
                    color=GROUND if depth > 0.62 else INK,
                )  # fmt: skip
        axes.set_xlim(0, len(columns))
        axes.set_ylim(len(names), 0)
        axes.set_xticks(np.arange(len(columns)) + 0.5, columns)
        axes.set_yticks(np.arange(len(names)) + 0.5, names)
        axes.xaxis.tick_top()
        axes.spines["bottom"].set_visible(False)
        return _svg(canvas, what)


def trail(points: Sequence[tuple[float, float, bool]], what: str, low: float, high: float, unit: Unit) -> str:
    """A measure over the values of a component that were tried, with the target as a band."""
    with _canvas(2.4, NARROW) as canvas:
        axes = canvas.add_subplot()
        bottom = min(y for _, y, _ in points) if np.isinf(low) else low
        ceiling = max(y for _, y, _ in points) if np.isinf(high) else high
        axes.axhspan(bottom, ceiling, color=WATER, alpha=0.14, linewidth=0)
        ordered = sorted(points)
        axes.plot([x for x, _, _ in ordered], [y for _, y, _ in ordered], color=SOFT, linewidth=1, zorder=1)
        for x, y, chosen in ordered:
            axes.plot(
                [x], [y], "*" if chosen else "o", color=ACCENT, markersize=15 if chosen else 7, markeredgecolor=INK
            )
        axes.grid(axis="y", color=LINE, linewidth=0.6)
        axes.set_axisbelow(True)
        axes.set_xlabel(what)
        axes.set_xticks(sorted({x for x, _, _ in points}))
        if unit == "share":
            axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
        return _svg(canvas, f"what was measured for each {what} that was tried")
