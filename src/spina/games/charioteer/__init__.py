"""Charioteer, designed by Matt Calkins: the game, and the types of its actions, events, views and offers.

>>> from spina.games.charioteer import Choice, events
>>> print(Choice("red-5", "abd", crowd=True, token="+3 red"))
red-5: a b d + crowd, token +3
>>> events.Chosen(seat=2)
Chosen(seat=2)
"""

from spina.games.charioteer.game import GAME
from spina.games.charioteer.play import events
from spina.games.charioteer.play.actions import Card, Choice, Crowd, Done, Symbol, Token
from spina.games.charioteer.play.explanation import Breakdown
from spina.games.charioteer.play.offer import DiscardOffer, MoveOffer, Offer, ResetOffer, WildSlots
from spina.games.charioteer.play.view import ChariotView, DiscardPile, PendingChoice, Skill, View

__all__ = [
    "GAME",
    "Breakdown",
    "Card",
    "ChariotView",
    "Choice",
    "Crowd",
    "DiscardOffer",
    "DiscardPile",
    "Done",
    "MoveOffer",
    "Offer",
    "PendingChoice",
    "ResetOffer",
    "Skill",
    "Symbol",
    "Token",
    "View",
    "WildSlots",
    "events",
]
