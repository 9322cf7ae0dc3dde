"""The arena on Ray clusters of 1, 2 and 4 nodes on this machine, against local processes; one node is killed.

A node is a raylet with one CPU. `python -m bench.ray_nodes` starts one cluster after the other, on loopback and under a
token that ends with them, and removes everything afterwards. It needs Linux, as it reads /proc.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from bench.processes import family, free_port, kill
from bench.report import heading, measured, missed
from spina.lab.arena import Arena, hold
from spina.lab.executor import run as run_tasks
from spina.lab.ray_executor import LOOPBACK, STORE
from spina.lab.results import read

NODES = (1, 2, 4)
BOT = "hard"
"""Races against `competent`."""
RACES = 400
WARM = 1 / 3
"""Share of the races before the clock starts: by then every worker has loaded its kernels. A node is killed then."""
EMPTY = 600
"""Tasks without work, which show what a task costs."""
WORKERS = (4, 1000)
"""Numbers of workers for which such tasks are kept in flight, two for each."""
LIMIT = 900
"""Seconds after which everything is ended."""
STARTING, ENDING = 90.0, 20.0
"""Seconds that a cluster has to start and to end."""


class Cluster:
    """A Ray cluster in a session of its own. The process that holds it ends it when its input is closed."""

    def __init__(self, nodes: int, folder: Path) -> None:
        port, self._log = free_port(), folder / "log"
        self.address, self._port = f"ray://{LOOPBACK}:{port}", port
        settings = {
            "RAY_TMPDIR": str(folder),
            "RAY_USAGE_STATS_ENABLED": "0",
            "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # Ray then keeps to loopback, on all systems
            "PYTHONPATH": os.pathsep.join([os.getcwd(), *filter(None, sys.path)]),
        }
        command = [sys.executable, "-m", "bench.ray_nodes", "--hold", str(nodes), "--port", str(port)]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=log, stderr=log, env={**os.environ, **settings},
                start_new_session=True,
            )  # fmt: skip

    def wait_until_ready(self) -> None:
        until = time.monotonic() + STARTING
        while b"ready" not in self._log.read_bytes() or not self._listens():
            if self._process.poll() is not None or time.monotonic() > until:
                raise RuntimeError("the cluster did not start: " + self._log.read_text(errors="replace")[-2000:])
            time.sleep(0.1)

    def _listens(self) -> bool:
        with contextlib.suppress(OSError), socket.create_connection((LOOPBACK, self._port), 1):
            return True
        return False

    def kill_a_node(self) -> bool:
        """Kills a raylet with its workers, as a power cut would: one that is at work, and not the head's."""
        for number, process in family(self._process.pid).items():
            if "/raylet/raylet " in process.name and " --head" not in process.name:
                node = family(number)
                if any(one.name.startswith("ray::attempt") for one in node.values()):
                    kill(node)
                    return True
        return False

    def close(self) -> int:
        """Ends the cluster. Returns how many of its processes did not end by themselves and were killed."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        until = time.monotonic() + ENDING
        while (left := family(self._process.pid)) and time.monotonic() < until:
            self._process.poll()
            time.sleep(0.1)
        kill(left)
        self._process.wait()
        return len(left)


def hold_cluster(nodes: int, port: int) -> None:
    """Starts a cluster, and ends it when the standard input is closed."""
    from ray.cluster_utils import Cluster as RayCluster

    cluster, each = RayCluster(), {"node_ip_address": LOOPBACK, "num_cpus": 1, "object_store_memory": STORE}
    try:
        cluster.add_node(**each, include_dashboard=False, ray_client_server_port=port)
        for _ in range(nodes - 1):
            cluster.add_node(**each)
        print("ready", flush=True)
        sys.stdin.read()
    finally:
        cluster.shutdown()


@contextlib.contextmanager
def started(nodes: int) -> Iterator[Cluster]:
    with tempfile.TemporaryDirectory(prefix="spina-ray-", ignore_cleanup_errors=True) as folder:
        cluster = Cluster(nodes, Path(folder))
        try:
            cluster.wait_until_ready()
            yield cluster
        finally:
            left = cluster.close()
        measured(f"{nodes} nodes: processes that did not end with the cluster", str(left), "0", left == 0)


class Sample(NamedTuple):
    """A moment of a study: the wall clock, finished tasks, and CPU seconds of workers, driver and everything else.

    The agents of Ray's nodes, which call themselves like workers, count among them.
    """

    at: float
    finished: int
    workers: float
    driver: float
    others: float


def sample(finished: int) -> Sample:
    mine = family(os.getpid())
    workers = sum(one.seconds for one in mine.values() if one.name.startswith("ray::") or "spawn_main" in one.name)
    driver, every = mine[os.getpid()].seconds, sum(one.seconds for one in mine.values())
    return Sample(time.perf_counter(), finished, workers, driver, every - workers - driver)


def study(path: Path, arena: Arena, when_warm: Callable[[], object], **where: Any) -> tuple[Any, list[Sample]]:
    """Holds the arena. Returns its results without the times of thinking, and three samples: begun, warm, over."""
    samples: list[Sample] = []

    def watch(there: int, total: int) -> None:
        if not samples or there == total:
            samples.append(sample(there))
        elif len(samples) == 1 and there >= WARM * total and when_warm() is not False:
            samples.append(sample(there))

    hold(arena, path, watch=watch, **where)
    return read(path).table.drop_columns(["seconds"]), samples


def row(what: str, samples: list[Sample], base: float | None = None) -> float:
    """Prints a line of the table. Returns the CPU seconds a race in the steady state, of all processes."""
    begun, warm, over = samples
    races = over.finished - warm.finished
    workers, driver, others = ((over[part] - warm[part]) / races for part in (2, 3, 4))
    whole = (sum(over[2:]) - sum(begun[2:])) / over.finished
    spent = workers + driver + others
    print(
        f"        {what:<14} {races / (over.at - warm.at):>8.2f} {workers:>9.3f} {driver:>9.4f} {others:>9.4f}"
        f" {'' if base is None else f'{spent / base - 1:+.1%}':>9} {whole:>9.3f} {over.at - begun.at:>8.1f}",
        flush=True,
    )
    return spent


def compare(what: str, here: Any, there: Any, samples: list[Sample], met: bool = True) -> None:
    """Reports whether every race came once, and with the same state hash as on local processes."""
    came, races = samples[-1].finished, here.num_rows
    same = sum(one == other for one, other in zip(here["hash"].to_pylist(), there["hash"].to_pylist(), strict=False))
    met = met and here.equals(there) and came == races == len(set(there["race"].to_pylist()))
    measured(what, f"{same} of {races}, {came} came", "all", met)


def empty_tasks(cluster: Cluster, workers: int) -> None:
    """Prints what a task costs besides its work, with tasks for this many workers in flight."""
    samples = [
        sample(number) for number, _ in enumerate(_results(cluster, workers), 1) if number in (EMPTY // 5, EMPTY)
    ]
    warm, over = samples
    driver, others = (1000 * (over[part] - warm[part]) / (over.finished - warm.finished) for part in (3, 4))
    rate = (over.finished - warm.finished) / (over.at - warm.at)
    print(
        f"        empty tasks, as for {workers:>5,} workers: {rate:,.0f} tasks/s;"
        f" CPU a task: driver {driver:.2f} ms, head and nodes without workers {others:.2f} ms"
    )


def _results(cluster: Cluster, workers: int) -> Iterator[Any]:
    return run_tasks(abs, range(EMPTY), on=cluster.address, processes=workers)


def run(races: int, nodes: tuple[int, ...], bot: str) -> None:
    """Measures, and compares the races. Raises TimeoutError after LIMIT seconds."""
    signal.signal(signal.SIGALRM, _too_late)
    signal.alarm(LIMIT)
    os.environ.update(RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=secrets.token_hex(32))  # the nodes inherit it
    heading(f"Ray: {races} races of Charioteer, {bot} against competent; nodes with one CPU each")
    print(f"        {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}. CPU seconds a race; whole: with the start\n")
    heads = ("races/s", "workers", "driver", "others", "Ray costs", "whole", "s in all")
    print(f"        {'':<14} {heads[0]:>8} " + " ".join(f"{head:>9}" for head in heads[1:6]) + f" {heads[6]:>8}")
    arena = Arena(game="charioteer", bots=(bot, "competent"), races=races, seed=17)
    with tempfile.TemporaryDirectory(prefix="spina-nodes-") as name:
        for count in nodes:
            here, samples = study(Path(name, f"here-{count}"), arena, lambda: None, processes=count)
            base = row(f"{count} processes", samples)
            with started(count) as cluster:
                there, samples = study(Path(name, f"ray-{count}"), arena, lambda: None, on=cluster.address)
                row(f"{count} nodes", samples, base)
                compare(f"{count} nodes: the same races", here, there, samples)
                if count > 1 and count == max(nodes):
                    for workers in WORKERS:
                        empty_tasks(cluster, workers)
                    there, samples = study(Path(name, "killed"), arena, cluster.kill_a_node, on=cluster.address)
                    print(f"        {count} nodes, one killed: {samples[-1].at - samples[0].at:.1f} s in all")
                    compare("one node killed: the same races", here, there, samples, len(samples) == 3)
    signal.alarm(0)


def _too_late(*_: object) -> None:
    raise TimeoutError(f"not finished after {LIMIT} seconds")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--races", type=int, default=RACES)
    parser.add_argument("--bot", default=BOT)
    parser.add_argument("--nodes", type=int, nargs="+", default=NODES)
    parser.add_argument("--hold", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.hold:
        hold_cluster(asked.hold, asked.port)
    else:
        run(asked.races, tuple(asked.nodes), asked.bot)
        sys.exit(bool(missed()))
