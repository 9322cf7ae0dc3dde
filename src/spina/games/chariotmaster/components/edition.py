"""Editions of Chariotmaster: from a file such as `edition.toml` to the record that the kernels read.

A file is a whole edition, or a track file with scenarios only; the rest is then that of the reference edition. All
mistakes in a file are found here and reported with their lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, NamedTuple

from spina.errors import OptionError
from spina.games.chariotmaster.components.equipment import Kit, kit_content, read_designs, read_items, read_races
from spina.games.chariotmaster.components.refusals import say
from spina.games.chariotmaster.components.scenarios import VALUE, Scenario, read_scenarios, scenario_content
from spina.games.chariotmaster.components.sheet import PLACES, ComponentSheet, centimetres, count, decimal, unknown
from spina.games.chariotmaster.rules import record
from spina.games.chariotmaster.rules.record import CM, DEGREE, MM, ROWS, TOKENS
from spina.games.editions import FILE, Content, Edition, Entry, Files, extent, listed, number_in, quoted, sealed
from spina.sentences import Sentence

GAME = "chariotmaster"
TRACK_FILE = "track.toml"
"""A track file with comments, to begin with."""

# --- what a file may say --------------------------------------------------------------------------------------------

FARTHEST = 30 * CM
"""Greatest distance of a token; with a spur and a whip it stays below the longest sub-move."""
SPREAD = CM
"""Least difference between a token's distances: a chariot with less than that left has moved far enough (D3)."""
MODIFIER = 5
BOUNCE = 10 * CM
BASE = {"length": (CM, 8 * CM), "width": (50, 4 * CM)}
RAM = 3
STRUCTURE = 20
FACES = 6

TOKEN_FORM = '"5: 5 to 10 cm, pivot 30, test 0, grab 0"'
ROW_FORM = '"5: back D3, +1"'
_TOKEN = re.compile(r"(\S+): (\S+) to (\S+) cm, pivot (\S+), test (\S+), grab (\S+)")
_BODY = re.compile(r"from (\S+): (\S+)")
_ROW = re.compile(r"([1-8])(?:-([1-8])|(\+))?: (.+)")

MOVES = ("back D3", "back D6", "left D6", "right D6")
EFFECTS = {
    "stamina": ("+1", "halve", *MOVES, "exhausted", "gives up token", "horse dies"),
    "structure": ("+1", *MOVES, "loses stamina", "wheel", "gives up token", "crashes"),
    "health aboard": ("+1", "loses skill", "loses reins", "stunned", "dies"),
    "health dragged": ("+1", "loses skill", "stunned", "dies"),
    "health on foot": ("+1", "loses skill", "stunned", "dies"),
    "skill aboard": ("+1", *MOVES, "out of control", "loses reins", "falls off"),
    "skill dragged": ("+1", "loses knife", "dies"),
    "skill on foot": ("+1", "stunned"),
}
"""The effects that each table's rows can have."""
NOTHING = "nothing"


@dataclass(frozen=True)
class ChariotmasterEdition(Edition):
    """The components of Chariotmaster: figures of the rules, scenarios, equipment and races."""

    scenarios: tuple[Scenario, ...] = field(repr=False, compare=False)
    """In the order of the file; the first is raced if none is named."""
    kit: Kit = field(repr=False, compare=False)
    """Items, races and ready-made chariots."""

    layout = record.EDITION

    @cached_property
    def scenario_names(self) -> tuple[str, ...]:
        return tuple(scenario.name for scenario in self.scenarios)

    def scenario(self, name: str) -> Scenario:
        """A scenario by its name. Raises OptionError."""
        if name not in self.scenario_names:
            raise OptionError(
                say(
                    "chariotmaster.no-scenario", option="scenario", name=quoted(name), known=listed(self.scenario_names)
                )
            )
        return self.scenarios[self.scenario_names.index(name)]

    @cached_property
    def token_names(self) -> tuple[str, ...]:
        return record.TOKEN_NAMES

    @cached_property
    def least(self) -> tuple[int, ...]:
        """The least distance of each token, in units."""
        return self._numbers("least")

    @cached_property
    def most(self) -> tuple[int, ...]:
        """The greatest distance of each token, in units; that of the 10 token can be a chariot's own."""
        return self._numbers("most")

    @cached_property
    def pivot(self) -> tuple[int, ...]:
        """The widest pivot with each token, in tenths of a degree."""
        return self._numbers("pivot")

    @cached_property
    def tables(self) -> Mapping[str, tuple[tuple[str, ...], ...]]:
        """The tables for those who are out of points: by name, the effects of the results from 1 to 8."""
        effects = self._record.effects
        return {
            name: tuple(_effect_names(int(bits)) for bits in effects[table])
            for table, name in enumerate(record.TABLE_NAMES)
        }

    def __reduce__(self) -> tuple[Callable[[str, str], ChariotmasterEdition], tuple[str, str]]:
        """Copying and pickling parse the text again, so that the record stays read-only."""
        return parse, (self.text, self.name)


def _effect_names(bits: int) -> tuple[str, ...]:
    return tuple(name for bit, name in enumerate(record.EFFECT_NAMES) if bits >> bit & 1)


# --- tokens and collisions ------------------------------------------------------------------------------------------


def read_tokens(sheet: ComponentSheet) -> dict[str, list[int]]:
    """The three speed tokens, from the slowest."""
    path = "tokens.list"
    entries = sheet.entries(path, most=TOKENS)
    if sheet.sound(path) and len(entries) != TOKENS:
        sheet.problem(path, say("chariotmaster.edition.tokens", count=len(entries), wanted=TOKENS))
    rows = [_read_token(sheet, entry, number) for number, entry in enumerate(entries)]
    tokens = [row for row in rows if row]
    for before, after, entry in zip(tokens, tokens[1:], entries[1:], strict=False):
        if sheet.sound(path) and not (before[0] < after[0] and before[1] < after[1]):
            sheet.problem(entry.path, say("chariotmaster.edition.tokens-out-of-order"))
    columns = [[token[i] for token in tokens] for i in range(5)]
    return dict(zip(("least", "most", "pivot", "test", "grab"), columns, strict=True))


def _read_token(sheet: ComponentSheet, entry: Entry, number: int) -> list[int] | None:
    match = _TOKEN.fullmatch(entry.text)
    if match is None or entry.times > 1:
        sheet.problem(entry.path, say("chariotmaster.edition.not-a-token", text=quoted(entry.text), form=TOKEN_FORM))
        return None
    name = record.TOKEN_NAMES[number]
    if match[1] != name:
        sheet.problem(
            entry.path, say("chariotmaster.edition.token-misplaced", token=quoted(match[1]), name=quoted(name))
        )
    least, most = (
        _figure(sheet, entry, say("thing.distance"), word, 1, 0, FARTHEST // MM) for word in (match[2], match[3])
    )
    pivot = _figure(sheet, entry, say("thing.pivot"), match[4], 0, 0, record.WIDEST)
    test, grab = (
        _figure(sheet, entry, say("thing.modifier"), word, 0, -MODIFIER, MODIFIER) for word in (match[5], match[6])
    )
    if least is None or most is None or pivot is None or test is None or grab is None:
        return None
    if (most - least) * MM < SPREAD:
        text = say("chariotmaster.edition.spread", text=quoted(entry.text), spread=centimetres(SPREAD))
        sheet.problem(entry.path, text)
    return [least * MM, most * MM, pivot * DEGREE, test, grab]


def _figure(
    sheet: ComponentSheet, entry: Entry, what: Sentence, word: str, places: int, low: int, high: int
) -> int | None:
    """A number inside a text, in units of its last decimal place."""
    number = decimal(word, places)
    if number is None or not low <= number <= high:
        bounds = (
            extent(low, high) if not places else say("range", low=format(low / 10, "g"), high=format(high / 10, "g"))
        )
        text = say(
            "chariotmaster.edition.number-in-entry",
            what=what,
            word=quoted(word),
            text=quoted(entry.text),
            range=bounds,
            places=PLACES[places],
        )
        sheet.problem(entry.path, text)
        return None
    return number


def read_base(sheet: ComponentSheet) -> int:
    """The width of a chariot's base; it is twice as long."""
    length, width = (sheet.length(f"base.{side}", low=low, high=high) for side, (low, high) in BASE.items())
    if sheet.sound("base") and length != 2 * width:
        text = say("chariotmaster.edition.base", length=centimetres(length), wanted=centimetres(2 * width))
        sheet.problem("base.length", text)
    return width


def read_collisions(sheet: ComponentSheet) -> Content:
    """Collision values, damage and bounces."""
    path = "collisions"
    limits, values = _read_body(sheet)

    def figure(key: str, low: int, high: int) -> int:
        return sheet.integer(f"{path}.{key}", low=low, high=high)

    return {
        "value_driver": figure("driver", 1, VALUE),
        "value_horse": figure("horse", 1, 2),
        "value_wreck": figure("wreck", 1, VALUE),
        "value_wall": figure("wall", 1, VALUE),
        "value_body": values,
        "body_limit": limits,
        "ram_bonus": figure("ram", 0, RAM),
        "hit_from": figure("hit", 2, FACES),
        "bounce_back": sheet.length(f"{path}.back", low=0, high=BOUNCE),
        "bounce_push": sheet.length(f"{path}.push", low=0, high=BOUNCE),
        "bounce_throw": sheet.length(f"{path}.throw", low=0, high=BOUNCE),
        "bounce_follow": sheet.length(f"{path}.follow", low=0, high=BOUNCE),
    }


def _read_body(sheet: ComponentSheet) -> tuple[list[int], list[int]]:
    """The structure points from which a body has another value, and the values."""
    path = "collisions.body.values"
    entries = sheet.entries(path, most=3)
    if sheet.sound(path) and len(entries) != 3:
        sheet.problem(path, say("chariotmaster.edition.three", path=path, count=len(entries)))
    limits: list[int] = []
    values: list[int] = []
    for entry in entries:
        match = _BODY.fullmatch(entry.text)
        limit = number_in(match[1], 0, STRUCTURE) if match else None
        value = number_in(match[2], 1, VALUE) if match else None
        if limit is None or value is None:
            text = say(
                "chariotmaster.edition.not-a-value", text=quoted(entry.text), most=STRUCTURE, range=extent(1, VALUE)
            )
            sheet.problem(entry.path, text)
            continue
        if limit <= limits[-1] if limits else limit > 0:
            wanted = say("chariotmaster.edition.more-than", limit=limits[-1]) if limits else "0"
            sheet.problem(
                entry.path, say("chariotmaster.edition.values-out-of-order", text=quoted(entry.text), wanted=wanted)
            )
        limits.append(limit)
        values.append(value)
    return limits[1:], values


# --- out of points --------------------------------------------------------------------------------------------------


def read_tables(sheet: ComponentSheet) -> list[list[int]]:
    """The bits of effects, by table and result."""
    return [_read_table(sheet, name) for name in record.TABLE_NAMES]


def _read_table(sheet: ComponentSheet, name: str) -> list[int]:
    path = f"tables.{name.replace(' ', '-')}.rows"
    results: dict[int, int] = {}
    for entry in sheet.entries(path, most=ROWS):
        match = _ROW.fullmatch(entry.text)
        if match is None or entry.times > 1:
            sheet.problem(entry.path, say("chariotmaster.edition.not-a-row", text=quoted(entry.text), form=ROW_FORM))
            continue
        first = int(match[1])
        last = ROWS if match[3] else int(match[2] or first)
        bits = _read_effects(sheet, entry, name, match[4])
        if first == ROWS and not match[3]:
            sheet.problem(entry.path, say("chariotmaster.edition.last-row", text=quoted(entry.text), rows=ROWS))
        for result in range(first, last + 1):
            if result in results:
                sheet.problem(entry.path, say("chariotmaster.edition.result-twice", result=result, path=path))
            results[result] = bits
        if last < first:
            sheet.problem(entry.path, say("chariotmaster.edition.lower-first", text=quoted(entry.text)))
    missing = [result for result in range(1, ROWS + 1) if result not in results]
    if missing and sheet.sound(path):
        sheet.problem(path, say("chariotmaster.edition.no-row", path=path, result=missing[0], rows=ROWS))
    return [results.get(result, 0) for result in range(1, ROWS + 1)]


def _read_effects(sheet: ComponentSheet, entry: Entry, table: str, text: str) -> int:
    bits = 0
    for effect in text.split(", ") if text != NOTHING else ():
        if effect not in EFFECTS[table]:
            sheet.problem(entry.path, unknown(say("thing.effect"), effect, entry.text, (*EFFECTS[table], NOTHING)))
        elif bits >> record.EFFECT_NAMES.index(effect) & 1:
            sheet.problem(
                entry.path, say("chariotmaster.edition.effect-twice", effect=quoted(effect), text=quoted(entry.text))
            )
        else:
            bits |= 1 << record.EFFECT_NAMES.index(effect)
    return bits


# --- editions -------------------------------------------------------------------------------------------------------


class Figures(NamedTuple):
    """An edition without its scenarios."""

    content: Mapping[str, Any]
    base: int
    kit: Kit


def read_figures(sheet: ComponentSheet) -> Figures:
    """Everything but the scenarios."""
    tokens = read_tokens(sheet)
    base = read_base(sheet)
    content: dict[str, Any] = {**tokens, **read_collisions(sheet), "effects": read_tables(sheet)}
    fast = sheet.sound("tokens")
    least, top = (tokens["least"][-1], tokens["most"][-1]) if fast else (10 * CM, 15 * CM)
    items = read_items(sheet, least + SPREAD, FARTHEST)
    races = read_races(sheet, items)
    kit = Kit(items, races, top=top)
    return Figures(content, base, Kit(items, races, read_designs(sheet, kit), top))


def parse(text: str, name: str) -> ChariotmasterEdition:
    """The edition that this text describes. `name` is the file's name in an EditionError."""
    sheet = ComponentSheet(text, name)
    title = sheet.heading(GAME)
    figures = _reference_figures() if sheet.only_tracks else read_figures(sheet)
    base = figures.base if sheet.sound("base") else _reference_figures().base
    scenarios = read_scenarios(sheet, base)
    sheet.finish()
    return _edition(title, text, figures, scenarios, sheet.provenance())


def _edition(
    title: str, text: str, figures: Figures, scenarios: Sequence[Scenario], provenance: Mapping[str, str]
) -> ChariotmasterEdition:
    content: Content = {**figures.content, **scenario_content(scenarios)}
    shapes: Content = {
        "laps": [[scenario.laps, *scenario.offered] for scenario in scenarios],
        "most_chariots": [scenario.most for scenario in scenarios],
        **kit_content(figures.kit),
    }
    fields = sealed(GAME, title, text, provenance, record.EDITION, content=content, shapes=shapes, derived={})
    return ChariotmasterEdition(**fields, scenarios=tuple(scenarios), kit=figures.kit)


@cache
def _reference_figures() -> Figures:
    sheet = ComponentSheet(template(), FILE)
    return read_figures(sheet)


def summary(edition: ChariotmasterEdition) -> str:
    """What an edition contains, in a sentence."""
    kit = edition.kit
    tracks = [
        f"{scenario.name} ({centimetres(scenario.lap)} cm{' a lap' if scenario.closed else ''})"
        for scenario in edition.scenarios
    ]
    return (
        f"{count(len(tracks), 'track')}: {listed(tracks)}; {count(len(kit.items), 'item')} of equipment, "
        f"{count(len(kit.races), 'race')}, {count(len(kit.ready_made), 'ready-made chariot')}."
    )


def track_template() -> str:
    """The text of a track file with comments, to begin with."""
    return FILES.resource(TRACK_FILE)


FILES = Files("spina.games.chariotmaster.components", parse)
load, template, reference = FILES.load, FILES.template, FILES.reference
