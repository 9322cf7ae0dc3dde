"""The server's metrics in Prometheus format. Only this module imports the Prometheus client.

No label holds anything about a person, a table or an address: a route is its template (`/l/{secret}`). Labels have a
fixed set of values, so that requests cannot make the number of time series grow.
"""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    Info,
    Metric,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from spina import __version__
from spina.table.instrumentation import Instrumentation

CONTENT_TYPE = CONTENT_TYPE_LATEST
SERVER_ERROR = 500
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""Methods with a label of their own; all others share one."""
CHOICE_BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
COMMIT_BUCKETS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1.0, 5.0, 30.0)
REQUEST_BUCKETS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0)
THOUGHT_BUCKETS = (0.005, 0.02, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0)


class Metrics(Instrumentation):
    """The metrics of one application, with a registry of its own."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)
        GCCollector(registry=registry)
        Info("spina", "Version of Spina.", registry=registry).info({"version": __version__})
        self._choices = Counter(
            "spina_choices",
            "Choices that were published, by game and by who made them.",
            ("game", "seat"),
            registry=registry,
        )
        self._choice_seconds = Histogram(
            "spina_choice_seconds",
            "Time from the arrival of a choice until it is stored and published.",
            ("seat",),
            buckets=CHOICE_BUCKETS,
            registry=registry,
        )
        self._commit_seconds = Histogram(
            "spina_store_commit_seconds",
            "Duration of a transaction of the database's writer.",
            buckets=COMMIT_BUCKETS,
            registry=registry,
        )
        self._writes = Counter("spina_store_writes", "Writes; several share a transaction.", registry=registry)
        self._requests = Counter(
            "spina_http_requests",
            "Requests that were answered, by route, method and class of the status.",
            ("route", "method", "status"),
            registry=registry,
        )
        self._request_seconds = Histogram(
            "spina_http_request_seconds",
            "Time to answer a request; requests that wait for news are among them.",
            ("route",),
            buckets=REQUEST_BUCKETS,
            registry=registry,
        )
        self._thought_seconds = Histogram(
            "spina_thought_seconds",
            "Time that a worker takes for a bot's choice or for advice.",
            ("kind",),
            buckets=THOUGHT_BUCKETS,
            registry=registry,
        )
        self._thought_waits = Histogram(
            "spina_thought_wait_seconds",
            "Time that a question waits for a worker.",
            ("kind",),
            buckets=THOUGHT_BUCKETS,
            registry=registry,
        )
        self._errors = Counter(
            "spina_errors",
            "Errors in Spina's log (source log), and answers with a status of 500 or above (source response).",
            ("source",),
            registry=registry,
        )
        # Looking up the child of some labels takes longer than incrementing it.
        self._in_log, self._in_responses = self._errors.labels("log"), self._errors.labels("response")
        self._choice_seconds_by = {bot: self._choice_seconds.labels(_seat(bot)) for bot in (True, False)}
        self._thought_seconds_of = {quick: self._thought_seconds.labels(_kind(quick)) for quick in (True, False)}
        self._thought_waits_of = {quick: self._thought_waits.labels(_kind(quick)) for quick in (True, False)}
        self._choices_of: dict[tuple[str, bool], Counter] = {}
        self._requests_to: dict[tuple[str, str, int], Counter] = {}
        self._request_seconds_to: dict[str, Histogram] = {}

    # --- what the server reports

    def choice(self, game: str, *, by_bot: bool, seconds: float) -> None:
        counter = self._choices_of.get((game, by_bot))
        if counter is None:
            counter = self._choices_of[game, by_bot] = self._choices.labels(game, _seat(by_bot))
        counter.inc()
        self._choice_seconds_by[by_bot].observe(seconds)

    def commit(self, writes: int, seconds: float) -> None:
        self._writes.inc(writes)
        self._commit_seconds.observe(seconds)

    def thought(self, seconds: float, *, quick: bool) -> None:
        self._thought_seconds_of[quick].observe(seconds)

    def thought_waited(self, seconds: float, *, quick: bool) -> None:
        self._thought_waits_of[quick].observe(seconds)

    def request(self, route: str, method: str, status: int, seconds: float) -> None:
        key = (route, method if method in METHODS else "other", status // 100)
        counter = self._requests_to.get(key)
        if counter is None:
            counter = self._requests_to[key] = self._requests.labels(route, key[1], f"{key[2]}xx")
        counter.inc()
        histogram = self._request_seconds_to.get(route)
        if histogram is None:
            histogram = self._request_seconds_to[route] = self._request_seconds.labels(route)
        histogram.observe(seconds)
        if status >= SERVER_ERROR:
            self._in_responses.inc()

    @contextlib.contextmanager
    def counting_log_errors(self) -> Iterator[None]:
        """Count the errors in the log of Spina while the body runs."""
        log = logging.getLogger("spina")
        handlers: list[logging.Handler] = [_ErrorCount(self._in_log)]
        if not log.hasHandlers() and logging.lastResort is not None:
            handlers.append(logging.lastResort)  # Python uses it only where there is no other handler
        for handler in handlers:
            log.addHandler(handler)
        try:
            yield
        finally:
            for handler in handlers:
                log.removeHandler(handler)

    # --- what is read when metrics are asked for

    def gauge(self, name: str, help: str, value: Callable[[], float]) -> None:
        """Add a gauge whose value is read for each scrape, in a thread."""
        Gauge(name, help, registry=self.registry).set_function(value)

    def memory_of(self, name: str, help: str, pids: Callable[[], Sequence[int]]) -> None:
        """Add a gauge of the resident memory of other processes together; it is left out where it is not known."""
        self.registry.register(_Memory(name, help, pids))

    def page(self) -> bytes:
        """All metrics in the text format of Prometheus."""
        return generate_latest(self.registry)


def _seat(by_bot: bool) -> str:
    return "bot" if by_bot else "person"


def _kind(quick: bool) -> str:
    return "driver" if quick else "search"


class _ErrorCount(logging.Handler):
    def __init__(self, counter: Counter) -> None:
        super().__init__(logging.ERROR)
        self._counter = counter

    def emit(self, record: logging.LogRecord) -> None:
        self._counter.inc()


class _Memory(Collector):
    def __init__(self, name: str, help: str, pids: Callable[[], Sequence[int]]) -> None:
        self._name, self._help, self._pids = name, help, pids

    def collect(self) -> Iterable[Metric]:
        with contextlib.suppress(OSError, ValueError, AttributeError):  # only Linux has /proc
            pages = sum(_resident_pages(pid) for pid in self._pids())
            yield GaugeMetricFamily(self._name, self._help, pages * os.sysconf("SC_PAGE_SIZE"))


def _resident_pages(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (ProcessLookupError, FileNotFoundError, IndexError):
        if not Path("/proc/self/statm").exists():
            raise OSError from None
        return 0  # it has just ended
