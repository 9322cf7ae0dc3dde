"""Equipment: the items of each category, what each race may choose, and chariots put together from them (Q1 to Q6)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from spina.games.chariotmaster.components.refusals import say
from spina.games.chariotmaster.components.sheet import ComponentSheet, decimal, unknown
from spina.games.chariotmaster.rules.record import (
    BEAST_NAMES,
    CM,
    DESIGN,
    DESIGN_BEAST,
    DESIGN_BITE,
    DESIGN_FRIGHT,
    DESIGN_HEALTH,
    DESIGN_LUCK,
    DESIGN_PERCENT,
    DESIGN_SKILL,
    DESIGN_STRUCTURE,
    DESIGN_TOP,
    DICE,
    REAL_HORSES,
)
from spina.games.editions import Entry, extent, listed, number_in, quoted
from spina.sentences import Sentence

CATEGORIES = ("chassis", "horses", "skill", "fitness", "other")
MANY = ("horses", "other")
"""Categories of which a chariot may have more than one item."""
ONE, ALWAYS, EXTRA, NEVER = "o", "x", "a", "-"
MARKS = (ONE, ALWAYS, EXTRA, NEVER)

# --- what a file may say --------------------------------------------------------------------------------------------

ITEMS = 12
"""Most items of a category."""
RACES = 12
DESIGNS = 60
MOST_POINTS = 9
"""Most equipment points that players can agree on, and that an item costs."""
BOUNDS = {"structure": (1, 20), "skill": (1, 12), "health": (1, 20), "bite": (1, DICE // 2), "luck": (1, 9)}
STAMINA = 90
"""Most per cent of stamina that an item adds or takes."""
PURPOSE = {
    "structure": "chassis",
    "skill": "skill",
    "health": "fitness",
    "top": "horses",
    "bite": "horses",
    "wolves": "horses",
    "boars": "horses",
    "luck": "other",
    "frightening": "other",
}
"""The only category in which a word is allowed."""
ITEM_FORM = '"heavy: 1 point, structure 6, stamina -10"'
DESIGN_FORM = '"courier: humans, light, fast"'
_ITEM = re.compile(r"([a-z]+(?:[ -][a-z]+)*): ([+-]?[0-9]{1,2}) points?((?:, [^,]+)*)")
_NAMED = re.compile(r"([a-z]+(?:[ -][a-z]+)*): (.+)")
_RACE = re.compile(r"[a-z]+(?: [a-z]+)*")


class Item(NamedTuple):
    """A piece of equipment; 0 where it changes nothing."""

    name: str
    category: str
    cost: int
    structure: int = 0
    skill: int = 0
    health: int = 0
    percent: int = 0
    """Stamina in per cent."""
    top: int = 0
    """Units of the 10 token."""
    bite: int = 0
    beast: int = REAL_HORSES
    luck: int = 0
    fright: int = 0
    barred: tuple[str, ...] = ()
    """Items that it cannot be combined with."""


class Design(NamedTuple):
    """A chariot put together: its race, if there are races, and the names of its items, by category."""

    race: str | None
    items: tuple[str, ...]


@dataclass(frozen=True)
class Kit:
    """All equipment of an edition."""

    items: Mapping[str, Item]
    """By name, in the order of the file."""
    races: Mapping[str, Mapping[str, str]]
    """By race, the mark of each item: o to choose from, x compulsory, a extra (Q1), - not allowed (M13)."""
    ready_made: Mapping[str, Design] = field(default_factory=dict)
    top: int = 15 * CM
    """Units of the 10 token, unless an item says otherwise."""

    @cached_property
    def standard(self) -> Mapping[str, str]:
        """By category, the item that costs nothing."""
        return {item.category: item.name for item in reversed([*self.items.values()]) if item.cost == 0}

    def of(self, category: str) -> tuple[str, ...]:
        """The items of a category."""
        return tuple(item.name for item in self.items.values() if item.category == category)

    def marks(self, race: str | None) -> Mapping[str, str]:
        """The mark of each item for a race. Without races all but wolves and boars, one of each category (Q5)."""
        if race is not None:
            return self.races[race]
        return {item.name: ONE if item.beast == REAL_HORSES else NEVER for item in self.items.values()}

    def complete(self, race: str | None, chosen: Iterable[str]) -> Design:
        """A design with these items, completed by compulsory items and by the free item of each category left out."""
        marks, names = self.marks(race), list(chosen)
        names += [name for name, mark in marks.items() if mark == ALWAYS and name not in names]
        for category in CATEGORIES:
            choices = [name for name in self.of(category) if marks[name] == ONE]
            if not any(name in choices for name in names) and self.standard.get(category) in choices:
                names.append(self.standard[category])
        order = [*self.items]
        return Design(race, tuple(sorted(names, key=order.index)))

    def cost(self, design: Design) -> int:
        """The points that a design costs."""
        return sum(self.items[name].cost for name in design.items)

    def fault(self, design: Design, points: int) -> Sentence | None:
        """Q1, Q3, Q4: what is wrong with a design for this many points; forbidden pairs outweigh the race table."""
        marks = self.marks(design.race)
        whose = (
            say("chariotmaster.design.for-race", race=design.race)
            if design.race
            else say("chariotmaster.design.without-races")
        )
        numbers = Counter(design.items)
        for name, number in numbers.items():
            if marks[name] == NEVER:
                choices = [item for item in self.of(self.items[name].category) if marks[item] != NEVER]
                return say("chariotmaster.design.not-for-race", name=name, whose=whose, known=listed(choices))
            if number > 1 and marks[name] != EXTRA:
                return say("chariotmaster.design.chosen-often", name=name, number=number)
        for category in CATEGORIES:
            wrong = self._category_fault(category, marks, numbers, whose)
            if wrong:
                return wrong
        for name in numbers:
            for other in self.items[name].barred:
                if other in numbers:
                    return say("chariotmaster.design.not-together", name=name, other=other)
        if sum(self.items[name].percent for name in design.items) <= -100:
            return say("chariotmaster.design.no-stamina")
        cost = self.cost(design)
        if cost > points:
            return say("chariotmaster.design.too-dear", cost=say("count.point", count=cost), most=points)
        return None

    def _category_fault(
        self, category: str, marks: Mapping[str, str], numbers: Counter[str], whose: Sentence
    ) -> Sentence | None:
        """Q2, M13: what is wrong in a category: a compulsory item is missing, or not exactly one choice was made."""
        names = self.of(category)
        for name in names:
            if marks[name] == ALWAYS and name not in numbers:
                return say("chariotmaster.design.must-have", name=name, whose=whose)
        choices = [name for name in names if marks[name] == ONE]
        chosen = [name for name in choices if name in numbers]
        if choices and len(chosen) != 1:
            found = (
                say("chariotmaster.design.several", chosen=listed(chosen))
                if chosen
                else say("chariotmaster.design.nothing", category=category)
            )
            return say("chariotmaster.design.one-of", found=found, known=listed(choices))
        return None

    def numbers(self, design: Design) -> list[int]:
        """A design as numbers, for the options of a race."""
        items = [self.items[name] for name in design.items]
        codes = [0] * DESIGN
        codes[DESIGN_STRUCTURE] = sum(item.structure for item in items)
        codes[DESIGN_PERCENT] = sum(item.percent for item in items)
        codes[DESIGN_SKILL] = sum(item.skill for item in items)
        codes[DESIGN_HEALTH] = sum(item.health for item in items)
        codes[DESIGN_TOP] = min((item.top for item in items if item.top), default=self.top)
        codes[DESIGN_BEAST] = max(item.beast for item in items)
        codes[DESIGN_BITE] = max(item.bite for item in items)
        codes[DESIGN_LUCK] = sum(item.luck for item in items)
        codes[DESIGN_FRIGHT] = max(item.fright for item in items)
        return codes


# --- reading items --------------------------------------------------------------------------------------------------


def read_items(sheet: ComponentSheet, least_top: int, most_top: int) -> dict[str, Item]:
    """The items of all categories."""
    items: dict[str, Item] = {}
    paths: dict[str, str] = {}
    for category in CATEGORIES:
        path = f"equipment.{category}.items"
        for entry in sheet.entries(path, most=ITEMS):
            item = _read_item(sheet, entry, category, least_top, most_top)
            if item is None:
                continue
            if item.name in items or entry.times > 1:
                sheet.problem(entry.path, say("chariotmaster.edition.item-twice", name=item.name))
            items.setdefault(item.name, item)
            paths.setdefault(item.name, entry.path)
        if sheet.sound(path) and not any(item.category == category and item.cost == 0 for item in items.values()):
            sheet.problem(path, say("chariotmaster.edition.no-free-item", path=path))
    for item in items.values():
        for other in item.barred:
            if other not in items and sheet.sound("equipment"):
                text = unknown(say("thing.item"), other, f"{item.name}: ... not {other}", tuple(items))
                sheet.problem(paths[item.name], text)
    return items


def _read_item(sheet: ComponentSheet, entry: Entry, category: str, least_top: int, most_top: int) -> Item | None:
    match = _ITEM.fullmatch(entry.text)
    if match is None:
        sheet.problem(entry.path, say("chariotmaster.edition.not-an-item", text=quoted(entry.text), form=ITEM_FORM))
        return None
    cost = int(match[2])
    if abs(cost) > MOST_POINTS:
        sheet.problem(
            entry.path, say("chariotmaster.edition.cost", text=quoted(entry.text), cost=cost, most=MOST_POINTS)
        )
        return None
    values: dict[str, int] = {}
    barred: list[str] = []
    for part in match[3].split(", ")[1:]:
        word, _, figure = part.partition(" ")
        if PURPOSE.get(word, category) != category:
            sheet.problem(
                entry.path,
                say("chariotmaster.edition.means-nothing", part=quoted(part), category=category, purpose=PURPOSE[word]),
            )
            return None
        number: int | None
        wanted = ""
        match word:
            case "not":
                barred.append(figure)
                continue
            case "wolves" | "boars" | "frightening" if not figure:
                key, number = ("fright", 1) if word == "frightening" else ("beast", BEAST_NAMES.index(word))
            case "stamina":
                key, number = "percent", decimal(figure, 0)
                number = None if number is None or abs(number) > STAMINA else number
                wanted = say("chariotmaster.edition.per-cent", most=STAMINA)
            case "top":
                key, number = "top", decimal(figure, 1)
                number = None if number is None else number * CM // 10
                number = number if number is not None and least_top <= number <= most_top else None
                wanted = say("chariotmaster.edition.top", least=least_top // CM, most=most_top // CM)
            case _ if word in BOUNDS:
                key, number = word, number_in(figure, *BOUNDS[word])
                wanted = say("chariotmaster.edition.whole-number", range=extent(*BOUNDS[word]))
            case _:
                known = ("structure", "skill", "health", "stamina", "top", "bite", "wolves", "boars", "luck",
                         "frightening", "not")  # fmt: skip
                text = say(
                    "chariotmaster.edition.unknown-part",
                    part=quoted(part),
                    text=quoted(entry.text),
                    known=listed(known),
                )
                sheet.problem(entry.path, text)
                return None
        if number is None:
            sheet.problem(
                entry.path,
                say(
                    "chariotmaster.edition.figure-in-entry",
                    word=word,
                    figure=quoted(figure),
                    text=quoted(entry.text),
                    wanted=wanted,
                ),
            )
            return None
        if key in values:
            sheet.problem(entry.path, say("chariotmaster.edition.said-twice", text=quoted(entry.text), word=word))
        values[key] = number
    for word, place in (("structure", "chassis"), ("skill", "skill"), ("health", "fitness")):
        if place == category and word not in values:
            sheet.problem(
                entry.path,
                say("chariotmaster.edition.not-given", text=quoted(entry.text), word=word, category=category),
            )
    return Item(match[1], category, cost, barred=tuple(barred), **values)


# --- reading races and designs --------------------------------------------------------------------------------------


def read_races(sheet: ComponentSheet, items: Mapping[str, Item]) -> dict[str, dict[str, str]]:
    """The race table: by race, the mark of each item."""
    path = "races.table"
    names: list[str] = []
    for entry in sheet.entries("races.names", most=RACES):
        if not _RACE.fullmatch(entry.text):
            sheet.problem(entry.path, say("chariotmaster.edition.not-a-race", text=quoted(entry.text)))
        elif entry.text in names or entry.times > 1:
            sheet.problem(entry.path, say("chariotmaster.edition.race-twice", text=entry.text))
        else:
            names.append(entry.text)
    rows: dict[str, list[str]] = {}
    for entry in sheet.entries(path, most=ITEMS * len(CATEGORIES)):
        match = _NAMED.fullmatch(entry.text)
        if match is None:
            sheet.problem(entry.path, say("chariotmaster.edition.not-a-race-row", text=quoted(entry.text)))
            continue
        name, marks = match[1], match[2].split(" ")
        wrong = [mark for mark in marks if mark not in MARKS]
        if name not in items and sheet.sound("equipment"):
            sheet.problem(entry.path, unknown(say("thing.item"), name, entry.text, tuple(items)))
        elif name in rows:
            sheet.problem(entry.path, say("chariotmaster.edition.row-twice", name=name))
        elif wrong:
            sheet.problem(
                entry.path,
                say(
                    "chariotmaster.edition.unknown-mark",
                    mark=quoted(wrong[0]),
                    text=quoted(entry.text),
                    marks=listed(MARKS),
                ),
            )
        elif sheet.sound("races.names") and len(marks) != len(names):
            sheet.problem(
                entry.path, say("chariotmaster.edition.row-length", name=name, count=len(marks), races=len(names))
            )
        else:
            rows[name] = marks
    missing = [name for name in items if name not in rows]
    if missing and sheet.sound("equipment", path):
        sheet.problem(path, say("chariotmaster.edition.no-item-row", path=path, item=missing[0]))
    if not sheet.sound("races", "equipment"):
        return {}
    races = {race: {name: rows[name][i] for name in items} for i, race in enumerate(names)}
    for race, marks_of in races.items():
        _check_race(sheet, race, marks_of, items)
    return races


def _check_race(sheet: ComponentSheet, race: str, marks: Mapping[str, str], items: Mapping[str, Item]) -> None:
    for category in CATEGORIES:
        found = [marks[item.name] for item in items.values() if item.category == category]
        always, one = found.count(ALWAYS), found.count(ONE)
        if not always and not one:
            sheet.problem("races.table", say("chariotmaster.edition.no-choice", race=race, category=category))
        elif category not in MANY and (always > 1 or (always and one) or EXTRA in found):
            text = say("chariotmaster.edition.several-items", race=race, category=category)
            sheet.problem("races.table", text)
        elif category != "other" and EXTRA in found:
            sheet.problem("races.table", say("chariotmaster.edition.not-again", race=race, category=category))


def read_designs(sheet: ComponentSheet, kit: Kit) -> dict[str, Design]:
    """The ready-made chariots, each allowed for the points that it costs."""
    designs: dict[str, Design] = {}
    for entry in sheet.entries("designs.list", most=DESIGNS):
        match = _NAMED.fullmatch(entry.text)
        if match is None or " " in match[1]:
            sheet.problem(
                entry.path, say("chariotmaster.edition.not-a-chariot", text=quoted(entry.text), form=DESIGN_FORM)
            )
            continue
        if match[1] in designs or entry.times > 1:
            sheet.problem(entry.path, say("chariotmaster.edition.chariot-twice", name=match[1]))
        if not sheet.sound("equipment", "races"):
            continue
        race, *chosen = match[2].split(", ")
        strange = [name for name in chosen if name not in kit.items]
        if race not in kit.races:
            sheet.problem(entry.path, unknown(say("thing.race"), race, entry.text, tuple(kit.races)))
        elif strange:
            sheet.problem(entry.path, unknown(say("thing.item"), strange[0], entry.text, tuple(kit.items)))
        else:
            design = kit.complete(race, chosen)
            wrong = kit.fault(design, MOST_POINTS)
            if wrong:
                sheet.problem(entry.path, say("chariotmaster.edition.chariot-not-allowed", name=match[1], why=wrong))
            designs.setdefault(match[1], design)
    return designs


def kit_content(kit: Kit) -> dict[str, list[list[int]]]:
    """The equipment, for the hash of an edition; the kernels read it from a race's options."""
    numbers = {name: number for number, name in enumerate(kit.items)}
    items = [
        [CATEGORIES.index(item.category), item.cost, item.structure, item.skill, item.health, item.percent, item.top,
         item.bite, item.beast, item.luck, item.fright, *sorted(numbers[name] for name in item.barred)]
        for item in kit.items.values()
    ]  # fmt: skip
    races = [[MARKS.index(marks[name]) for name in kit.items] for marks in kit.races.values()]
    return {"items": items, "races": races}
