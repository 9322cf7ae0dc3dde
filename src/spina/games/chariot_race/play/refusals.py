"""What Chariot Race refuses of actions: English by code."""

from __future__ import annotations

from spina.games.chariot_race.components.refusals import say as say_common
from spina.sentences import Catalogue

say = Catalogue(
    {
        "chariot-race.no-action": "there is no action {code}: they are numbered 0 to {last}",
        "chariot-race.too-many-plus": "0 to {most} dice can count as plus, not {plus}",
        "chariot-race.no-die": "dice are counted from 1 to {most}, there is no die {die}",
        "chariot-race.unreadable": '"{line}" cannot be read; actions look like {known}',
        "chariot-race.not-possible": '"{action}" is not possible now: the question is {question}',
        "chariot-race.question.draft": "draft",
        "chariot-race.question.starting-space": "starting space",
        "chariot-race.question.repair": "repair",
        "chariot-race.question.free-re-roll": "free re-roll",
        "chariot-race.question.fortune": "fortune",
        "chariot-race.question.signs": "signs",
        "chariot-race.question.path": "path",
        "chariot-race.question.attack": "attack",
        "chariot-race.question.turn-over": "turn over",
        "chariot-race.question.race-over": "race over",
        "chariot-race.not-an-action": "{name} is not an action of Chariot Race",
        "chariot-race.position.chariots": "{where}: {seats} seats need {single} or {double} chariots (at most {most})",
        "chariot-race.position.space": '{where}: there is no space "{name}": there are {first} to {last}',
        "chariot-race.position.nobody-races": "{where}: at least one must be in the race",
        "chariot-race.position.turn": "{where}: chariot {chariot} has no turn: {known} have",
        "chariot-race.position.dice": "{where}: chariot {chariot} rolls {wanted} at speed {speed}, not {given}",
        "chariot-race.position.too-many-caltrops": "{where}: there are only {most}, not {given}",
        "chariot-race.position.kind": '{where}: with the option individual there are {known}, not "{kind}"',
        "chariot-race.position.kind-twice": "{where}: there is only one {name} chariot",
        "chariot-race.position.heap": "{where}: a stone heap lies on {name}",
        "chariot-race.position.taken": "{where}: chariot {other} stands there already",
        "chariot-race.position.side": '{where}: no side "{side}": there are {known}',
        "chariot-race.position.caltrop-twice": "{where}: a space never holds two",
        "chariot-race.position.pairs": "{where}: {given} chariots for {seats} seats are pairs",
        "chariot-race.position.no-pairs": "{where}: {given} chariots for {seats} seats are not pairs",
    },
    say_common,
)
