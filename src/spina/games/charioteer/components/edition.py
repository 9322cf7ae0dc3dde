"""Editions of Charioteer: from a file such as `edition.toml` to the record that the kernels read.

Everything that a file can get wrong is found here and reported with its line, so that the kernels can trust
every figure they read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from spina.games.charioteer.components.derived import derived
from spina.games.charioteer.components.refusals import say
from spina.games.charioteer.rules import record
from spina.games.editions import Content, Edition, Entry, Files, Sheet, listed, number_in, quoted, sealed
from spina.sentences import Sentence

GAME = "charioteer"

# --- what a file may say --------------------------------------------------------------------------------------------

LAPS = 9
FEWEST_SEATS = 2
HIGHEST = 20
"""Upper limit for numbers of spaces, cubes or symbols, far beyond any sensible game."""
CARDS_IN_MOVE = record.PLACES + 1
"""Most cards in a move: those from the hand, and the crowd card."""
SYMBOLS_ON_CARD = 9
SYMBOLS_PER_COLOUR = record.SYMBOLS // record.COLOURS
TOKENS = 120
"""Most player tokens of a seat, and most fan tokens: any count fits a field of the record."""

COLOURED = (record.PLUS, record.WILD)
"""Icons of tokens that must have a colour."""
EITHER = (record.LEARNING,)
"""Icons of tokens that may have a colour."""
NUMBERED = (record.PLUS, record.DISCARD)
"""Icons of tokens that carry a number."""
TOKEN_FORMS = '"+5 red", "wild red", "learning red", "shield", "whip", "recovery"', '"discard-2"'


@dataclass(frozen=True)
class CharioteerEdition(Edition):
    """The components of Charioteer, with the names that notation and stories use for them."""

    symbol_names: tuple[str, ...] = field(repr=False, compare=False)
    """`red-5`, by symbol."""
    card_names: tuple[str, ...] = field(repr=False, compare=False)
    """`red-5 red-5 green-2`, by card; cards that show the same have the same name."""
    kind_names: tuple[str, ...] = field(repr=False, compare=False)
    """`+3 red`, by kind of token; each name stands for one kind."""

    layout = record.EDITION

    @cached_property
    def spaces(self) -> int:
        """Spaces in a lap."""
        return int(self._record.spaces)

    @cached_property
    def laps(self) -> int:
        return int(self._record.laps)

    @cached_property
    def start(self) -> int:
        """Progress before the first turn: negative, the spaces before the line."""
        return int(self._record.start)

    @cached_property
    def outer(self) -> tuple[bool, ...]:
        """Which spaces are outer spaces."""
        return self._flags("outer", self.spaces)

    @cached_property
    def hand(self) -> int:
        return int(self._record.hand)

    @cached_property
    def attack_boxes(self) -> int:
        return int(self._record.attack_boxes)

    @cached_property
    def skill_spaces(self) -> int:
        """Spaces of the skills track before the bonus box."""
        return int(self._record.skill_spaces)

    @cached_property
    def skill_bonuses(self) -> tuple[int, ...]:
        """What a marker adds, by its place on track and bonus box."""
        places = int(self._record.skill_spaces + self._record.bonus_places)
        return self._numbers("skill_bonus", places)

    @cached_property
    def symbol_numbers(self) -> dict[str, int]:
        """The number of each symbol, by its name."""
        return {name: number for number, name in enumerate(self.symbol_names)}

    @cached_property
    def kind_numbers(self) -> dict[str, int]:
        """The number of each kind of token, by its name."""
        return {name: number for number, name in enumerate(self.kind_names)}

    @cached_property
    def kind_icons(self) -> tuple[int, ...]:
        """The icon of each kind of token."""
        return self._numbers("kind_icon", len(self.kind_names))

    @cached_property
    def kind_colours(self) -> tuple[int, ...]:
        """The colour of each kind of token, or ANY_COLOUR."""
        return self._numbers("kind_colour", len(self.kind_names))

    @cached_property
    def kind_values(self) -> tuple[int, ...]:
        """The number on each kind of token: of plus and discard tokens."""
        return self._numbers("kind_value", len(self.kind_names))

    def icon_of(self, token: str | None) -> int:
        """The icon of a token given by its name; NO_ICON for no token or an unknown name."""
        kind = None if token is None else self.kind_numbers.get(token)
        return record.NO_ICON if kind is None else self.kind_icons[kind]

    @cached_property
    def fan_kinds(self) -> tuple[bool, ...]:
        """Which kinds are fan tokens."""
        return self._flags("kind_fan", len(self.kind_names))

    @cached_property
    def player_kinds(self) -> tuple[tuple[int, str], ...]:
        """The numbers and names of the kinds that are player tokens."""
        return tuple((kind, name) for kind, name in enumerate(self.kind_names) if not self.fan_kinds[kind])

    @cached_property
    def fan_counts(self) -> tuple[int, ...]:
        """How many of each kind the full bag holds."""
        return self._numbers("fan_tokens", len(self.kind_names))

    @cached_property
    def player_counts(self) -> tuple[int, ...]:
        """How many of each kind every seat begins with."""
        return self._numbers("player_tokens", len(self.kind_names))

    def __reduce__(self) -> tuple[Callable[[str, str], CharioteerEdition], tuple[str, str]]:
        """Copies and other processes parse the text again, so that the record stays read-only."""
        return parse, (self.text, self.name)


# --- the race and its track -----------------------------------------------------------------------------------------


def read_race(sheet: Sheet) -> dict[str, int]:
    """The figures of the rules."""
    bounds = {
        "laps": (1, LAPS),
        "hand": (record.PLACES, record.HAND),
        "attack_boxes": (1, HIGHEST),
        "fan_symbols": (1, HIGHEST),
        "whip_spaces": (1, HIGHEST),
        "wild_symbols": (1, SYMBOLS_ON_CARD),
        "minor_attack_cards": (1, CARDS_IN_MOVE),
        "minor_attack_cubes": (1, HIGHEST),
        "major_attack_cards": (1, CARDS_IN_MOVE),
        "major_attack_cubes": (1, HIGHEST),
    }
    figures = sheet.figures("race", bounds)
    content = {key.replace("_attack_", "_"): figure for key, figure in figures.items()}  # minor_cards, and so on
    minor, major = "race.minor_attack_cards", "race.major_attack_cards"
    if sheet.sound(minor, major) and content["minor_cards"] >= content["major_cards"]:
        sheet.problem(
            major,
            say("charioteer.edition.attacks", major=content["major_cards"], minor=content["minor_cards"]),
        )
    return content


def read_disrupt(sheet: Sheet) -> Content:
    """The cubes of a disrupt face, by number of seats."""
    seats = range(FEWEST_SEATS, record.SEATS + 1)
    cubes = [sheet.integer(f"disrupt.seats-{n}", low=0, high=HIGHEST) for n in seats]
    return {"disrupt": [0] * FEWEST_SEATS + cubes}


def read_track(sheet: Sheet) -> Content:
    """One lap, and where the start lies."""
    start = sheet.integer("track.start", low=1, high=record.SPACES)
    outer = _read_sections(sheet)
    sheet.adds_up("track.spaces", "track.sections", len(outer), say("thing.spaces"), low=1, high=record.SPACES)
    if sheet.sound("track.sections"):
        _check_lap(sheet, outer, start)
    return {"spaces": len(outer), "start": -start, "outer": outer}


def _read_sections(sheet: Sheet) -> list[int]:
    """1 for each outer space of a lap, 0 for each regular one."""
    outer: list[int] = []
    for entry in sheet.entries("track.sections", most=record.SPACES):
        words = entry.text.split()
        for word in words or [""]:
            if word not in ("regular", "outer"):
                _unknown(sheet, entry, say("thing.space"), word, say("thing.section"), ("regular", "outer"))
        if len(outer) + entry.times * len(words) > record.SPACES:
            sheet.problem(entry.path, say("charioteer.edition.lap-too-long", most=record.SPACES))
            break
        outer += [int(word == "outer") for word in words] * entry.times
    return outer


def _check_lap(sheet: Sheet, outer: Sequence[int], start: int) -> None:
    if 1 not in outer:
        sheet.problem("track.sections", say("charioteer.edition.no-corner"))
    if 0 not in outer:
        sheet.problem("track.sections", say("charioteer.edition.no-way-round"))
    if sheet.sound("track.start") and start >= len(outer):
        sheet.problem(
            "track.start",
            say("charioteer.edition.start", start=start, lap=len(outer), last=len(outer) - 1),
        )


# --- symbols and cards ----------------------------------------------------------------------------------------------


class Symbol(NamedTuple):
    """A colour and a number; symbols sort by both."""

    colour: int
    number: int

    def __str__(self) -> str:
        return f"{record.COLOUR_NAMES[self.colour]}-{self.number}"


class Card(NamedTuple):
    """What a card shows."""

    symbols: tuple[Symbol, ...]
    """The most frequent first, then in their order."""
    icon: int

    def __str__(self) -> str:
        icons = [record.ICON_NAMES[self.icon]] if self.icon else []
        return " ".join([*map(str, self.symbols), *icons])


def symbol_of(word: str) -> Symbol | None:
    """The symbol that a word such as `red-5` names; None if it names none."""
    colour, dash, number = word.partition("-")
    if colour not in record.COLOUR_NAMES or not dash:
        return None
    value = number_in(number, 0, HIGHEST)
    return None if value is None else Symbol(record.COLOUR_NAMES.index(colour), value)


def read_symbols(sheet: Sheet) -> list[Symbol]:
    """The symbols, sorted by colour and number."""
    symbols: list[Symbol] = []
    for entry in sheet.entries("symbols.list", most=2 * record.SYMBOLS):
        symbol = symbol_of(entry.text)
        if symbol is None:
            sheet.problem(
                entry.path,
                say(
                    "charioteer.edition.unknown-symbol",
                    text=quoted(entry.text),
                    colours=listed(record.COLOUR_NAMES),
                    highest=HIGHEST,
                ),
            )
        elif symbol in symbols or entry.times > 1:
            sheet.problem(entry.path, say("charioteer.edition.symbol-twice", symbol=symbol))
        else:
            symbols.append(symbol)
    if sheet.sound("symbols.list"):
        _check_symbols(sheet, symbols)
    return sorted(symbols)


def _check_symbols(sheet: Sheet, symbols: Sequence[Symbol]) -> None:
    found = Counter(symbol.colour for symbol in symbols)
    for colour, name in enumerate(record.COLOUR_NAMES):
        if found[colour] != SYMBOLS_PER_COLOUR:
            sheet.problem(
                "symbols.list",
                say(
                    "charioteer.edition.symbols-of-colour", found=found[colour], colour=name, wanted=SYMBOLS_PER_COLOUR
                ),
            )


def read_cards(sheet: Sheet, symbols: Sequence[Symbol]) -> list[Card]:
    """The deck, card by card."""
    entries = sheet.entries("deck.list", most=record.CARDS)
    found = sum(entry.times for entry in entries)
    sheet.adds_up("deck.total", "deck.list", found, say("thing.cards"), low=1, high=record.CARDS)
    cards: list[Card] = []
    for entry in entries:
        cards += [_read_card(sheet, entry, symbols)] * entry.times
    return cards


def _read_card(sheet: Sheet, entry: Entry, symbols: Sequence[Symbol]) -> Card:
    shows: Counter[Symbol] = Counter()
    icons: list[int] = []
    icon_names = [record.ICON_NAMES[icon] for icon in record.CARD_ICONS]
    for word in entry.text.split():
        symbol = symbol_of(word)
        if word in icon_names:
            icons.append(record.ICON_NAMES.index(word))
        elif symbol is not None and (symbol in symbols or not sheet.sound("symbols")):
            shows[symbol] += 1
        elif symbol is None and "-" not in word:
            _unknown(sheet, entry, say("thing.icon"), word, say("thing.card"), icon_names)
        else:
            _unknown(sheet, entry, say("thing.symbol"), word, say("thing.card"), [str(symbol) for symbol in symbols])
    card, symbols_shown = quoted(entry.text), shows.total()
    if not entry.text:
        sheet.problem(entry.path, say("charioteer.edition.empty-card", card=card))
    if len(icons) > 1:
        sheet.problem(entry.path, say("charioteer.edition.icons", card=card, count=len(icons)))
    if symbols_shown > SYMBOLS_ON_CARD:
        text = say("charioteer.edition.symbols-on-card", card=card, found=symbols_shown, most=SYMBOLS_ON_CARD)
        sheet.problem(entry.path, text)
    ordered = sorted(shows.elements(), key=lambda symbol: (-shows[symbol], symbol))
    return Card(tuple(ordered), icons[0] if icons else record.NO_ICON)


def check_deck(sheet: Sheet, symbols: Sequence[Symbol], cards: Sequence[Card], hand: int) -> None:
    """Check that the cards suffice for six hands, the crowd track and one draw, and for moves with every symbol."""
    needed = record.SEATS * hand + record.CROWD + 1
    if sheet.sound("deck.list", "race.hand") and len(cards) < needed:
        sheet.problem(
            "deck.list",
            say(
                "charioteer.edition.too-few-cards",
                count=len(cards),
                seats=record.SEATS,
                hand=hand,
                crowd=record.CROWD,
                needed=needed,
            ),
        )
    if sheet.sound("deck.list", "symbols.list"):
        showing = Counter(symbol for card in cards for symbol in set(card.symbols))
        for symbol in symbols:
            if showing[symbol] < record.FEWEST_SHOWING:
                least = record.FEWEST_SHOWING
                text = say("charioteer.edition.too-few-showing", symbol=symbol, showing=showing[symbol], least=least)
                sheet.problem("deck.list", text)


def deck_content(symbols: Sequence[Symbol], cards: Sequence[Card]) -> Content:
    """The fields of the record about symbols and cards."""
    return {
        "symbol_colour": [symbol.colour for symbol in symbols],
        "symbol_number": [symbol.number for symbol in symbols],
        "cards": len(cards),
        "shows": [[card.symbols.count(symbol) for symbol in symbols] for card in cards],
        "icon": [card.icon for card in cards],
    }


# --- tokens ---------------------------------------------------------------------------------------------------------


class Kind(NamedTuple):
    """What a kind of token shows."""

    icon: int
    colour: int = record.ANY_COLOUR
    value: int = 0

    def __str__(self) -> str:
        words = [record.ICON_NAMES[self.icon]]
        if self.icon == record.PLUS:
            words = [f"+{self.value}"]
        elif self.icon == record.DISCARD:
            words = [f"discard-{self.value}"]
        if self.colour != record.ANY_COLOUR:
            words.append(record.COLOUR_NAMES[self.colour])
        return " ".join(words)


def read_tokens(sheet: Sheet, whose: str) -> Counter[Kind]:
    """How many there are of each kind among the tokens of `player` or `fan`, in the order of the file."""
    path = f"tokens.{whose}.list"
    entries = sheet.entries(path, most=TOKENS)
    found = sum(entry.times for entry in entries)
    sheet.adds_up(f"tokens.{whose}.total", path, found, say("thing.tokens"), low=0, high=TOKENS)
    kinds: Counter[Kind] = Counter()
    for entry in entries:
        kind = _read_kind(sheet, entry)
        if kind is not None:
            kinds[kind] += entry.times
    return kinds


def _read_kind(sheet: Sheet, entry: Entry) -> Kind | None:
    """The kind that a text such as `+5 red` names; None if there is a problem."""
    icon_word, _, colour_word = entry.text.partition(" ")
    face = _face(icon_word)
    if face is None:
        sheet.problem(
            entry.path,
            say(
                "charioteer.edition.unknown-token",
                text=quoted(entry.text),
                forms=say("either", one=TOKEN_FORMS[0], other=TOKEN_FORMS[1]),
            ),
        )
        return None
    icon, value = face
    if not colour_word:
        if icon in COLOURED:
            sheet.problem(
                entry.path,
                say(
                    "charioteer.edition.token-needs-colour",
                    text=quoted(entry.text),
                    colours=listed(record.COLOUR_NAMES),
                ),
            )
            return None
        return Kind(icon, value=value)
    if icon not in COLOURED + EITHER:
        sheet.problem(
            entry.path, say("charioteer.edition.token-without-colour", text=quoted(entry.text), token=quoted(icon_word))
        )
        return None
    if colour_word not in record.COLOUR_NAMES:
        _unknown(sheet, entry, say("thing.colour"), colour_word, say("thing.token"), record.COLOUR_NAMES)
        return None
    return Kind(icon, record.COLOUR_NAMES.index(colour_word), value)


def _face(word: str) -> tuple[int, int] | None:
    """The icon and the number that a word such as `+5`, `discard-2` or `shield` names."""
    for icon, start, most in ((record.PLUS, "+", HIGHEST), (record.DISCARD, "discard-", record.HAND)):
        if word.startswith(start):
            value = number_in(word.removeprefix(start), 1, most)
            return None if value is None else (icon, value)
    if word not in record.ICON_NAMES:
        return None
    icon = record.ICON_NAMES.index(word)
    return None if icon in NUMBERED or icon == record.NO_ICON else (icon, 0)


def check_kinds(sheet: Sheet, player: Counter[Kind], fan: Counter[Kind]) -> None:
    kinds = len(player) + len(fan)
    if kinds > record.KINDS:
        sheet.problem(
            "tokens",
            say("charioteer.edition.kinds-of-token", kinds=kinds, most=record.KINDS),
        )


def token_content(player: Counter[Kind], fan: Counter[Kind]) -> Content:
    """The fields of the record about tokens: player kinds first, then fan kinds."""
    kinds = [*player, *fan]
    return {
        "kinds": len(kinds),
        "kind_icon": [kind.icon for kind in kinds],
        "kind_colour": [kind.colour for kind in kinds],
        "kind_value": [kind.value for kind in kinds],
        "kind_fan": [0] * len(player) + [1] * len(fan),
        "player_tokens": [*player.values()] + [0] * len(fan),
        "fan_tokens": [0] * len(player) + [*fan.values()],
    }


def token_names(player: Counter[Kind], fan: Counter[Kind]) -> tuple[str, ...]:
    """A name for each kind; a fan token that is also a player token is called "fan ..."."""
    return (*map(str, player), *(f"fan {kind}" if kind in player else str(kind) for kind in fan))


# --- skills and die -------------------------------------------------------------------------------------------------


def read_skills(sheet: Sheet) -> Content:
    """The skills track, its bonus box and the skills cards."""
    markers = record.COLOURS
    room = record.SKILL_SPACES - 2 * markers

    def section(key: str, least: int, most: int) -> list[int]:
        return sheet.integers(f"skills.{key}.values", low=0, high=HIGHEST, least=least, most=most)

    before = section("start", markers, markers) + section("middle", 1, room)
    box = section("bonus_box", markers, markers)
    cards = _read_skill_cards(sheet)
    return {
        "skill_spaces": len(before),
        "bonus_places": len(box),
        "skill_bonus": before + box,
        "skill_cards": len(cards),
        "skill_card": cards,
    }


def _read_skill_cards(sheet: Sheet) -> list[list[int]]:
    path = "skills.cards.list"
    entries = sheet.entries(path, most=record.SKILL_CARDS)
    found = sum(entry.times for entry in entries)
    sheet.adds_up("skills.cards.total", path, found, say("thing.skills-cards"), low=1, high=record.SKILL_CARDS)
    if sheet.sound(path) and found < record.SEATS:
        sheet.problem(path, say("charioteer.edition.too-few-skills-cards", found=found, seats=record.SEATS))
    cards: list[list[int]] = []
    for entry in entries:
        words = entry.text.split()
        if sorted(words) == sorted(record.COLOUR_NAMES):
            cards += [[record.COLOUR_NAMES.index(word) for word in words]] * entry.times
        else:
            sheet.problem(
                entry.path,
                say(
                    "charioteer.edition.not-a-skills-card", text=quoted(entry.text), colours=listed(record.COLOUR_NAMES)
                ),
            )
    return cards


def read_die(sheet: Sheet) -> Content:
    """The faces of the emperor die."""
    faces = sheet.choices("die.faces", say("thing.face"), record.FACE_NAMES, most=record.DIE_FACES)
    if sheet.sound("die.faces") and not faces:
        sheet.problem("die.faces", say("charioteer.edition.no-face", most=record.DIE_FACES))
    return {"faces": len(faces), "face": faces}


# --- editions -------------------------------------------------------------------------------------------------------


def parse(text: str, name: str) -> CharioteerEdition:
    """The edition that this text describes. `name` says in an EditionError which file has the problems."""
    sheet = Sheet(text, name)
    title = sheet.heading(GAME)
    race = read_race(sheet)
    parts: list[Content] = [race, read_disrupt(sheet), read_track(sheet), read_die(sheet), read_skills(sheet)]
    symbols = read_symbols(sheet)
    cards = read_cards(sheet, symbols)
    check_deck(sheet, symbols, cards, race["hand"])
    player, fan = read_tokens(sheet, "player"), read_tokens(sheet, "fan")
    check_kinds(sheet, player, fan)
    sheet.finish()
    parts += [deck_content(symbols, cards), token_content(player, fan)]
    content: Content = {field: value for part in parts for field, value in part.items()}
    more = derived(content)
    fields = sealed(GAME, title, text, sheet.provenance(), record.EDITION, content=content, shapes={}, derived=more)
    return CharioteerEdition(
        **fields,
        symbol_names=tuple(map(str, symbols)),
        card_names=tuple(map(str, cards)),
        kind_names=token_names(player, fan),
    )


FILES = Files("spina.games.charioteer.components", parse)
load, template, reference = FILES.load, FILES.template, FILES.reference


# --- words ----------------------------------------------------------------------------------------------------------


def _unknown(sheet: Sheet, entry: Entry, what: Sentence, word: str, where: Sentence, known: Sequence[str]) -> None:
    sheet.problem(
        entry.path,
        say(
            "charioteer.edition.unknown-word",
            what=what,
            word=quoted(word),
            where=where,
            text=quoted(entry.text),
            known=listed(known),
        ),
    )
