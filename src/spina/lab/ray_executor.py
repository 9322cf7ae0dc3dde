"""A worker pool on Ray (https://www.ray.io): a cluster, or a private Ray on this machine."""

from __future__ import annotations

import os
import secrets
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import spina
from spina.errors import SpinaError
from spina.lab import executor
from spina.lab.executor import Outcome

STORE = 128 * 2**20
"""Bytes of shared memory for a local Ray: results are small, and are fetched at once."""
_PATIENCE = 60.0
"""Seconds in which a cluster must answer the first request."""
_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",  # no usage statistics are sent
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # Ray's future default; without it Ray warns
}
_TOKEN = secrets.token_hex(32)
"""Authenticates the processes of a local Ray to each other. Ray keeps the first token that it is given."""
LOOPBACK = "127.0.0.1"


class RayPool:
    """Workers on Ray, which replaces those that die and reports the tasks that were lost with them."""

    def __init__(self, function: Callable[[Any], Any], address: str | None, processes: int | None = None) -> None:
        settings = {**_QUIET, **(_private() if address is None else {})}
        self._where = address or "this machine"
        self._before = dict(os.environ)
        self._submitted: dict[Any, int] = {}
        self._folder: str | None = None
        os.environ.update(settings)
        try:
            self._ray = ray = _ray()
        except SpinaError:
            _restore(self._before)
            raise
        try:
            if address is None:
                self._folder = tempfile.mkdtemp(prefix="spina-ray-")  # sockets need a short name
                ray.init(
                    num_cpus=processes or executor.cores(),
                    include_dashboard=False,
                    object_store_memory=STORE,
                    log_to_driver=False,
                    logging_level="ERROR",
                    _node_ip_address=LOOPBACK,
                    _temp_dir=self._folder,
                )
            else:
                ray.init(address=address, log_to_driver=False, logging_level="ERROR")
        except BaseException as error:
            self.close()
            if not isinstance(error, Exception):  # Ctrl-C
                raise
            raise SpinaError(f"no Ray can be used on {self._where}: {executor.in_words(error)}") from error
        try:
            with self._reached():
                self.size = processes or max(1, int(ray.cluster_resources().get("CPU", 1)))
                self._check(address)
                self._attempt = ray.remote(num_cpus=1, max_retries=0)(executor.attempt)
                self._function = ray.put(function)
        except BaseException:
            self.close()
            raise

    def _check(self, address: str | None) -> None:
        """Raises SpinaError unless the workers of a cluster have the same version of Spina, and so the same races."""
        if address is None:
            return
        ray = self._ray
        try:
            found = ray.get(ray.remote(num_cpus=1)(_version).remote(), timeout=_PATIENCE)
        except Exception as error:
            raise SpinaError(f"the workers of {address} cannot use Spina: {executor.in_words(error)}") from error
        if found != spina.__version__:
            raise SpinaError(f"the workers of {address} have Spina {found}, and this is {spina.__version__}")

    @contextmanager
    def _reached(self) -> Iterator[None]:
        """Raises SpinaError if the cluster is gone. Ray itself has tried to reconnect for half a minute by then."""
        try:
            yield
        except ConnectionError as error:
            raise SpinaError(
                f"the Ray on {self._where} does not answer any more: its head has died or cannot be reached. "
                "Finished tasks are not lost: start the study again with another cluster, and it goes on from them"
            ) from error

    def submit(self, index: int, task: Any) -> None:
        with self._reached():
            self._submitted[self._attempt.remote(self._function, index, task)] = index

    def wait(self) -> list[Outcome]:
        with self._reached():
            ended, _ = self._ray.wait([*self._submitted], num_returns=1)
            return [self._outcome(reference) for reference in ended]

    def _outcome(self, reference: Any) -> Outcome:
        """How a task that has ended did."""
        ray, index = self._ray, self._submitted.pop(reference)
        try:
            outcome: Outcome = ray.get(reference)
            return outcome
        except ray.exceptions.RayTaskError as error:  # a result that cannot be pickled, or a missing module
            return Outcome(index, reason=executor.in_words(error.cause or error), details=str(error))
        except ray.exceptions.RayError:  # the worker, its machine or its result was lost
            return Outcome(index, lost=True)

    def close(self) -> None:
        self._submitted.clear()
        with suppress(Exception):
            self._ray.shutdown()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        _restore(self._before)


def _ray() -> Any:
    try:
        import ray
    except ImportError:
        raise SpinaError("Ray is not installed here: pip install 'spina[ray]'") from None
    if ray.is_initialized():
        raise SpinaError("this process uses a Ray already: end that first (ray.shutdown())")
    return ray


def _private() -> dict[str, str]:
    """Settings of a private Ray: it is reachable from this machine only, with a token, and leaves no files.

    Ray would keep a token for all local clusters in the user's home. A token that ends with this process is safer; an
    authentication mode that the user has set stays.
    """
    settings = {
        "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # read by Ray when imported: loopback only, on all systems
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),  # workers find the same modules
    }
    if "RAY_AUTH_MODE" not in os.environ:
        settings |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": _TOKEN}
    return settings


def _restore(before: dict[str, str]) -> None:
    """Restores the environment, which Ray changes too (it redirects breakpoints, for instance)."""
    for name in [name for name in os.environ if name not in before]:
        del os.environ[name]
    os.environ.update(before)


def _version() -> str:
    return spina.__version__
