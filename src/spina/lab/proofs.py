"""The register of proofs: which study has used which proof range, so that each range is used once.

It is a JSON file that is kept in the repository beside the results. A study enters itself before its first race. The
same study finds its range again and goes on; another study, or the same one with changed bots, gets the next range. So
the register also tells how many proofs have been tried.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from spina.errors import OptionError, SpinaError
from spina.file_lock import wait_for_lock
from spina.lab import proof_seeds

FILE = "proofs.json"
RESULTS = Path("bench") / "results"
"""Where the repository keeps its results: if there is no such folder, the register is in the current one."""


class Proof(msgspec.Struct, kw_only=True):
    """A proof range that is in use."""

    proof: int
    positions: tuple[int, int]
    """The first and the last position of its races (`proof_seeds`)."""
    file: str | None = None
    """Its results, relative to the register; None for a study that keeps none."""
    code: list[str]
    """Digests of the code that raced it; more than one if a change was found to make no difference."""
    study: dict[str, Any]
    """What was raced."""

    @property
    def seed(self) -> int:
        """The study's seed: race n has the n-th seed that SplitMix64 gives for it."""
        return proof_seeds.seed_of(self.proof)


def default_register() -> Path:
    """The register that is used if none is named."""
    return RESULTS / FILE if RESULTS.is_dir() else Path(FILE)


def load(register: Path) -> list[Proof]:
    """All ranges in use, by number. Raises SpinaError for a file that is no register."""
    if not register.exists():
        return []
    try:
        found = msgspec.json.decode(register.read_bytes(), type=list[Proof])
    except (msgspec.MsgspecError, OSError) as error:
        raise SpinaError(f"{register} cannot be read as a register of proofs: {error}") from None
    numbers = [each.proof for each in found]
    twice = sorted(number for number in set(numbers) if numbers.count(number) > 1)
    if twice:
        raise SpinaError(
            f"{register} lists proof range {twice[0]} twice: two studies have the same races, so one of them must be "
            "raced again with another range"
        )
    return sorted(found, key=lambda each: each.proof)


def enter(
    study: Mapping[str, Any],
    *,
    races: int,
    code: str,
    number: int | None = None,
    register: Path | None = None,
    file: str | None = None,
    unchanged: Callable[[Path], bool] = lambda _: False,
) -> Proof:
    """The proof range of a study: the one that it has already, else the asked one, else the next.

    `study` holds in plain values what is raced, `code` the digest of the code that races it. `unchanged(file)` says of
    results that were raced by other code whether the present code races the same; then it is the same study.
    `file` is where its results go; "{proof}" in it stands for the number.
    Raises OptionError for a range that another study has used.
    """
    register = register or default_register()
    plain = msgspec.json.decode(msgspec.json.encode(study))
    if number is not None:
        proof_seeds.seed_of(number)
    same = {each.proof: _is_same(each, code, register, unchanged) for each in load(register) if each.study == plain}
    with _Locked(register) as held:
        known = {each.proof: each for each in held.proofs}
        following = max(known, default=0) + 1
        if number is None:
            number = max((proof for proof, unaltered in same.items() if unaltered), default=following)
        proof = known.get(number)
        if proof is not None and not same.get(number, False):
            raise OptionError(_used(proof, plain, following))
        if proof is None:
            kept = None
            if file is not None:
                kept = Path(os.path.relpath(file.replace("{proof}", str(number)), register.parent)).as_posix()
            proof = Proof(
                proof=number, positions=proof_seeds.positions(number, races), file=kept, code=[code], study=plain
            )
        elif code not in proof.code:
            proof.code.append(code)
        held.write({**known, number: proof})
    return proof


def place_of(proof: Proof, register: Path) -> Path:
    """Where the results of a proof are kept. Raises SpinaError for a study that keeps none."""
    if proof.file is None:
        raise SpinaError(f"proof range {proof.proof} belongs to a study that keeps no results")
    return Path(os.path.normpath(register.parent / proof.file))


def _is_same(proof: Proof, code: str, register: Path, unchanged: Callable[[Path], bool]) -> bool:
    """Whether the code that raced a proof races it still."""
    if code in proof.code:
        return True
    return proof.file is not None and place_of(proof, register).exists() and unchanged(place_of(proof, register))


def _used(proof: Proof, study: Mapping[str, Any], following: int) -> str:
    if proof.study == study:
        why = "by the same study with other code: its outcome was known when the code was changed"
    else:
        there, here = proof.study, study
        name = next(name for name in sorted({*there, *here}) if there.get(name) != here.get(name))
        said = msgspec.json.encode(there.get(name)).decode()
        why = f"by another study, whose {name.replace('_', ' ')} is {said[:80]}"
    where = f" ({proof.file})" if proof.file else ""
    return (
        f"proof range {proof.proof} has been used {why}{where}; each range is used once: take --proof {following}, "
        "or --proof without a number"
    )


class _Locked:
    """The register while no other process writes it."""

    def __init__(self, register: Path) -> None:
        self._path = register
        self._lock = register.with_name(f".{register.name}.lock")
        self._file = -1
        self.proofs: list[Proof] = []

    def __enter__(self) -> _Locked:
        while True:
            try:
                self._file = os.open(self._lock, os.O_RDWR | os.O_CREAT, 0o644)
            except OSError as error:
                raise SpinaError(f"{self._path} cannot be written: {error.strerror}") from None
            wait_for_lock(self._file)
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(self._file), self._lock.stat()):
                    break
            os.close(self._file)  # another process has just removed it
        try:
            self.proofs = load(self._path)
        except BaseException:
            self.__exit__()
            raise
        return self

    def write(self, proofs: Mapping[int, Proof]) -> None:
        """Replaces the content, unless it is the same."""
        ordered = [proofs[number] for number in sorted(proofs)]
        data = msgspec.json.format(msgspec.json.encode(ordered), indent=1) + b"\n"
        if self._path.exists() and self._path.read_bytes() == data:
            return
        beside = self._path.with_name(f".{self._path.name}.{os.getpid()}.new")
        try:
            beside.write_bytes(data)
            os.replace(beside, self._path)
        except OSError as error:
            raise SpinaError(f"{self._path} cannot be written: {error.strerror or error}") from None
        finally:
            beside.unlink(missing_ok=True)

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            self._lock.unlink()
        os.close(self._file)
