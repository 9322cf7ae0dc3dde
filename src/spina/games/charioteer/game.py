"""The `Game` object of Charioteer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

from spina.errors import IllegalAction, OptionError
from spina.games.charioteer.bots.features import FEATURES, measure_features
from spina.games.charioteer.bots.learned import DRIVERS, POLICY
from spina.games.charioteer.bots.levels import FROZEN_LEVELS, LEVELS
from spina.games.charioteer.components.edition import FILES, CharioteerEdition
from spina.games.charioteer.pictures import board, terminal_board
from spina.games.charioteer.play import actions, events, explanation, narrator, offer, positions, reasons
from spina.games.charioteer.play import view as seeing
from spina.games.charioteer.play.places import Places
from spina.games.charioteer.play.refusals import say
from spina.games.charioteer.rules import entries as rules
from spina.games.charioteer.rules.record import COLOUR_NAMES, RACE, SEATS, STEPS
from spina.games.choice_reasons import Reason
from spina.games.editions import Edition
from spina.games.encoding import Encoding
from spina.games.game import Action, Event, Game, Placed, Scene
from spina.games.mapping_struct import Fields
from spina.games.studies.profile import LabProfile
from spina.games.web_files import WebFiles
from spina.kernel.record import Bytes, look


def _own(edition: Edition) -> CharioteerEdition:
    if not isinstance(edition, CharioteerEdition):
        raise OptionError(say("option.other-game", found=edition.game, game="charioteer"))
    return edition


@cache
def _layout(edition: CharioteerEdition) -> board.Layout:
    return board.layout(edition.spaces, edition.outer, edition.start)


class Charioteer(Game):
    """Cards, simultaneous secret choice, three laps, two to six players. By Matt Calkins."""

    name = "charioteer"
    title = "Charioteer"
    summary = "Cards and secret choices, three laps, 2 to 6 players; designed by Matt Calkins"
    seat_counts = range(2, SEATS + 1)
    rules = rules.RULES
    rules_version = 1
    record = RACE
    steps = STEPS
    longest_menu = STEPS
    features = FEATURES
    measure_features = staticmethod(measure_features)
    network = files(__package__) / "bots" / "weights.json"
    levels = LEVELS
    frozen_levels = FROZEN_LEVELS
    editions = FILES
    drivers = DRIVERS
    policy = POLICY
    blind_drivers = frozenset(DRIVERS)
    list_position = 1
    line_up = ("competent", "longest", "competent", "random")
    view_type = seeing.View
    offer_type = offer.Offer
    explanation_type = explanation.Breakdown
    event_types = events.EVENTS
    places_type = Places
    pace = 0.15
    web = WebFiles(Path(__file__).parent / "web")
    lesson = Path(__file__).parent / "lesson" / "lesson.json"

    @cached_property
    def lab(self) -> LabProfile:
        from spina.games.charioteer.lab.profile import PROFILE

        return PROFILE

    @cached_property
    def encoding(self) -> type[Encoding]:
        from spina.games.charioteer.encoding.observation import CharioteerEncoding

        return CharioteerEncoding

    def units(self, edition: Edition) -> Mapping[str, float]:
        own = _own(edition)
        return {"to go": own.laps * own.spaces, **dict.fromkeys(COLOUR_NAMES, own.skill_spaces + 1)}

    def action(self, edition: Edition, code: int) -> Action:
        return actions.step(_own(edition), code)

    def read(self, edition: Edition, text: str) -> Action:
        return actions.read(_own(edition), text)

    def encode(self, race: Bytes, edition: Edition, seat: int, action: Action) -> list[int]:
        own = _own(edition)
        if isinstance(action, actions.Choice):
            return explanation.steps_of(race, own, seat, action)
        if not isinstance(action, actions.Step):
            raise IllegalAction(say("charioteer.not-an-action", name=type(action).__name__))
        code = actions.step_code(own, action)
        if rules.check(race, own.data, seat, code) != rules.OK:
            raise IllegalAction(
                say("charioteer.not-possible", action=action), explanation.possible_now(race, own, seat)
            )
        return [code]

    def gather(self, edition: Edition, steps: Sequence[Action]) -> Action:
        return actions.gather(_own(edition), steps)

    def starts_over(self, action: Action) -> bool:
        return isinstance(action, actions.Choice)

    def event(self, edition: Edition, row: Sequence[int]) -> Event:
        return events.decode(_own(edition), [row])[0]

    def decode_events(self, edition: Edition, rows: Sequence[Sequence[int]]) -> list[Event]:
        return events.decode(_own(edition), rows)

    def view(self, race: Bytes, edition: Edition, seat: int | None) -> seeing.View:
        return seeing.view(race, _own(edition), seat)

    def views(self, race: Bytes, edition: Edition, viewers: Sequence[int | None]) -> list[seeing.View]:
        return seeing.views(race, _own(edition), viewers)

    def explain(self, race: Bytes, edition: Edition, seat: int, action: Action) -> explanation.Breakdown:
        if not isinstance(action, actions.Choice):
            raise IllegalAction(say("charioteer.only-choices-explained"))
        return explanation.explain(race, _own(edition), seat, action)

    def reasons(self, race: Bytes, edition: Edition, seat: int, action: Action, other: Action) -> list[Reason]:
        if not isinstance(action, actions.Choice) or not isinstance(other, actions.Choice):
            return []  # steps of a choice that is being made have no outcome yet
        return reasons.reasons(race, _own(edition), seat, action, other)

    def offer(self, race: Bytes, edition: Edition, seat: int) -> offer.Offer:
        return offer.offer(race, _own(edition), seat)

    def sentence(self, event: Event, names: Sequence[str]) -> str:
        return narrator.sentence(event, names)

    def heading(self, view: Fields, width: int, colour: bool) -> list[str]:
        return narrator.heading(view, width, colour)

    def story(self, events: Sequence[Event], names: Sequence[str], width: int, colour: bool) -> list[str]:
        return narrator.story(events, names, width, colour)

    def components(self, edition: Edition) -> str:
        return narrator.components(_own(edition))

    def draw(self, race: Bytes, edition: Edition, names: Sequence[str], colour: bool) -> str:
        return terminal_board.draw(self.view(race, edition, None), _own(edition), names, colour)

    def picture(self, race: Bytes, edition: Edition, names: Sequence[str]) -> str:
        own = _own(edition)
        view = seeing.view(race, own, None)
        finish = own.laps * own.spaces
        chariots = [
            board.Chariot(
                seat=c["seat"],
                name=names[c["seat"]],
                space=c["space"],
                lane=c["lane"],
                lap=0 if c["progress"] < 0 else c["lap"],
                place=c["place"],
                damage=c["damage"],
                finished=c["progress"] >= finish,
            )
            for c in view["chariots"]
        ]
        crowd = [board.card(name) for name in view["crowd"]]
        return board.race_svg(_layout(own), chariots, laps=own.laps, die=view["emperor"], crowd=crowd)

    def travels(self, edition: Edition, told: Sequence[Event]) -> list[tuple[str, float, float, float]]:
        place = _layout(_own(edition))
        return [
            (f"chariot-{e.seat}", *place.spot(e.space, e.lane, e.lane + 1))
            for e in told
            if isinstance(e, events.Stepped)
        ]

    def board(self, edition: Edition, scenario: str | None = None) -> str:
        if scenario is not None:
            raise OptionError(say("option.other-board", title=self.title, scenario=repr(scenario)))
        own = _own(edition)
        return board.board_svg(_layout(own), laps=own.laps)

    def scene(self, edition: Edition, options: Mapping[str, Any]) -> Scene:
        own = _own(edition)
        figures = {
            "laps": own.laps,
            "attack_boxes": own.attack_boxes,
            "skill_bonuses": own.skill_bonuses,
            "skill_spaces": own.skill_spaces,
        }
        return Scene(self.board(edition), {**_layout(own).coordinates(), **figures})

    def completed(self, data: dict[str, Any], edition: Edition) -> dict[str, Any]:
        return positions.with_first_lanes(data, _own(edition))

    def position(self, data: Mapping[str, Any], edition: Edition) -> Placed:
        race = positions.position(data, _own(edition))
        return Placed(race, int(look(race, RACE).seats), {})


GAME = Charioteer()
