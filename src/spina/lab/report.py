"""Reports: studies as one self-contained HTML file."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from spina import __version__
from spina.errors import SpinaError
from spina.games.studies.intervals import Estimate
from spina.lab import plots

MARKS = {"holds": "good", "does not hold": "bad", "undecided": "open"}


@dataclass(frozen=True, slots=True)
class Table:
    """A table with all numbers, folded below the plots."""

    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Card:
    """A verdict on one claim or target."""

    mark: str
    statement: str
    estimate: str
    small: str
    gauge: str = ""
    """The estimate beside its bounds, as SVG."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report: text, plots, tables and verdicts."""

    title: str
    words: Sequence[str] = ()
    plots: Sequence[tuple[str, str]] = ()
    """Each with its heading."""
    tables: Sequence[Table] = ()
    cards: Sequence[Card] = ()


@dataclass(frozen=True, slots=True)
class Origin:
    """How a report was made, so that it can be made again."""

    command: str
    seed: int
    races: int
    notes: Sequence[str] = field(default_factory=tuple)


def write(
    path: str | Path,
    title: str,
    sections: Sequence[Section],
    *,
    findings: Sequence[str] = (),
    origin: Origin | None = None,
) -> None:
    """Writes a report. The same study gives the same file. Raises SpinaError."""
    text = render(title, sections, findings=findings, origin=origin)
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise SpinaError(f"{path} cannot be written: {error.strerror or error}") from None


def render(
    title: str, sections: Sequence[Section], *, findings: Sequence[str] = (), origin: Origin | None = None
) -> str:
    """The HTML text of a report."""
    e = html.escape
    body = [f"<header><p class='small'>Spina · the lab</p><h1>{e(title)}</h1>"]
    if findings:
        body.append("<ul class='findings'>" + "".join(f"<li>{e(each)}</li>" for each in findings) + "</ul>")
    body.append("</header>")
    body += [_section(section) for section in sections]
    if origin:
        notes = "".join(f"<p>{e(note)}</p>" for note in origin.notes)
        body.append(
            f"<footer><p>{origin.races:,} races, seed {origin.seed}, Spina {e(__version__)}. Intervals are 95 %.</p>"
            f"<pre>{e(origin.command)}</pre>{notes}</footer>"
        )
    return (
        "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<title>{e(title)}</title><style>{STYLE}</style></head>\n<body>" + "\n".join(body) + "</body></html>\n"
    )


def _section(section: Section) -> str:
    e = html.escape
    out = [f"<section><h2>{e(section.title)}</h2>"]
    out += [f"<p>{e(each)}</p>" for each in section.words]
    for card in section.cards:
        out.append(
            f"<div class='card {MARKS.get(card.mark, 'open')}'><span class='mark'>{e(card.mark)}</span>"
            f"<p class='statement'>{e(card.statement)}</p><div class='gauge'>{card.gauge}</div>"
            f"<p class='figure'>{e(card.estimate)}</p><p class='small'>{e(card.small)}</p></div>"
        )
    if section.plots:
        plotted = "".join(f"<figure><figcaption>{e(name)}</figcaption>{svg}</figure>" for name, svg in section.plots)
        out.append(f"<div class='plots'>{plotted}</div>")
    for table in section.tables:
        head = "".join(f"<th>{e(cell)}</th>" for cell in table.head)
        rows = "".join("<tr>" + "".join(f"<td>{e(cell)}</td>" for cell in row) + "</tr>" for row in table.rows)
        out.append(
            f"<details><summary>{e(table.caption)}</summary><div class='wide'><table><thead><tr>{head}</tr></thead>"
            f"<tbody>{rows}</tbody></table></div></details>"
        )
    return "".join(out) + "</section>"


def arena_sections(
    bots: Sequence[str],
    win_shares: Sequence[tuple[float, float, float]],
    ratings: Sequence[tuple[float, float, float]],
    places: Any,
    *,
    races: int = 0,
    fair: float | None = None,
    rating_word: str = "rating",
) -> list[Section]:
    """The sections on an arena, from value, low and high of win shares and ratings, and finishing places.

    Bots are shown in this order; `places[bot][place]` are shares or counts.
    """
    plots.restart()
    wins = [(name, Estimate(*each, races, "share")) for name, each in zip(bots, win_shares, strict=True)]
    rated = [(name, Estimate(*each, races)) for name, each in zip(bots, ratings, strict=True)]
    matrix = [[float(cell) / max(1e-9, float(sum(row))) for cell in row] for row in places]
    columns = [ordinal(place + 1) for place in range(len(matrix[0]) if matrix else 0)]
    head = ["bot", "wins", "95 % interval", rating_word, "95 % interval"]
    rows = [
        [name, won.shown(won.value), f"{won.shown(won.low)} to {won.shown(won.high)}", f"{rating.value:.2f}",
         f"{rating.low:.2f} to {rating.high:.2f}"]
        for (name, won), (_, rating) in zip(wins, rated, strict=True)
    ]  # fmt: skip
    shares = [[name, *(f"{cell:.1%}" for cell in row)] for name, row in zip(bots, matrix, strict=True)]
    best = max(wins, key=lambda each: each[1].value)
    clear = all(best[1].low > other.high for name, other in wins if name != best[0])
    words = f"{best[0]} wins most often: {best[1]}" + (", clearly before all others." if clear else ".")
    return [
        Section(
            "Who wins",
            [words],
            [
                ("Share of races won", plots.shares(wins, fair)),
                (rating_word.capitalize(), plots.values(rated, rating_word)),
            ],
            [Table("All figures", head, rows)],
        ),
        Section(
            "Where they finish",
            [],
            [("Finishing places", plots.heat(bots, matrix, columns, "share of each finishing place by bot"))],
            [Table("Finishing places", ["bot", *columns], shares)],
        ),
    ]


def gauge(estimate: Estimate, low: float, high: float) -> str:
    """An SVG of an estimate with its interval, beside the bounds that were wanted."""
    known = [value for value in (estimate.value, estimate.low, estimate.high, low, high) if math.isfinite(value)]
    if math.isnan(estimate.value) or not known:
        return ""
    left, right = min(known), max(known)
    room = (right - left or abs(right) or 1.0) * 0.15
    left, right = left - room, right + room

    def x(value: float) -> float:
        return round(160 * (min(max(value, left), right) - left) / (right - left), 1)

    begin, end, first, last, middle = x(low), x(high), x(estimate.low), x(estimate.high), x(estimate.value)
    return (
        f"<svg viewBox='0 0 160 16' role='img' aria-label='{html.escape(str(estimate))}'>"
        "<rect width='160' height='16' rx='3' style='fill:var(--line);opacity:.35'/>"
        f"<rect x='{begin}' width='{max(end - begin, 1):.1f}' height='16' rx='3' style='fill:var(--good);opacity:.3'/>"
        f"<path d='M{first} 8H{last}' style='stroke:var(--ink-soft);stroke-width:2.5;stroke-linecap:round'/>"
        f"<circle cx='{middle}' cy='8' r='4.5' style='fill:var(--accent);stroke:var(--ink)'/></svg>"
    )


def ordinal(number: int) -> str:
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


STYLE = """
:root{color-scheme:light dark;--sand:light-dark(#efe0c0,#1c0e0a);--travertine:light-dark(#fcf6e8,#2a1611);
  --raised:light-dark(#fffbf2,#37201a);--line:light-dark(#d9c498,#56352a);--ink:light-dark(#2a1911,#f8ecd4);
  --ink-soft:light-dark(#5d432e,#d6bc98);--accent:light-dark(#8c281b,#ecb84f);--water:light-dark(#1b5679,#8cc4dc);
  --good:light-dark(#22643f,#8fd0a8);--bad:light-dark(#98190f,#ff9d88);--wall:light-dark(#6a2117,#30100b);
  --on-wall:#fbeccb;--gilt:#efc35a;--capitals:"Trajan Pro","Cinzel","Optima","P052","URW Palladio L",
  "Palatino Linotype", "Palatino","Book Antiqua",serif;--reading:system-ui,-apple-system,"Segoe UI",Roboto,
  "Noto Sans",Arial,sans-serif}
*{box-sizing:border-box}
body{margin:0;background:var(--sand);color:var(--ink);font:1rem/1.55 var(--reading)}
header{background:var(--wall);color:var(--on-wall);padding:2.2rem max(1.2rem,calc(50vw - 33rem)) 1.8rem;
  border-bottom:4px solid var(--gilt)}
header .small{color:var(--gilt);margin:0;letter-spacing:.06em}
h1,h2{font-family:var(--capitals);font-weight:600;line-height:1.15}
h1{font-size:clamp(1.8rem,1.2rem + 2.4vw,2.9rem); margin:.3rem 0 1rem}
h2{margin:0 0 .6rem;font-size:1.5rem;color:var(--accent)}
.findings{margin:0;padding:0;list-style:none; display:grid;grid-template-columns:repeat(auto-fit,minmax(19rem,1fr));
  gap:.7rem}
.findings li{background:#ffffff14; border-left:3px solid var(--gilt);padding:.6rem .9rem;border-radius:4px}
section,footer{max-width:66rem; margin:1.4rem auto;background:var(--travertine);border:1px solid var(--line);
  border-radius:10px;padding:1.4rem 1.6rem}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(27rem,100%),1fr));gap:1rem}
figure{margin:.4rem 0; background:var(--raised);border:1px solid var(--line);border-radius:8px;padding:.8rem}
figcaption{font-weight:600; margin-bottom:.3rem}
svg{width:100%;height:auto;display:block;max-height:34rem}
details{margin-top:.8rem;border-top:1px solid var(--line);padding-top:.5rem}
summary{cursor:pointer;color:var(--ink-soft)}
.wide{overflow-x:auto}
table{border-collapse: collapse;margin:.6rem 0;font-size:.9rem;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:.25rem .8rem .25rem 0;border-bottom:1px solid var(--line)}
th{color:var(--ink-soft);font-weight:600}
.small{font-size:.85rem; color:var(--ink-soft)}
.card{display:grid;grid-template-columns:7.5rem 1fr 10rem 14.5rem;gap:.1rem 1rem;align-items:baseline;
  border-left:5px solid var(--line);padding:.45rem .9rem;margin:.5rem 0;background:var(--raised);
  border-radius:0 6px 6px 0}
.card p{margin:0}
.card .mark{font-weight:700;grid-row:1}
.card .statement{grid-column:2}
.card .gauge{grid-column:3;align-self:center}
.card .gauge svg{max-height:1.3rem}
.card .figure{grid-column:4;text-align:right; font-variant-numeric:tabular-nums;white-space:nowrap}
.card .small{grid-column:2/5}
.good{border-color:var(--good)}
.good .mark{color:var(--good)}
.bad{border-color:var(--bad)}
.bad .mark{color:var(--bad)}
.open .mark{color:var(--ink-soft)}
pre{white-space:pre-wrap;background:var(--raised);border:1px solid var(--line);padding:.6rem .8rem;border-radius:6px}
footer{font-size:.9rem}
@media(max-width:40rem){.card{grid-template-columns:1fr}
.card *{grid-column:1!important}
.card .figure{white-space:normal}
}
@media print{body{background:none}
details{display:block}
}
"""
