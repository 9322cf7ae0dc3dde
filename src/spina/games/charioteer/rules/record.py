"""The records of Charioteer: a running race, and the components it is raced with.

Everything the kernels know of cards, tokens, tracks and dice comes from the `EDITION` record, which
`edition.py` fills from a file. Sizes here are capacities, not rules.
"""

from __future__ import annotations

from spina.kernel.record import record

# --- capacities -----------------------------------------------------------------------------------------------------

SEATS = 6
"""Most seats at one race."""
HAND = 8
"""Most cards in a hand: the letters a to h of the notation."""
CROWD = 3
"""Slots of the crowd track; slot 0 holds the active crowd card."""
CARDS = 192
"""Most cards in a deck."""
SPACES = 160
"""Most spaces in a lap."""
KINDS = 32
"""Most kinds of token."""
SYMBOLS = 12
"""Symbols of an edition: a colour and a number each."""
SPREAD = 2
"""Words in which a card's symbols have eight bits each."""
COLOURS = 4
SKILL_SPACES = 32
"""Most spaces of a skills track, bonus box included."""
SKILL_CARDS = 32
"""Most skills cards."""
DIE_FACES = 12
"""Most faces of the emperor die."""

# --- colours, in the order of the emperor die -----------------------------------------------------------------------

GREEN, RED, YELLOW, BLACK = range(COLOURS)
COLOUR_NAMES = ("green", "red", "yellow", "black")
COLOUR_MOVES = ("sprint", "attack", "recover", "corner")
ANY_COLOUR = -1
"""Colour of a token that goes with a move of any colour."""

# --- icons, on cards and tokens -------------------------------------------------------------------------------------

NO_ICON, SHIELD, WHIP, RECOVERY, LEARNING, PLUS, WILD, DISCARD = range(8)
ICON_NAMES = ("none", "shield", "whip", "recovery", "learning", "plus", "wild", "discard")
CARD_ICONS = (SHIELD, WHIP, RECOVERY, LEARNING)
"""Icons that a card may carry; the others are on tokens only."""

# --- faces of the emperor die ---------------------------------------------------------------------------------------

FACE_ALL = 4
FACE_DISRUPT = 5
FACE_NAMES = (*COLOUR_MOVES, "all", "disrupt")

# --- figures of the rules that no edition changes -------------------------------------------------------------------

PLACES = 3
"""C4, C12: most hand cards in a move or a reset."""
FEWEST_SHOWING = 2
"""C4: fewest cards of a move that must show its symbol."""
EMPTYING = 2
"""C9: recoveries in one move that empty the damage box; fewer halve it."""
FIRST_TURN = 1
"""The turn in which rivals cost no points and whips do nothing (C3)."""

ICON_BITS = 8
"""Bits for the number of one icon, where all of CARD_ICONS are counted in one integer."""

# --- the record of the components -----------------------------------------------------------------------------------

EDITION = record(
    [
        ("key", "i8"),  # first eight bytes of the edition's hash
        # race
        ("laps", "i8"),  # laps to complete
        ("hand", "i8"),  # cards in a hand
        ("fan_symbols", "i8"),  # matching symbols that earn a fan token
        ("attack_boxes", "i8"),  # most new cubes a turn
        ("whip_spaces", "i8"),  # spaces that one whip is good for
        ("wild_symbols", "i8"),  # symbols that a wild-changed card shows
        ("minor_cards", "i8"),  # red cards of a minor attack, and its cubes
        ("minor_cubes", "i8"),
        ("major_cards", "i8"),  # red cards of a major attack, and its cubes
        ("major_cubes", "i8"),
        ("disrupt", "i4", (SEATS + 1,)),  # cubes for each chariot, by number of seats
        # track
        ("spaces", "i8"),  # spaces in a lap, space 0 is the first beyond the line
        ("start", "i8"),  # progress before the first turn, negative: spaces before the line
        ("outer", "i1", (SPACES,)),  # 1: an outer space of a corner
        # track, derived: the stops of a move, which enters all spaces (row 0), or only regular ones (row 1: cornering)
        ("stops", "i8", (2,)),  # stops in a lap
        ("stop_number", "i2", (2, SPACES)),  # number of the last stop up to each space
        ("stop_space", "i2", (2, SPACES)),  # space of each stop
        # symbols and cards
        ("symbol_colour", "i1", (SYMBOLS,)),
        ("symbol_number", "i1", (SYMBOLS,)),
        ("cards", "i8"),  # cards in the deck
        ("shows", "i1", (CARDS, SYMBOLS)),  # how many of each symbol a card shows
        ("symbols_on", "i2", (CARDS,)),  # symbols that a card shows, as bits; a card with none joins any move
        ("icon", "i1", (CARDS,)),
        ("spread", "i8", (CARDS, SPREAD)),  # derived: the symbols that a card shows, one in every eight bits
        ("brings", "i8", (CARDS,)),  # derived: how many of each of CARD_ICONS, in eight bits each
        # tokens
        ("kinds", "i8"),  # kinds of token
        ("kind_icon", "i1", (KINDS,)),
        ("kind_colour", "i1", (KINDS,)),  # ANY_COLOUR: goes with every move
        ("kind_value", "i1", (KINDS,)),  # of plus and discard tokens
        ("kind_fan", "i1", (KINDS,)),  # 1: a fan token, which returns to the bag
        ("player_tokens", "i1", (KINDS,)),  # how many of each kind every seat begins with
        ("fan_tokens", "i1", (KINDS,)),  # how many of each kind the full bag holds
        # tokens, derived
        ("kind_brings", "i8", (KINDS,)),  # as `brings`
        ("suited", "i2", (KINDS,)),  # symbols of the moves that a token may accompany, as bits; discard tokens: none
        ("colour_symbols", "i2", (COLOURS,)),  # symbols of each colour, as bits
        ("colour_kinds", "i8", (COLOURS,)),  # kinds that may accompany moves of each colour, as bits
        ("wild_kinds", "i8"),  # wilds, as bits
        ("discard_kinds", "i8"),  # discard tokens, as bits
        # skills
        ("skill_spaces", "i8"),  # spaces before the bonus box
        ("bonus_places", "i8"),
        ("skill_bonus", "i1", (SKILL_SPACES,)),  # by place: the track, then the bonus box
        ("skill_cards", "i8"),
        ("skill_card", "i1", (SKILL_CARDS, COLOURS)),  # colours from the highest start space downwards
        # die
        ("faces", "i8"),
        ("face", "i1", (DIE_FACES,)),
    ]
)

# --- a seat's choice, made step by step -----------------------------------------------------------------------------

AT_TOKEN, AT_SYMBOL, AT_CROWD, AT_WILD, AT_CARDS, AT_DISCARD_TOKEN, AT_DISCARDS, READY = range(8)
STAGE_NAMES = ("token", "symbol", "crowd", "wild", "cards", "discard token", "discards", "ready")

RESET = SYMBOLS
"""Stands where a symbol would: a reset move."""
NOTHING = -1
"""No card, token, symbol, slot or seat."""

# Step numbers. They are the same in every edition.

DO_SYMBOL = 0  # 0 to 11: the symbol of the move
DO_RESET = DO_SYMBOL + SYMBOLS
DO_TOKEN = DO_RESET + 1  # one for each kind of token
DO_NO_TOKEN = DO_TOKEN + KINDS
DO_CROWD = DO_NO_TOKEN + 1
DO_NO_CROWD = DO_CROWD + 1
DO_SLOT = DO_NO_CROWD + 1  # one for each slot of the hand
DO_DONE = DO_SLOT + HAND
STEPS = DO_DONE + 1
"""Size of the action space: 57, the same in every edition, as learned policies need it."""

# --- the record of a running race -----------------------------------------------------------------------------------
# Who may see a field: "all"; "own": each seat its own row; "none": no seat (C16, C28, C29).

RACE = record(
    [
        ("dice", "u8", (4,)),  # none: the random generator, and so the future
        ("seats", "i8"),  # all
        ("turn", "i8"),  # all: 1 is the first turn
        ("first_seat", "i8"),  # all: moves first on the first turn (C3, C27)
        ("over", "i8"),  # all: 1 after the last turn
        ("die", "i8"),  # all: face of the emperor die for this turn
        ("choices", "i8"),  # all: choices completed so far
        # the chariots
        ("progress", "i2", (SEATS,)),  # all: spaces beyond the line, laps included; negative before the first crossing
        ("lane", "i2", (SEATS,)),  # all: place within the space, 0 is the inside
        ("damage", "i2", (SEATS,)),  # all: cubes in the damage box
        ("attack", "i2", (SEATS,)),  # all: cubes in the attack boxes
        ("safe", "i2", (SEATS,)),  # all: 1 if shielded or reset this turn, and so takes no new cubes
        ("skill", "i2", (SEATS, COLOURS)),  # all: place of each marker on track and bonus box
        # tokens
        ("tokens", "i2", (SEATS, KINDS)),  # own: count by kind; rivals see player tokens, and how many fan tokens (C29)
        ("bag", "i2", (KINDS,)),  # none: fan tokens left in the bag
        ("spent", "i2", (KINDS,)),  # all: fan tokens discarded
        # cards
        ("hand", "i2", (SEATS, HAND)),  # own: cards in slots a to h, NOTHING where there is none
        ("held", "i2", (SEATS,)),  # own: slots that hold a card, as bits
        ("matches", "i2", (SEATS, SYMBOLS)),  # own: slots that show each symbol, as bits
        ("bare", "i2", (SEATS,)),  # own: slots with cards without symbols, as bits
        ("crowd", "i2", (CROWD,)),  # all: slot 0 is active
        ("deck_left", "i8"),  # all: cards in the draw pile
        ("pile", "i8"),  # all: cards in the discard pile
        ("deck", "i2", (CARDS,)),  # none: the draw pile, drawn from the end
        ("discards", "i2", (CARDS,)),  # all, where `buried_by` is NOTHING
        ("buried_by", "i2", (CARDS,)),  # all: seat that discarded the card face down and alone knows it (C28)
        # the choices being made
        ("options", "i8", (SEATS,)),  # own: legal steps, as bits
        ("stage", "i2", (SEATS,)),  # own: the stage; rivals see only whether it is READY (C16)
        ("token", "i2", (SEATS,)),  # own: kind, or NOTHING
        ("symbol", "i2", (SEATS,)),  # own: symbol, RESET, or NOTHING
        ("with_crowd", "i2", (SEATS,)),  # own: 1 if the crowd card is part of the move
        ("wild_slot", "i2", (SEATS,)),  # own: slot of the changed card, or NOTHING
        ("played", "i2", (SEATS,)),  # own: slots played, as bits
        ("discard_token", "i2", (SEATS,)),  # own: kind, or NOTHING
        ("discarded", "i2", (SEATS,)),  # own: slots discarded with the token, as bits
    ]
)
