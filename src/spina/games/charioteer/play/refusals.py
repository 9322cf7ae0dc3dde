"""What Charioteer refuses of actions: English by code."""

from __future__ import annotations

from spina.games.charioteer.components.refusals import say as say_common
from spina.sentences import Catalogue

say = Catalogue(
    {
        "charioteer.no-step": "there is no step {code}: they are numbered 0 to {last}",
        "charioteer.no-slot": 'there is no card "{letter}": the slots of the hand are a to {last}',
        "charioteer.example": 'an example is "red-5: a b d + crowd, token +3, discard-3 c"',
        "charioteer.unreadable": (
            '"{line}" is neither a choice nor a step: {example}; steps are "token +3 red", "no token", "symbol '
            'red-5", "reset", "crowd", "no crowd", "card a", "done"'
        ),
        "charioteer.unreadable-choice": '"{line}" cannot be read: {example}',
        "charioteer.unreadable-part": (
            '"{part}" is not a part of a choice, or stands twice: after the cards may follow "token NAME", "token '
            'wild on CARD" and "discard-NUMBER CARDS"; {example}'
        ),
        "charioteer.card-twice": 'card "{letter}" is named twice',
        "charioteer.none": "none",
        "charioteer.no-token-in-reset": 'there is no token "{name}" in a reset',
        "charioteer.no-token-in-colour": 'there is no token "{name}" in {colour}',
        "charioteer.no-discard-token": "no {fan}discard token takes {number} cards: there are {known}",
        "charioteer.card-not-in-hand": 'there is no card "{letter}" in the hand: it has {hand}',
        "charioteer.move-needs-a-card": "a move needs at least one card from the hand",
        "charioteer.reset-needs-a-card": "a reset needs at least one card from the hand",
        "charioteer.move-of-too-many-cards": "a move takes at most {most} cards from the hand, not {count}",
        "charioteer.reset-of-too-many-cards": "a reset takes at most {most} cards from the hand, not {count}",
        "charioteer.one-card-shows": "only one card of this move shows {symbol}: at least two must",
        "charioteer.no-card-shows": "no card of this move shows {symbol}: at least two must",
        "charioteer.crowd-in-reset": "the crowd card cannot be part of a reset",
        "charioteer.token-in-reset": "only a discard token may go with a reset, not {token}",
        "charioteer.card-lacks-symbol": "card {letter} ({card}) shows no {symbol}",
        "charioteer.crowd-lacks-symbol": "the crowd card ({card}) shows no {symbol}",
        "charioteer.not-wild": "only a wild token changes a card",
        "charioteer.token-for-discards": '{token} goes on discards, not on a move: write "{token} CARDS"',
        "charioteer.token-of-other-colour": "{token} does not go with a {colour} move",
        "charioteer.wild-needs-card": 'a wild token needs the card it changes: write "token wild on CARD"',
        "charioteer.wild-not-played": "a wild token changes a card that is played, and {letter} is not",
        "charioteer.token-not-held": "the seat holds no token {token}: it holds {held}",
        "charioteer.discards-need-token": "discards need a discard token",
        "charioteer.not-a-discard-token": "{token} is not a discard token",
        "charioteer.discards-nothing": "{token} takes at least one card",
        "charioteer.discards-too-many": "{token} takes at most {most} cards, not {count}",
        "charioteer.played-and-discarded": "card {letter} cannot be both played and discarded",
        "charioteer.not-possible": '"{action}" is not possible now',
        "charioteer.not-an-action": "{name} is not an action of Charioteer",
        "charioteer.only-choices-explained": 'only a whole choice can be explained, such as "red-5: a b d + crowd"',
        "charioteer.position.chariots": "{where}: a race has {low} to {high} chariots, not {given}",
        "charioteer.position.face": '{where}: no face "{face}": they are {known}',
        "charioteer.position.skills": "{where}: needs a place for each of {known}",
        "charioteer.position.bonus-box": (
            "{where}: the bonus box fills from its lowest place, {first}, one marker to a place"
        ),
        "charioteer.position.crowd": "{where}: needs {wanted} cards, the active one first",
        "charioteer.position.too-few-cards": "{where}: not enough cards are left for the hands and the crowd track",
        "charioteer.position.too-many-cards": "{where}: at most {most} cards, not {given}",
        "charioteer.position.lanes": (
            "{where}: the {given} chariots on space {space} need the lanes 0 to {last}, each once"
        ),
        "charioteer.position.token": '{where}: no token "{name}": there are {known}',
        "charioteer.position.hand": "{where}: needs at least one card",
        "charioteer.position.card": '{where}: the deck has no card "{name}"',
        "charioteer.position.no-further-card": '{where}: the deck has no further card "{name}"',
        "charioteer.position.too-many-tokens": '{where}: there are only {most} tokens "{name}"',
        "charioteer.position.player-token": '{where}: "{name}" is a player token, which never comes back',
        "charioteer.position.too-many-of-a-seat": '{where}: a seat has only {most} "{name}"',
    },
    say_common,
)
