"""Chariot Race, designed by Matt Leacock: the game, and the types of its actions, events, views and offers.

>>> from spina.games.chariot_race import Javelin, Step
>>> print(Step("inward"), Javelin("red"), sep=", ")
inward, javelin at red
"""

from spina.games.chariot_race.game import GAME
from spina.games.chariot_race.play import events
from spina.games.chariot_race.play.actions import (
    Caltrop,
    Draft,
    Javelin,
    NoAttack,
    Repair,
    Reroll,
    Signs,
    Start,
    Step,
    TurnDie,
)
from spina.games.chariot_race.play.explanation import Breakdown
from spina.games.chariot_race.play.offer_types import (
    AttackOffer,
    CornerLoss,
    DiceOffer,
    DiceSum,
    DraftOffer,
    Losses,
    Offer,
    Path,
    PathEnd,
    Ram,
    RepairOffer,
    SignsOffer,
    StartOffer,
    StepOffer,
    TurnedDie,
)
from spina.games.chariot_race.play.view import ChariotView, View

__all__ = [
    "GAME",
    "AttackOffer",
    "Breakdown",
    "Caltrop",
    "ChariotView",
    "CornerLoss",
    "DiceOffer",
    "DiceSum",
    "Draft",
    "DraftOffer",
    "Javelin",
    "Losses",
    "NoAttack",
    "Offer",
    "Path",
    "PathEnd",
    "Ram",
    "Repair",
    "RepairOffer",
    "Reroll",
    "Signs",
    "SignsOffer",
    "Start",
    "StartOffer",
    "Step",
    "StepOffer",
    "TurnDie",
    "TurnedDie",
    "View",
    "events",
]
