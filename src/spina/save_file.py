"""The file of a saved race: readable text, in which the secrets of a running race are sealed."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from spina import seal
from spina.errors import SaveError
from spina.kernel.random import LARGEST_SEED, LARGEST_SHORT_SEED
from spina.refusal_codes import say
from spina.typed_data import ready

FORMAT = 1
MOST_DIGITS = len(str(LARGEST_SEED))
LARGEST_FILE = 16 * 1024 * 1024


class Branch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A moment from which a race goes on otherwise: everything that one seat did not know was dealt anew."""

    actions: list[tuple[int, str]]
    """Seats and their choices up to that moment, in notation: from the origin, or from the branch before."""
    seat: int
    """The seat whose knowledge was kept."""
    seed: int
    """The seed of what was dealt anew."""


class Secrets(msgspec.Struct, forbid_unknown_fields=True):
    """What only the rules may know while the race runs."""

    origin: int | str | dict[str, Any]
    """The seed, or the position that the race began from. Seeds of more than 64 bits are written as text."""
    actions: list[tuple[int, str]]
    """Seats and their choices, in notation."""
    hashes: list[tuple[int, str]] = []
    """Pairs of the number of actions and the state's hash after them."""
    pending: list[tuple[int, str]] = []
    """Steps of choices that are not complete."""
    branches: list[Branch] | msgspec.UnsetType = msgspec.UNSET
    """Moments at which hidden information was dealt anew, in their order. `actions` are those after the last."""


class Saved(msgspec.Struct, forbid_unknown_fields=True):
    """A race in a file."""

    spina: int
    """Format of the file."""
    game: str
    rules: int
    """Version of the game's rules."""
    edition: str
    """Hash of the edition."""
    seats: int
    options: dict[str, Any]
    over: bool
    turn: int
    race: Secrets | None = None
    """The secrets in plain text, when the race is over."""
    sealed: str | None = None
    """The secrets, sealed, while the race runs."""
    edition_text: str | None = None
    """The text of the edition, unless it is the reference."""
    names: list[str] | msgspec.UnsetType = msgspec.UNSET
    """Names of those who raced, by seat, for races at tables."""


def write(saved: Saved, path: str | Path) -> None:
    """Write a race to a file, atomically."""
    _check_path(path)
    data = msgspec.json.format(msgspec.json.encode(saved), indent=1)
    target = Path(path)
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data + b"\n")
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, target)
        except BaseException:
            os.unlink(name)
            raise
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise SaveError(
            say("save.unwritable", path=path).reworded(f"the race cannot be saved to {path}: {why}")
        ) from None


def _check_path(path: object) -> None:
    if not isinstance(path, str | os.PathLike):
        raise SaveError(say("save.not-a-path", name=type(path).__name__))


def read(path: str | Path) -> Saved:
    """The contents of a saved race, not yet replayed."""
    _check_path(path)
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise SaveError(say("save.unreadable", path=path).reworded(f"{path} cannot be read: {why}")) from None
    if len(data) > LARGEST_FILE:
        raise SaveError(say("save.too-big", path=path, most=LARGEST_FILE >> 20))
    return parse(data, str(path))


def parse(data: bytes, name: str = "saved race") -> Saved:
    """Saved contents from bytes."""
    try:
        saved = msgspec.json.decode(data, type=ready(Saved))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise SaveError(say("save.not-a-race", name=name).reworded(f"{name} is not a saved race: {error}")) from None
    if saved.spina != FORMAT:
        raise SaveError(say("save.format", name=name, found=saved.spina, known=FORMAT))
    if (saved.race is None) == (saved.sealed is None):
        raise SaveError(say("save.parts", name=name))
    return saved


def written_seed(seed: int) -> int | str:
    """A seed for JSON: long ones as text, because many JSON readers do not accept such long numbers."""
    return seed if seed <= LARGEST_SHORT_SEED else str(seed)


def read_seed(written: int | str) -> int:
    """The seed that `written_seed` wrote. Raises SaveError."""
    if isinstance(written, str) and not (written.isascii() and written.isdigit() and len(written) <= MOST_DIGITS):
        raise SaveError(say("save.seed", written=ascii(written[:80])))
    return int(written)


def sealed(secrets: Secrets) -> str:
    """The secrets, unreadable without this user's key."""
    return seal.seal(msgspec.json.encode(secrets))


def unsealed(text: str) -> Secrets:
    """What was sealed. Raises SaveError."""
    try:
        return msgspec.json.decode(seal.open_seal(text), type=ready(Secrets))
    except msgspec.MsgspecError as error:
        raise SaveError(
            say("save.sealed-damaged").reworded(f"the sealed part of the saved race is damaged: {error}")
        ) from None
