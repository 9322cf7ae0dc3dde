"""Refusals of the table: codes, HTTP statuses and English sentences."""

from __future__ import annotations

from typing import Any

import msgspec

from spina.errors import SpinaError
from spina.refusal_codes import say as say_common
from spina.sentences import Catalogue, coded

STATUS = {
    "malformed": 400,
    "no-visitor": 401,
    "not-yours": 403,
    "wrong-origin": 403,
    "unknown": 404,
    "full": 409,
    "lesson": 409,
    "illegal": 409,
    "no-hints": 409,
    "not-now": 409,
    "not-started": 409,
    "other-rules": 409,
    "over": 409,
    "seated": 409,
    "stale": 409,
    "too-late": 409,
    "used": 410,
    "too-large": 413,
    "unknown-host": 421,
    "wrong": 422,
    "too-fast": 429,
    "too-many": 429,
    "failed": 503,
}
"""Every kind of refusal with its HTTP status, the same for pages and programs."""


class Coded(msgspec.Struct):
    """A sentence as its code and parameters: a page has words for `refused.CODE` in its language."""

    code: str
    parameters: dict[str, Any]


def sentence_code(sentence: str | None) -> Coded:
    """The code and parameters that a page is sent instead of a sentence."""
    return Coded(**coded(sentence))


class Refusal(SpinaError):
    """A request that the table refuses. `code` is its kind, for programs; `reason` the sentence.

    `retry`: seconds after which to retry, where they are known.
    """

    def __init__(self, code: str, reason: str, *, retry: int | None = None) -> None:
        self.code, self.reason, self.retry = code, str(reason), retry
        super().__init__(reason)

    @classmethod
    def of(cls, code: str, error: SpinaError) -> Refusal:
        """An error as a refusal of this kind, with the error's sentence."""
        return cls(code, error.said)

    @property
    def status(self) -> int:
        return STATUS[self.code]


say = Catalogue(
    {
        "table.malformed": "this is nothing that a table understands",
        "table.no-hint": "no bot can give a hint now",
        "table.http-error": "this request cannot be answered: {status}",
        "table.too-many-visitors": ("too many new visitors come from this address: try again in {retry} seconds"),
        "table.too-many-tables": "too many tables were set up from this address: try again in {retry} seconds",
        "table.no-visitor": "nobody is asking: show a token (POST /api/visitors gives one) or open a page",
        "table.colour": "a colour is a number from 0 to {last}, not {colour}",
        "table.clock": "a clock gives from {least} seconds to a week, not {seconds} seconds",
        "table.one-seat-is-yours": "one seat is yours; further people at this device take seats of the kind screen",
        "table.position-open": "a race from a position is for people at one device and bots: no seat can be open",
        "table.position-seed": "the table draws the seed itself: leave it out of the position",
        "table.position-seats": "the position is for {wanted} seats, not {count}",
        "table.position-options": "a position brings its options along: leave out those of the set-up",
        "table.branch-when-over": "a race can be tried again from one of its moments when it is over",
        "table.no-moment": "there is no moment {moment}: they are 0 to {last}",
        "table.no-lesson": "there is no lesson for {title}",
        "table.lesson-wrong": "the lesson asks for another choice here",
        "table.lesson-next": "this step of the lesson is done: go on to the next",
        "table.lesson-tells": "this step of the lesson asks for no choice: go on to the next",
        "table.lesson-not-done": "this step of the lesson asks for a choice first",
        "table.lesson-step": 'the lesson does not go on with "{step}"',
        "table.start-format": "the race begins from a position of format {found}; this version of Spina reads {known}",
        "table.start-unreadable": "it cannot be read where the race begins",
        "table.start-seats": "the race begins from a position for {seats} seats, or with other options",
        "table.tables-a-day": "a visitor may set up {most} tables a day",
        "table.started": "the race has started already",
        "table.seat-not-open": "seat {seat} is not open",
        "table.colour-taken": "somebody at the table has this colour already",
        "table.no-seat-open": "no seat is open any more",
        "table.seated": "you sit at this table already, on seat {seat}",
        "table.host-starts": "only whoever set up the table can start it early",
        "table.no-bot": 'there is no bot "{bot}"',
        "table.rematch-waits": "a rematch begins when everybody has accepted, or after a minute",
        "table.no-seat-of-yours": "you have no seat at this table",
        "table.rematch-not-yours": "only people who sat at the table can race again",
        "table.not-over": "the race is not over yet",
        "table.link-without-seat": "a link to a seat needs the number of the seat",
        "table.seat-not-yours-to-give": "seat {seat} is not yours to give",
        "table.invites": "only people at the table can invite others",
        "table.link-unknown": "this link leads nowhere: it may have been copied incompletely",
        "table.link-used": "this link has been used already: ask for a new one",
        "table.link-not-to-seat": "this link does not lead to a seat",
        "table.link-seat-gone": "the seat behind this link has been given to somebody else",
        "table.network-not-here": "only a person at the table's own machine can open it to the network",
        "table.network-none": "this machine has no address on a local network that the table could be opened to",
        "table.file-when-over": "a race can be taken away as a file when it is over",
        "table.seat-not-yours": "seat {seat} is not yours",
        "table.no-hints": "there are no hints at this table",
        "table.not-now": "seat {seat} owes no choice now",
        "table.person-is-back": "the person of this seat is back",
        "table.stale": "the race has gone on since: look again and choose",
        "table.number-of-actions": "between 1 and {most} actions are needed, not {count}",
        "table.others-wait": "other people take part, and would have to wait",
        "table.no-clock": "the clock of this seat does not run",
        "table.too-late": "the time for this choice has run out: it can no longer be taken back",
        "table.elsewhere": "the race has gone on elsewhere: look again",
        "table.not-started": "the race has not started: seats are still open",
        "table.shows-something-new": "{action} shows something new: what comes after it is chosen afterwards",
        "table.action-too-long": "an action is at most {most} letters long",
        "table.unknown": 'there is no table "{table}"',
        "table.other-rules": "the race was played by version {rules} of the rules, this is version {known}",
        "table.not-to-be-seen": "only people with a seat may see this race",
        "table.too-many-messages": "too many messages: wait a moment",
        "table.hint-under-way": "a hint is being thought about already",
        "table.query-number": "{name} must be a whole number, not {text}",
        "table.name-too-long": "a name has at most {most} letters, this one has {count}",
        "table.empty-line": "there is nothing to say in this line",
        "table.line-too-long": "a line has at most {most} letters, this one has {count}",
        "table.form-too-large": "a form has at most {most} bytes, this one has {count}",
        "table.form-unreadable": "this form cannot be read: it must be encoded as a browser does it",
        "table.colour-number": "a colour is a number from 0 to {last}",
        "table.language": "there is no such language: there are {known}",
        "table.away": "the database does not answer: ask again in a moment",
        "table.unknown-host": "this server does not go by that name: start it with --origin to allow it",
        "table.wrong-origin": "this request comes from another site",
        "table.too-many-bytes": "at most {most} bytes can be sent here",
        "table.too-many-requests": "too many requests: wait a moment",
        "table.too-large": "the request is too large",
        "table.too-much-work": "too much work was asked for from this address: wait a moment",
        "table.busy": "the server is busy: wait a moment",
        "table.not-invited": "only people who are invited may sit here",
        "table.too-many-hints": "too many hints at once: wait a moment",
        "table.analysis-when-over": "a race is analysed when it is over",
        "table.too-many-analyses": "too many races at once: wait a moment",
        "table.not-judged": "the race cannot be judged: the server's log says why",
    },
    say_common,
)
"""The table's refusals: English sentences by code."""
