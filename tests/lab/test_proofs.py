"""Proofs: races that chose nothing, in seed ranges that are used once; unfinished ones go on from a copy."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spina
from spina.cli import main
from spina.errors import OptionError, SpinaError
from spina.kernel.random import nth_seeds
from spina.lab import arena, balance, ladder, proof_seeds, proofs, training, tuning
from spina.lab.arena import Arena, enter_proof, hold
from spina.lab.code_digest import code_digest
from spina.lab.proof_seeds import FIRST, RANGE, RANGES, STEP, WORDS
from spina.lab.recheck import recheck
from spina.lab.results import ResultsError, read, together
from spina.simulation import MOST_RACES

Capture = pytest.CaptureFixture[str]

PAIR = Arena(game="charioteer", bots=("competent", "longest"), races=24)
LINES = ["lab", "arena", "charioteer", "--bots", "competent,longest", "--processes", "1"]


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# --- two domains of seeds -------------------------------------------------------------------------------------------


def unmixed(seed: int) -> int:
    """The inverse of SplitMix64's output function, so that its arguments can be compared."""
    seed ^= (seed >> 31) ^ (seed >> 62)
    seed = seed * pow(0x94D049BB133111EB, -1, WORDS) % WORDS
    seed ^= (seed >> 27) ^ (seed >> 54)
    seed = seed * pow(0xBF58476D1CE4E5B9, -1, WORDS) % WORDS
    return seed ^ (seed >> 30) ^ (seed >> 60)


def race_position(race_seed: int) -> int:
    """The only position on the cycle whose race has this seed."""
    return unmixed(race_seed) * pow(STEP, -1, WORDS) % WORDS


@pytest.mark.parametrize("seed", [0, 1, 77, 2**64 - 1, proof_seeds.seed_of(1), proof_seeds.seed_of(RANGES)])
def test_the_race_seed_tells_the_position_so_different_positions_are_different_races(seed: int) -> None:
    numbers = np.array([0, 1, 2, 1000, RANGE - 1], np.uint64)
    for number, race_seed in zip(numbers.tolist(), nth_seeds(seed, numbers).tolist(), strict=True):
        assert race_position(race_seed) == (proof_seeds.position(seed) + number + 1) % WORDS


def test_proof_ranges_follow_each_other_without_overlap() -> None:
    assert proof_seeds.positions(1, 5) == (FIRST + 1, FIRST + 5)
    for proof in (1, 2, 500, RANGES - 1):
        assert proof_seeds.positions(proof, RANGE)[1] + 1 == proof_seeds.positions(proof + 1, 1)[0]
    assert proof_seeds.positions(RANGES, RANGE)[1] == FIRST + RANGE * RANGES < WORDS


def test_seeds_outside_of_the_proofs_have_no_race_of_one() -> None:
    """Compared by positions, and for some by every race's own seed."""
    last = FIRST + RANGE * RANGES
    for seed in (*range(2000), 7_919, 2**32, 2**64 - 1):
        proof_seeds.check_free(seed, MOST_RACES)
        begin = proof_seeds.position(seed)
        assert begin >= last or begin + MOST_RACES <= FIRST or begin + MOST_RACES >= WORDS
    of_proof = set(nth_seeds(proof_seeds.seed_of(1), np.arange(5000, dtype=np.uint64)).tolist())
    for seed in range(20):
        assert of_proof.isdisjoint(nth_seeds(seed, np.arange(5000, dtype=np.uint64)).tolist())
    assert all(not FIRST < race_position(seed) <= last for seed in range(20_000)), "races of spina.new(seed=small)"


@pytest.mark.parametrize(
    ("begin", "races", "proof"),
    [
        (FIRST, 1, 1),
        (FIRST - 1, 1, None),
        (FIRST - 1, 2, 1),
        (FIRST - 10, 10, None),
        (FIRST - 10, 11, 1),
        (FIRST + RANGE - 1, 1, 1),
        (FIRST + RANGE, 1, 2),
        (FIRST + RANGE * RANGES - 1, 1, RANGES),
        (FIRST + RANGE * RANGES, 10**8, None),
    ],
)
def test_a_study_that_touches_a_range_by_one_race_is_found(begin: int, races: int, proof: int | None) -> None:
    assert proof_seeds.proof_with(STEP * begin % WORDS, races) == proof


def test_studies_that_choose_something_refuse_the_seeds_of_proofs() -> None:
    seed = proof_seeds.seed_of(7)
    message = "belongs to proof range 7, whose races must choose nothing"
    target = tuning.read_target("charioteer", "turns=20..26")
    with pytest.raises(OptionError, match=message):
        tuning.search("charioteer", "", [target], [], races=10, seed=seed)
    with pytest.raises(OptionError, match=message):
        tuning.search("charioteer", "", [target], [], races=10, seed=seed - tuning.NEW_SEED)
    with pytest.raises(OptionError, match=message):
        balance.tasks("charioteer", 10, seed, seats=(4,))
    with pytest.raises(OptionError, match=message):
        training.examples("charioteer", 4, 10, seed)
    with pytest.raises(OptionError, match=message):
        hold(Arena(game="charioteer", bots=PAIR.bots, races=24, seed=seed), "out.parquet", processes=0)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"seed": 2}, "leave out the seed 2, or compare without proof"),
        ({"proof": 0}, "numbers 1 to 1,048,576, not 0"),
        ({"proof": True}, "numbers 1 to 1,048,576, not true"),
        ({"races": RANGE + 4}, "at most 1,048,576 races"),
    ],
)
def test_a_proof_that_cannot_be_is_refused(given: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=message):
        hold(Arena(**{"game": "charioteer", "bots": PAIR.bots, "races": 24, "proof": 1, **given}), "out.parquet")
    assert list(tmp_path.iterdir()) == []


# --- each range once ------------------------------------------------------------------------------------------------


def entered(study: dict[str, Any], **given: Any) -> int:
    return proofs.enter({"study": "arena", **study}, races=10, **{"code": "a", **given}).proof


def test_a_study_keeps_its_range_and_another_one_gets_the_next() -> None:
    assert entered({"bots": ["a", "b"]}) == 1
    assert entered({"bots": ["a", "c"]}) == 2
    assert entered({"bots": ["a", "b"]}) == 1
    assert entered({"bots": ["a", "b"]}, number=1) == 1
    assert entered({"bots": ["a", "d"]}, number=40) == 40
    assert entered({"bots": ["a", "e"]}) == 41


def test_a_range_of_another_study_is_refused_and_the_difference_named() -> None:
    entered({"bots": ["a", "b"]}, file="one-{proof}.parquet")
    said = r'range 1 has been used by another study, whose bots is \["a","b"\] \(one-1.parquet\); .* take --proof 2,'
    with pytest.raises(OptionError, match=said):
        entered({"bots": ["a", "c"]}, number=1)


def test_changed_bots_get_a_new_range_unless_they_race_as_they_did(tmp_path: Path) -> None:
    register = tmp_path / "proofs.json"
    entered({}, file="out.parquet")
    assert entered({}, code="b") == 2, "there are no results that could be compared"
    with pytest.raises(OptionError, match="by the same study with other code: its outcome was known"):
        entered({}, code="c", number=1)
    (tmp_path / "out.parquet").touch()
    assert entered({}, code="c", unchanged=lambda _: False) == 3
    asked: list[Path] = []
    assert entered({}, code="d", number=1, unchanged=lambda file: not asked.append(file)) == 1
    assert asked == [Path("out.parquet")]
    assert proofs.load(register)[0].code == ["a", "d"]
    assert entered({}, code="d", unchanged=lambda _: pytest.fail("it is known to race the same")) == 1


def test_the_register_of_a_repository_lies_beside_its_results(tmp_path: Path) -> None:
    (tmp_path / "bench" / "results").mkdir(parents=True)
    entered({}, file="bench/results/out.parquet")
    (found,) = proofs.load(tmp_path / "bench" / "results" / "proofs.json")
    assert found.file == "out.parquet" and found.positions == (FIRST + 1, FIRST + 10)
    assert proofs.place_of(found, proofs.default_register()) == Path("bench/results/out.parquet")
    assert [file.name for file in (tmp_path / "bench" / "results").iterdir()] == ["proofs.json"], "and no lock"


@pytest.mark.parametrize("content", ["no json", "[1]", '[{"proof": 1}]'])
def test_a_file_that_is_no_register_is_not_overwritten(content: str) -> None:
    Path("proofs.json").write_text(content)
    with pytest.raises(SpinaError, match=r"proofs.json cannot be read as a register of proofs"):
        entered({})
    assert Path("proofs.json").read_text() == content


def test_a_range_that_two_branches_have_taken_is_noticed() -> None:
    entered({})
    said = json.loads(Path("proofs.json").read_text())
    Path("proofs.json").write_text(json.dumps(said * 2))
    with pytest.raises(SpinaError, match="lists proof range 1 twice"):
        entered({"bots": []})


def test_the_digest_of_the_code_changes_with_what_decides_races_and_with_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "spina"
    shutil.copytree(Path(spina.__file__).parent, home, ignore=shutil.ignore_patterns("web", "table", "__pycache__"))
    monkeypatch.setattr(spina, "__file__", str(home / "__init__.py"))
    module = sys.modules["spina.games.charioteer.game"]
    monkeypatch.setattr(module, "__file__", str(home / "games/charioteer/game.py"))
    before, with_lab = code_digest("charioteer"), code_digest("charioteer", studies=True)

    def changed(name: str, text: str) -> bool:
        file = home / name
        kept = file.read_bytes()
        file.write_bytes(kept + text.encode())
        try:
            return code_digest("charioteer") != before
        finally:
            file.write_bytes(kept)

    assert not changed("games/charioteer/bots/drivers.py", "\n# a comment\n")
    assert changed("games/charioteer/bots/drivers.py", "\nMORE = 1\n")
    assert changed("games/charioteer/bots/weights.json", "\n")
    assert changed("bots/search_kernel.py", "\nMORE = 1\n")
    assert not changed("games/chariotmaster/bots/drivers.py", "\nMORE = 1\n")
    assert not changed("games/charioteer/lab/claims.py", "\nMORE = 1\n")
    (home / "games/charioteer/lab/claims.py").write_text("MORE = 1\n")
    assert code_digest("charioteer", studies=True) != with_lab


# --- an arena as a proof --------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_proof_says_its_range_and_its_races_are_those_of_no_other_study() -> None:
    setting, out = enter_proof(PAIR)
    found = hold(setting, out, processes=0)
    assert found.description["proof"] == setting.proof == 1
    assert found.description["positions"] == [FIRST + 1, FIRST + 24]
    assert [race_position(seed) for seed in found.numbers("seed").tolist()] == list(range(FIRST + 1, FIRST + 25))
    assert "· proof range 1\n" in "\n".join(arena.lines(arena.standings(found)))
    again = spina.simulate(
        "charioteer", seats=4, races=1, drivers=found.table["bots"][7].as_py(), seed=proof_seeds.seed_of(1), first=7
    )
    assert again["hash"][0] == found.numbers("hash")[7]
    assert recheck(out, 24, processes=0).different == []
    with pytest.raises(OptionError, match="range 1 has been used by another study"):
        hold(Arena(game="charioteer", bots=("competent", "random"), races=24, proof=1), "other.parquet", processes=0)


@pytest.mark.slow
def test_a_proof_and_a_comparison_are_not_put_together_and_parts_are() -> None:
    setting, out = enter_proof(PAIR)
    whole = hold(setting, out, processes=0)
    hold(PAIR, "comparison.parquet", processes=0)
    hold(Arena(game="charioteer", bots=PAIR.bots, races=16, seed=2), "seed-2.parquet", processes=0)
    hold(Arena(game="charioteer", bots=("competent", "random"), races=24), "others.parquet", processes=0)
    for files in ([out, "comparison.parquet"], ["comparison.parquet", out]):
        with pytest.raises(ResultsError, match=f"{out} is a proof and comparison.parquet is not"):
            together(files)
    with pytest.raises(ResultsError, match=r"holds another study than comparison.parquet: its bots is"):
        together(["comparison.parquet", "others.parquet"])
    two = together(["comparison.parquet", "seed-2.parquet"])
    assert len(two) == two.description["races"] == 40 and two.description["seeds"] == [1, 2]
    assert "· seeds 1, 2\n" in "\n".join(arena.lines(arena.standings(two)))
    assert together([out, out]).numbers("hash").tolist() == whole.numbers("hash").tolist()


def stop_at(most: int) -> Any:
    def watch(there: int, _: int) -> None:
        if there >= most:
            raise KeyboardInterrupt

    return watch


@pytest.mark.slow
def test_an_unfinished_proof_goes_on_from_a_copy_of_register_and_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    setting, out = enter_proof(PAIR)
    hold(setting, "whole.parquet", processes=0)
    with pytest.raises(KeyboardInterrupt):
        hold(setting, out, processes=0, watch=stop_at(7))
    part = len(read(out))
    assert 7 <= part < 24 and not list(tmp_path.glob("*.journal"))
    clone = tmp_path / "clone"
    clone.mkdir()
    for name in ("proofs.json", out.name):
        shutil.copy(name, clone)
    monkeypatch.chdir(clone)
    again, place = enter_proof(PAIR)
    assert (again, place) == (setting, out)
    seen: list[int] = []
    whole = hold(again, place, processes=0, watch=lambda there, _: seen.append(there))
    assert seen[0] == part and len(whole) == 24
    assert whole.numbers("hash").tolist() == read(tmp_path / "whole.parquet").numbers("hash").tolist()


@pytest.mark.slow
def test_parts_of_two_machines_become_one_file_with_which_a_study_goes_on(capsys: Capture) -> None:
    setting, _ = enter_proof(PAIR)
    for name, most in (("one.parquet", 6), ("two.parquet", 12)):
        with pytest.raises(KeyboardInterrupt):
            hold(setting, name, processes=0, watch=stop_at(most))
    assert main(["lab", "standings", "one.parquet", "two.parquet", "--out", "both.parquet"]) == 0
    out = capsys.readouterr().out
    both = read("both.parquet")
    assert len(both) == len(read("two.parquet")) and f"{len(both)} of 24 races" in out
    seen: list[int] = []
    assert len(hold(setting, "both.parquet", processes=0, watch=lambda there, _: seen.append(there))) == 24
    assert seen[0] == len(both)


@pytest.mark.slow
def test_code_that_races_otherwise_does_not_go_on_with_a_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    setting, out = enter_proof(PAIR)
    with pytest.raises(KeyboardInterrupt):
        hold(setting, out, processes=0, watch=stop_at(7))
    monkeypatch.setattr(arena, "code_digest", lambda _: "another")
    assert enter_proof(PAIR, processes=0)[0].proof == 1, "its races come out as they did"
    monkeypatch.setattr(arena, "code_digest", lambda _: "a third")
    monkeypatch.setattr(arena, "recheck", lambda *_, **__: recheck(out, 1, processes=0).__class__(4, [0]))
    assert enter_proof(PAIR, processes=0)[0].proof == 2
    with pytest.raises(OptionError, match="same study with other code"):
        enter_proof(PAIR, number=1, processes=0)


@pytest.mark.slow
def test_the_ladder_is_a_proof_of_each_game(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(ladder, "entrants", lambda _: ("random", "longest", "competent"))
    given: dict[str, Any] = {"games": ["charioteer"], "races": 24, "processes": 1}
    found = ladder.climb(tmp_path / "there", **given)
    assert [file.name for file in (tmp_path / "there").iterdir()] == ["ladder-charioteer-proof-1.parquet"]
    assert "24 races of proof range 1, which no other study has." in ladder.page(found, "spina lab ladder")
    assert ladder.climb(tmp_path / "there", **given)["charioteer"].description["proof"] == 1, "all there"


# --- the commands ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_command_proves_once_and_finds_its_proof_again(capsys: Capture, tmp_path: Path) -> None:
    command = [*LINES, "--races", "24", "--proof"]
    assert main(command) == 0
    first = capsys.readouterr().out
    assert "· proof range 1\n" in first and first.endswith("All races: arena-charioteer-proof-1.parquet\n")
    assert main(command) == 0
    assert capsys.readouterr().out == first
    assert main([*LINES, "--races", "28", "--proof", "1"]) == 2
    assert "whose races is 24 (arena-charioteer-proof-1.parquet)" in capsys.readouterr().err
    assert sorted(file.name for file in tmp_path.iterdir()) == ["arena-charioteer-proof-1.parquet", "proofs.json"]


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ([*LINES, "--proof", "--seed", "3"], "leave out --seed, or compare without --proof"),
        ([*LINES, "--proof", "0"], "a whole number from 1 is needed"),
        ([*LINES, "--proof", "1048577"], "numbers 1 to 1,048,576"),
        ([*LINES[:4], "competent,nobody", "--proof"], 'no bot "nobody"'),
        (
            ["lab", "tune", "charioteer", "--proof"],
            "tuning chooses components by its races, so its races prove nothing",
        ),
        (["lab", "train", "charioteer", "--proof", "3"], "training learns from its races, so its races prove nothing"),
        (["lab", "balance", "charioteer", "--proof"], "editions are chosen by what balance shows"),
        (["lab", "claims", "charioteer", "--seed", "4"], "leave out --seed; --proof N names a range"),
        (["lab", "ladder", "--seed", "4"], "leave out --seed; --proof N names a range"),
        ([*LINES, "--minutes", "0"], "minutes, more than 0, are needed"),
    ],
)
def test_what_would_mix_proofs_and_tuning_is_refused(
    command: list[str], message: str, capsys: Capture, tmp_path: Path
) -> None:
    try:
        assert main(command) == 2
    except SystemExit as ended:
        assert ended.code == 2
    assert message in " ".join(capsys.readouterr().err.split())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_claims_are_measured_in_a_proof_range_and_come_out_the_same_again(capsys: Capture) -> None:
    assert main(["lab", "claims", "charioteer", "--races", "10", "--processes", "1"]) == 0
    first = capsys.readouterr().out
    assert first.startswith("Proof range 1, which no other study has.\n")
    assert main(["lab", "claims", "charioteer", "--races", "10", "--processes", "1"]) == 0
    assert capsys.readouterr().out == first
    assert main(["lab", "claims", "charioteer", "--races", "11", "--processes", "1"]) == 0
    assert capsys.readouterr().out.startswith("Proof range 2")


@pytest.mark.slow
def test_an_arena_stops_after_its_minutes_and_goes_on(capsys: Capture) -> None:
    command = [*LINES, "--races", "4000", "--proof", "--out", "out.parquet"]
    assert main([*command, "--minutes", "0.0001"]) == 0
    out, err = capsys.readouterr()
    assert "Stopped. The same command goes on from here.\n" in err
    there = len(read("out.parquet"))
    assert 0 < there < 4000 and f"· {there:,} of 4,000 races" in out
    assert main([*command, "--minutes", "0.0001"]) == 0
    assert there < len(read("out.parquet")) < 4000


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="there is no SIGTERM that a process can answer")
def test_sigterm_keeps_what_was_played(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "spina", *LINES, "--races", "60000", "--proof", "--out", "out.parquet"]
    environment = {**os.environ, "PYTHONPATH": str(Path(spina.__file__).parents[1])}
    journal = tmp_path / "out.parquet.journal"
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        while not journal.exists() or journal.stat().st_size == 0:
            assert run.poll() is None
            time.sleep(0.02)
        run.send_signal(signal.SIGTERM)
        out, err = run.communicate(timeout=60)
    assert (run.returncode, err) == (130, "Stopped. The same command goes on from here.\n")
    assert re.search(r"· [\d,]+ of 60,000 races", out)
    assert 0 < len(read(tmp_path / "out.parquet")) < 60_000 and not journal.exists()
