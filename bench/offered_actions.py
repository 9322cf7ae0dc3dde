"""An action of an offer, in any game, for clients that race without thinking."""

from __future__ import annotations

import random
from typing import Any


def an_action(offer: dict[str, Any]) -> str:
    """One of the offered actions, in any game."""
    if "moves" in offer:
        choices = [move["best"]["choice"] for move in offer["moves"] if move["best"]]
        return str(random.choice(choices or [offer["reset"]["best"]["choice"]]))
    if "chariots" in offer:
        return f"token {offer['chariots'][0]['tokens'][0]['token']}"
    if "question" in offer:
        return an_answer(offer)
    return str(random.choice(offer["actions"]))


def an_answer(offer: dict[str, Any]) -> str:
    """One of the answers to a question of Chariotmaster: a ready move if there is one."""
    ready = [one if isinstance(one, str) else one["action"] for one in offer.get("ready", ())]
    walks = [f"walk {leg['direction']} {leg['mm']} mm" for leg in offer.get("legs", ())]
    answers = [one["action"] for one in (*offer["answers"], *offer.get("sides", ()))]
    return str((ready or walks or answers)[0])
