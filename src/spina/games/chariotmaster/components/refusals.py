"""English sentences by code for refusals of Chariotmaster's editions and options."""

from __future__ import annotations

from spina.refusal_codes import say as say_common
from spina.sentences import Catalogue

say = Catalogue(
    {
        "chariotmaster.no-scenario": "there is no scenario {name}: the scenarios are {known}",
        "chariotmaster.edition.tokens": "there are {count} tokens: there must be {wanted}, from the slowest",
        "chariotmaster.edition.tokens-out-of-order": (
            "the tokens are out of order: each must be faster than the one before it"
        ),
        "chariotmaster.edition.not-a-token": "{text} is not a token: it must be written like {form}",
        "chariotmaster.edition.token-misplaced": "the token {token} stands where {name} belongs: keep their order",
        "chariotmaster.edition.spread": "{text}: the distances must be {spread} cm apart or more",
        "chariotmaster.edition.number-in-entry": "{what} {word} in {text}: it must be {range}, with {places}",
        "chariotmaster.edition.base": "base.length is {length}: it must be twice the width, {wanted} cm",
        "chariotmaster.edition.three": "{path} has length {count}: it must have 3",
        "chariotmaster.edition.not-a-value": (
            '{text} is not a value: it must be written like "from 4: 3", the points up to {most}, the value {range}'
        ),
        "chariotmaster.edition.more-than": "more than {limit}",
        "chariotmaster.edition.values-out-of-order": "{text} is out of order: it must begin from {wanted}",
        "chariotmaster.edition.not-a-row": "{text} is not a row: it must be written like {form}",
        "chariotmaster.edition.last-row": "{text} must hold for every higher result too: write {rows}+",
        "chariotmaster.edition.result-twice": "the result {result} is there twice in {path}: each must be there once",
        "chariotmaster.edition.lower-first": "{text}: write the lower result first",
        "chariotmaster.edition.no-row": "{path} has no row for the result {result}: it needs all from 1 to {rows}+",
        "chariotmaster.edition.effect-twice": "{effect} is there twice in {text}: once is enough",
        "chariotmaster.design.for-race": "for {race}",
        "chariotmaster.design.without-races": "without races",
        "chariotmaster.design.not-for-race": "{name} cannot be chosen {whose}: the choices are {known}",
        "chariotmaster.design.chosen-often": "{name} is chosen {number} times: once is the most",
        "chariotmaster.design.not-together": "{name} cannot be combined with {other}",
        "chariotmaster.design.no-stamina": "no stamina is left: choose items that take less than 100 per cent together",
        "chariotmaster.design.too-dear": "it costs {cost}: at most {most} may be spent",
        "chariotmaster.design.must-have": "{name} must be chosen {whose}",
        "chariotmaster.design.several": "{chosen} are chosen",
        "chariotmaster.design.nothing": "nothing is chosen for {category}",
        "chariotmaster.design.one-of": "{found}: it must be one of {known}",
        "chariotmaster.edition.item-twice": "{name} is there twice: give each item a name of its own",
        "chariotmaster.edition.no-free-item": (
            "{path} has no item that costs 0 points: one is needed for those who choose nothing"
        ),
        "chariotmaster.edition.not-an-item": "{text} is not an item: it must be written like {form}",
        "chariotmaster.edition.cost": "{text} costs {cost}: it must be -{most} to {most}",
        "chariotmaster.edition.means-nothing": "{part} means nothing for {category}: only {purpose} can have it",
        "chariotmaster.edition.per-cent": "per cent from -{most} to +{most}",
        "chariotmaster.edition.top": "{least} to {most} cm with at most one decimal",
        "chariotmaster.edition.whole-number": "a whole number, {range}",
        "chariotmaster.edition.unknown-part": "{part} in {text} is not known: items can have {known}",
        "chariotmaster.edition.figure-in-entry": "{word} {figure} in {text}: it must be {wanted}",
        "chariotmaster.edition.said-twice": "{text} says {word} twice: once is enough",
        "chariotmaster.edition.not-given": "{text} gives no {word}: every item of {category} must",
        "chariotmaster.edition.not-a-race": "{text} cannot be a race: write words in small letters",
        "chariotmaster.edition.race-twice": "the race {text} is there twice: give each a name of its own",
        "chariotmaster.edition.not-a-race-row": '{text} is not a row: it must be written like "fast: o x - - o -"',
        "chariotmaster.edition.row-twice": "the row of {name} is there twice: each item has one",
        "chariotmaster.edition.unknown-mark": "{mark} in {text}: marks are {marks}",
        "chariotmaster.edition.row-length": "the row of {name} has length {count}: there are {races} races",
        "chariotmaster.edition.no-item-row": "{path} has no row for {item}: every item needs one",
        "chariotmaster.edition.no-choice": "{race} can choose nothing for {category}: mark an item with o or x",
        "chariotmaster.edition.several-items": (
            "{race} would have several items for {category}: mark one item with x, or some with o"
        ),
        "chariotmaster.edition.not-again": "{race} has an a for {category}: only items of other can be taken again",
        "chariotmaster.edition.not-a-chariot": "{text} is not a chariot: it must be written like {form}",
        "chariotmaster.edition.chariot-twice": "the chariot {name} is there twice: give each a name of its own",
        "chariotmaster.edition.chariot-not-allowed": "the chariot {name} is not allowed: {why}",
        "chariotmaster.option-unknown": "Chariotmaster has no option {option}: it has {known}",
        "chariotmaster.option-scenario": "scenario must be a name, not {value}: the scenarios are {known}",
        "chariotmaster.option-fantasy": "the fantasy races need at least {least} equipment points, not {points}",
        "chariotmaster.option-laps": "laps must be {known} in the scenario {scenario}, not {value}",
        "chariotmaster.option-chariots": (
            "{seats} with {each} each are too many: the scenario {scenario} has room for {most}"
        ),
        "chariotmaster.option-teams": (
            "teams must be a list of {seats} numbers from 1 to {most}, the team of each seat, not {value}"
        ),
        "chariotmaster.option-same-team": "teams must differ: everybody is in the same team",
        "chariotmaster.option-designs": "designs must be a list with one entry for each chariot, not {value}",
        "chariotmaster.option-designs-length": (
            "designs has length {count}: it must have {wanted}, one for each chariot"
        ),
        "chariotmaster.design.of-all": "designs",
        "chariotmaster.design.of-chariot": "designs, chariot {chariot}",
        "chariotmaster.design.wrong": "{where}: {why}",
        "chariotmaster.design.none-ready": (
            "there is no ready-made chariot for {race} within {points} points: say which designs to use"
        ),
        "chariotmaster.design.not-ready-made": "there is no ready-made chariot {name}: there are {known}",
        "chariotmaster.design.not-a-table": (
            "{entry} is neither the name of a ready-made chariot nor a table of items"
        ),
        "chariotmaster.design.no-race": "race is missing: the races are {races}",
        "chariotmaster.design.not-fantasy": (
            "it has the race {race}, but these are not the fantasy races: add fantasy=true"
        ),
        "chariotmaster.design.unknown-key": "unknown key {key}: the keys are {known}",
        "chariotmaster.design.unknown-race": "there is no race {race}: the races are {known}",
        "chariotmaster.design.unknown-item": "{category} cannot be {name}: it is one of {known}",
        "chariotmaster.edition.no-decimals": "no decimals",
        "chariotmaster.edition.one-decimal": "at most one decimal",
        "chariotmaster.edition.two-decimals": "at most two decimals",
        "chariotmaster.edition.name-form": "small letters and digits, with hyphens between the words",
        "chariotmaster.edition.range-cm": "{low} to {high} cm",
        "chariotmaster.edition.not-a-table": "{spot} is {inner}: it must be a table [{spot}]",
        "chariotmaster.edition.not-a-name": "{name} cannot be a name: write {form}",
        "chariotmaster.edition.one-too-many": "[{spot}] is one too many: there can be {most} at most",
        "chariotmaster.edition.empty-table": "[{path}] is empty: there must be at least one table [{path}.name]",
        "chariotmaster.edition.missing": "{path} is missing: write {key} = {example} in [{parent}]",
        "chariotmaster.edition.not-numbers": "{path} is {found}: it must be a list of 1 to {most} whole numbers",
        "chariotmaster.edition.not-a-length": "{path} is {value}: it must be {range}, with {places}",
        "chariotmaster.edition.not-a-text": "{path} is {found}: it must be a text of 1 to {most} printable characters",
        "chariotmaster.edition.not-allowed": "{path} is {found}: it must be {allowed}",
        "chariotmaster.edition.not-a-list": "{path} is {found}: it must be a list, [{example}]",
        "chariotmaster.edition.unknown-word": "unknown {what} {word} in {text}: the {what}s are {known}",
        "chariotmaster.edition.scenario": "scenario {name}: {why}",
        "chariotmaster.edition.segment": "scenario {name}, segment {number}: {why}",
        "chariotmaster.edition.segments": "scenario {name}, segments {first} and {second}: {why}",
        "chariotmaster.edition.obstacle": "scenario {name}, obstacle {number}: {why}",
        "chariotmaster.edition.scale": "bases scaled to {scale} per cent are too big: use a lower scale",
        "chariotmaster.edition.for-closed": ("{path} is for closed tracks: leave it out, an open course is raced once"),
        "chariotmaster.edition.usual-laps": "{path} does not hold {laps}, the usual number of laps: add it",
        "chariotmaster.edition.for-open": "{path} is for open courses: leave it out",
        "chariotmaster.edition.no-room": "no chariot has room to start: the width must be {least} cm or more",
        "chariotmaster.edition.no-segments": "there are no segments: write one or more, like {form}",
        "chariotmaster.edition.not-a-segment": "{text} is not a segment: it must be written like {form}",
        "chariotmaster.edition.segment-length": (
            "length {word}: it must be up to {most} cm, with at most two decimals"
        ),
        "chariotmaster.edition.segment-radius": (
            "radius {word}: it must be up to {most} cm, with at most two decimals"
        ),
        "chariotmaster.edition.radius-too-small": (
            "the radius of {radius} cm is too small for a track {width} cm wide: it must be {least} cm or more"
        ),
        "chariotmaster.edition.angle": (
            "angle {word}: it must be 1 to 180 degrees, with at most one decimal; split wider arcs"
        ),
        "chariotmaster.edition.straight-too-short": (
            "the segment is too short: {length} cm where the innermost chariot goes, "
            "and it must be {least} cm; make it longer"
        ),
        "chariotmaster.edition.arc-too-short": (
            "the segment is too short: {length} cm where the innermost chariot goes, "
            "and it must be {least} cm; let it turn farther, or join it with the next"
        ),
        "chariotmaster.edition.open-ends-in-arc": "an open course ends here: it must be a straight",
        "chariotmaster.edition.run-out": (
            "the run-out of {run_out} cm must lie on the last straight, which is only {length} cm long"
        ),
        "chariotmaster.edition.line-in-arc": "the line lies here: it must be a straight",
        "chariotmaster.edition.line-too-near": (
            "the line lies {line} cm into the first straight: two rows need {least} cm"
        ),
        "chariotmaster.edition.line-too-far": (
            "the line lies {line} cm into a straight of {length} cm: it must lie on it"
        ),
        "chariotmaster.edition.lap": "a lap is {length} cm long: it must be {range}",
        "chariotmaster.edition.course": "the course between its lines is {length} cm long: it must be {range}",
        "chariotmaster.edition.runs-into-itself": (
            "the track runs into itself: their middles come within {distance} cm; keep them {wanted} cm apart"
        ),
        "chariotmaster.edition.left": "left",
        "chariotmaster.edition.right": "right",
        "chariotmaster.edition.beyond": "beyond",
        "chariotmaster.edition.before": "before",
        "chariotmaster.edition.turning": (
            "the track does not close: its arcs turn {degrees} degrees to the {side} in all, "
            "and must turn 360 to one side"
        ),
        "chariotmaster.edition.not-closing": (
            "the track does not close: it ends {along} cm {direction} and {aside} cm to the {side} of its beginning"
        ),
        "chariotmaster.edition.not-an-obstacle": "{text} is not an obstacle: it must be written like {form}",
        "chariotmaster.edition.obstacle-place": "at {word}: it must be 0 to {most} cm along the centre line",
        "chariotmaster.edition.obstacle-offset": (
            "offset {word}: it must be a length in cm with at most two decimals, to the left positive"
        ),
        "chariotmaster.edition.obstacle-size": ("size {word}: both sides must be {range}, with at most one decimal"),
        "chariotmaster.edition.obstacle-heading": (
            "heading {word}: it must be -180 to 180 degrees, with at most one decimal"
        ),
        "chariotmaster.edition.obstacle-value": "value {word}: it must be a whole number, {range}",
        "chariotmaster.edition.obstacle-sticks-out": (
            "it sticks {over} cm out of the track: its offsets must stay within {most} cm"
        ),
        "chariotmaster.edition.obstacle-at-end": "it stands in the end of the course: put it between 0 and {length} cm",
        "chariotmaster.edition.obstacle-at-start": "it stands where the chariots start: keep {reach} free",
        "chariotmaster.edition.obstacles-too-near": (
            "it stands too near to obstacle {other}: keep them {apart} cm apart"
        ),
        "chariotmaster.edition.no-way-past": "no way leads past it: leave {wanted} cm free between obstacles and edges",
    },
    say_common,
)
