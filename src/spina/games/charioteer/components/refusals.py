"""What Charioteer refuses of editions and options: English by code."""

from __future__ import annotations

from spina.refusal_codes import say as say_common
from spina.sentences import Catalogue

say = Catalogue(
    {
        "charioteer.edition.attacks": (
            "a major attack of {major} cards must take more cards than a minor one, which takes {minor}"
        ),
        "charioteer.edition.lap-too-long": "the lap is too long: from here on it has more than {most} spaces",
        "charioteer.edition.no-corner": 'the track has no corner: at least one space must be "outer"',
        "charioteer.edition.no-way-round": 'the track has no way round: at least one space must be "regular"',
        "charioteer.edition.start": (
            "the start lies {start} spaces before the line, beyond the lap of {lap}: it must be 1 to {last}"
        ),
        "charioteer.edition.unknown-symbol": (
            "unknown symbol {text}: a symbol is a colour ({colours}), a dash and a number up to {highest}, such as "
            '"red-5"'
        ),
        "charioteer.edition.symbol-twice": "the symbol {symbol} is listed twice: each must be there once",
        "charioteer.edition.symbols-of-colour": (
            "{found} symbols are {colour}: each colour must have {wanted} different numbers"
        ),
        "charioteer.edition.empty-card": "the card {card} shows nothing: it must show a symbol or an icon",
        "charioteer.edition.icons": "the card {card} has {count} icons: it can have one at most",
        "charioteer.edition.symbols-on-card": "the card {card} shows {found} symbols: it can show {most} at most",
        "charioteer.edition.too-few-cards": (
            "{count} cards are too few: {seats} hands of {hand}, {crowd} crowd cards and one to draw make {needed}"
        ),
        "charioteer.edition.too-few-showing": "cards that show {symbol}: {showing}, but a move takes {least}",
        "charioteer.edition.unknown-token": "unknown token {text}: a token is written {forms}",
        "charioteer.edition.token-needs-colour": "the token {text} needs a colour after it: {colours}",
        "charioteer.edition.token-without-colour": "the token {text} can have no colour: write {token}",
        "charioteer.edition.kinds-of-token": (
            "there are {kinds} kinds of token: player and fan tokens together may have {most}"
        ),
        "charioteer.edition.too-few-skills-cards": (
            "{found} skills cards are too few: there must be one for each of {seats} seats"
        ),
        "charioteer.edition.not-a-skills-card": (
            "{text} is not a skills card: it must have each of {colours} once, in any order"
        ),
        "charioteer.edition.no-face": "the die has no face: it must have 1 to {most}",
        "charioteer.edition.unknown-word": "unknown {what} {word} in {where} {text}: the {what}s are {known}",
    },
    say_common,
)
