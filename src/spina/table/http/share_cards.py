"""Pictures that messengers show beside a link to a table or a replay, as PNG.

A picture is drawn from a determinization for spectators: everything that a spectator cannot see has been dealt anew
before anything is drawn, so nothing hidden can be in it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from functools import lru_cache

from spina.games import find
from spina.games.factions import faction, shape
from spina.games.pictures import Palette, inscription, shortened
from spina.games.svg import document, element, rect
from spina.race import Race
from spina.table.live.room import Room
from spina.table.live.seat_colours import colour_of

WIDTH, HEIGHT = 1200, 630
"""What messengers show without cutting."""
STRIP = 96.0
"""Height of the line of names below the picture."""
NAMES = 370
"""Where the names begin, right of the title."""
MOST_CARDS = 64
LONGEST_NAME = 16


Line = tuple[tuple[int, str], ...]
"""The seats of a race as colour and name."""


def card_svg(title: str, race_svg: str, line: Line, turn: str = "") -> str:
    """A picture of 1200 by 630: the race, and below it the game's title, the names, and the turn."""
    p = Palette
    room = (WIDTH - NAMES) / max(1, len(line))
    parts = [
        rect(0, 0, WIDTH, HEIGHT, fill=p.WALL),
        rect(0, HEIGHT - STRIP, WIDTH, STRIP, fill=p.WALL_DEEP),
        inscription(title.upper(), 28, HEIGHT - STRIP + 44, 32, fill=p.OCHRE, text_anchor="start", letter_spacing=2),
        inscription(turn, 28, HEIGHT - STRIP + 76, 22, fill=p.IVORY, text_anchor="start"),
    ]
    for number, (colour, name) in enumerate(line):
        of = faction(colour)
        x = NAMES + room * number
        most = min(LONGEST_NAME, max(4, int((room - 44) / 12.5)))
        parts += [
            element("path", d=shape(of.shape, 15), fill=of.colour, stroke=p.IVORY, stroke_width=1.5,
                    transform=f"translate({x + 18:.1f} {HEIGHT - STRIP / 2:.1f})"),
            inscription(of.letter, x + 18, HEIGHT - STRIP / 2 + 6, 17, fill=of.ink, font_weight="bold"),
            inscription(shortened(name, most), x + 42, HEIGHT - STRIP / 2 + 8, 23, fill=p.IVORY, text_anchor="start"),
        ]  # fmt: skip
    whole = document(WIDTH, HEIGHT, parts, title=title, label=title, class_="spina-card")
    inner = race_svg.replace("<svg", f'<svg x="0" y="8" width="{WIDTH}" height="{HEIGHT - STRIP - 16:.0f}"', 1)
    return whole.removesuffix("</svg>") + inner + "</svg>"


def png(svg: str) -> bytes:
    """A picture as PNG, drawn without a browser and without reading files or addresses that it might name."""
    import resvg_py  # imported late: most servers are never asked for one

    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=WIDTH, height=HEIGHT))


def public_svg(race: Race, names: list[str], colours: list[int]) -> str:
    """The race as a spectator sees it: hidden parts are dealt anew before it is drawn."""
    return race.determinized(None, 0).svg(names, colours)


class ShareCards:
    """Pictures of tables as PNG, an LRU cache by table, version and people."""

    def __init__(self, work: Callable[[Callable[[], bytes]], Awaitable[bytes]]) -> None:
        self._work = work
        self._kept: OrderedDict[tuple[object, ...], bytes] = OrderedDict()

    async def of(self, room: Room, turn_words: Callable[[Room], str]) -> bytes:
        """The picture of a table as it stands, made in a thread and charged to the address that asks."""
        names, colours, turn = room.names(), room.colours(), turn_words(room)
        line = tuple((colour_of(seat), seat.name) for seat in room.seats if seat.name)
        key = (room.table.id, None if room.race is None else room.race.resolved, room.table.status, line, turn)
        if key not in self._kept:
            game, race = find(room.table.game), room.race

            def draw() -> bytes:
                drawn = empty_board(game.name) if race is None else public_svg(race, names, colours)
                return png(card_svg(game.title, drawn, line, turn))

            self._kept[key] = await self._work(draw)
            while len(self._kept) > MOST_CARDS:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]


@lru_cache(maxsize=16)
def empty_board(game: str) -> str:
    """The board of a game without a race."""
    found = find(game)
    return found.board(found.reference())


@lru_cache(maxsize=16)
def game_card(game: str) -> bytes:
    return png(card_svg(find(game).title, empty_board(game), ()))
