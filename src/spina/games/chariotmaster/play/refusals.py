"""English sentences by code for refusals of Chariotmaster's actions."""

from __future__ import annotations

from spina.games.chariotmaster.components.refusals import say as say_common
from spina.sentences import Catalogue

say = Catalogue(
    {
        "chariotmaster.why.other-question": "that is no answer to this question",
        "chariotmaster.why.no-token": "it cannot use this token",
        "chariotmaster.why.too-short": "a sub-move is at least 10 mm long",
        "chariotmaster.why.too-long": "that is further than it may still go",
        "chariotmaster.why.too-sharp": "that is more than its token lets it pivot",
        "chariotmaster.why.not-free": "something is in the way",
        "chariotmaster.why.turn-not-free": "something is in the way of the pivot",
        "chariotmaster.why.no-spur": "it has been spurred this turn",
        "chariotmaster.why.no-whip": "it has been whipped this turn, or its whip is lost",
        "chariotmaster.why.minimum": "it has not travelled its minimum distance",
        "chariotmaster.why.no-distance": "there is less than 1 cm left to go",
        "chariotmaster.why.no-collision": (
            "nobody collides on purpose while there is stamina or a way ahead, or when the minimum distance is "
            "travelled"
        ),
        "chariotmaster.why.no-run": "there is nothing low to run through, or it would not come clear on the other side",
        "chariotmaster.why.no-u-turn": (
            "a U-turn needs a minimum of 0, a maximum of 1 cm or more, a chariot that has not moved, and 1 degree "
            "or more"
        ),
        "chariotmaster.why.no-strike": "that cannot be attacked from here",
        "chariotmaster.why.no-fright": "it is not frightened by the attacker",
        "chariotmaster.why.no-die": "this die is not its own, or cannot be changed so",
        "chariotmaster.why.no-reason-to-climb": "there is no reason to climb for that",
        "chariotmaster.why.other-side": "the side sweep that was paid for goes to the other side",
        "chariotmaster.why.must-leave": "he must leave the track: towards the nearest edge, as long as he can",
        "chariotmaster.why.test-first": "another sub-move must be announced first, for its test",
        "chariotmaster.why.must-move": "after a passed test the sub-move must be made while one is possible",
        "chariotmaster.why.no-test": "the sub-move to come needs no test",
        "chariotmaster.why.no-brake": "its maximum is 0 or less, so there is nothing to brake",
        "chariotmaster.why.no-step": "a step on foot is at least 1 mm long",
        "chariotmaster.not-possible": '"{action}" is not possible now: {why} (the question is {question})',
        "chariotmaster.limit": "{why}: {limit}",
        "chariotmaster.limit.tokens": "it has {tokens}",
        "chariotmaster.limit.announce": 'say "{action}"',
        "chariotmaster.limit.left": "{mm} mm are left",
        "chariotmaster.limit.pivot": "at most {degrees} degrees",
        "chariotmaster.limit.minimum": "{moved} mm of {least}",
        "chariotmaster.limit.free": "{mm} mm are free",
        "chariotmaster.limit.free-too-little": "{mm} mm are free, less than a sub-move needs",
        "chariotmaster.limit.none-shorter": "no shorter sub-move ends clear of it",
        "chariotmaster.limit.turn": "{degrees} degrees are free",
        "chariotmaster.question.nothing": "nothing",
        "chariotmaster.question.speed-tokens": "speed tokens",
        "chariotmaster.question.drive": "drive",
        "chariotmaster.question.sub-move": "sub-move",
        "chariotmaster.question.side-sweep-again": "side sweep again",
        "chariotmaster.question.pivot": "pivot",
        "chariotmaster.question.skid": "skid",
        "chariotmaster.question.attack": "attack",
        "chariotmaster.question.defence": "defence",
        "chariotmaster.question.side-of-the-evasion": "side of the evasion",
        "chariotmaster.question.modify": "modify",
        "chariotmaster.question.climb": "climb",
        "chariotmaster.question.cut-loose": "cut loose",
        "chariotmaster.question.walk": "walk",
        "chariotmaster.no-action": "there is no action {code}: they are numbered 0 to {last}",
        "chariotmaster.not-one-step": '"{action}" is not one step: each of its tokens is',
        "chariotmaster.change-of-die": 'a die is changed by +1 or -1, as in "modify die 2 +1", not by {change}',
        "chariotmaster.rule.die": "a die is counted from 1 to 16",
        "chariotmaster.rule.direction": "the direction of a walk is 0 to 359 degrees",
        "chariotmaster.rule.walk": "a walk is shorter than 64 mm",
        "chariotmaster.not-doable": "{name} is not an action that can be done",
        "chariotmaster.tokens-of-seat": "a seat has 1 to at most {most} chariots to choose tokens for",
        "chariotmaster.rule.sub-move": "a sub-move is shorter than {most} mm",
        "chariotmaster.rule.pivot": "such a pivot is at most {most} degrees either way",
        "chariotmaster.outside-rule": "{rule}, which {value} is not",
        "chariotmaster.unreadable": '"{line}" cannot be read; actions look like {known}',
        "chariotmaster.not-whole-millimetres": (
            'lengths are whole millimetres, as in "85", "85 mm" or "8.5 cm": {length} mm is not'
        ),
        "chariotmaster.which-side": 'say to which side: "pivot {degrees} left" or "pivot {degrees} right"',
        "chariotmaster.what-of-it": (
            'say what of it: "{text} horses", "{text} body" or, dragged behind them, "{text} driver"'
        ),
        "chariotmaster.no-piece": (
            'there is no piece "{name}": there are {colours}, "wreck of red", "driver of red", and "obstacle 1" to '
            '"obstacle {obstacles}"'
        ),
        "chariotmaster.not-an-action": "{name} is not an action of Chariotmaster",
        "chariotmaster.tokens-of-choice": '"{action}" names {count} tokens: seat {seat} chooses {wanted}',
        "chariotmaster.position.chariots": (
            "{where}: {seats} seats need the same number each, at most {most}, not {given} in all"
        ),
        "chariotmaster.position.chariots-each": "{where}: {given} chariots for {seats} seats are {each} each",
        "chariotmaster.position.on-foot": "{where}: it is the place of a driver who walks, left out for all others",
        "chariotmaster.position.dragged": (
            "{where}: a driver is dragged only after a crash, by his team: give the wreck"
        ),
        "chariotmaster.position.haft-reins": "{where}: nobody climbs for reins that he holds: say that they are lost",
        "chariotmaster.position.haft-cut": (
            "{where}: nobody climbs to cut a horse free that is alive: say how many are dead"
        ),
        "chariotmaster.position.home-and-out": "{where}: nobody is both home and out",
        "chariotmaster.position.still-races": "{where}: a driver with his horses still races",
        "chariotmaster.position.no-horses": (
            "{where}: a chariot without living horses has crashed: say that its team is gone"
        ),
        "chariotmaster.position.offset-alone": "{where}: goes with progress",
        "chariotmaster.position.off-the-map": "{where}: {x}, {y} is not on the map",
        "chariotmaster.position.no-chariot": "{where}: there is no chariot {chariot}: they are 0 to {last}",
        "chariotmaster.position.no-turn": "{where}: chariot {chariot} has no turn any more",
        "chariotmaster.position.no-control": (
            "{where}: chariot {chariot} is not under control at the beginning of its turn"
        ),
        "chariotmaster.position.unknown": '{where}: there is no {what} "{name}": there are {known}',
        "chariotmaster.position.only-obstacles": (
            '{where}: only obstacles can be removed, such as "obstacle 1", not "{name}"'
        ),
        "chariotmaster.position.not-here": "{where}: there is no {name} here, or it is removed twice",
        "chariotmaster.position.stands-on-something": "{where}: {name} stands on something or off the track",
        "chariotmaster.position.homes": "{where}: those that are home are 1, 2 and so on, each once",
        "chariotmaster.position.crossed": "{where}: it has crossed the line: say as which it is home",
        "chariotmaster.position.health-tables": (
            '{where}: the tables of health share one modifier: give it as "health aboard"'
        ),
        "chariotmaster.position.in-a-wreck": "{where}: nobody stands in a wreck",
        "chariotmaster.position.gone": "{where}: horses are gone only after a crash: give the wreck",
        "chariotmaster.position.two-places": "{where}: give either x and y or progress and offset",
        "chariotmaster.position.off-the-track": "{where}: {offset} mm is not on the track",
        "chariotmaster.position.off-the-way": "{where}: {progress} mm is not on the way of the race",
        "chariotmaster.position.no-place": "{where}: a spot needs x and y, or progress",
        "chariotmaster.position.nobody-active": "{where}: only an active chariot drives: say which is active",
    },
    say_common,
)
