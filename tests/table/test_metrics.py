"""Metrics: who gets them, and what they count."""

from __future__ import annotations

import json
import logging
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from serving_helpers import Server, race_on

from spina.table.http.health import Health, Monitoring
from spina.table.metrics import Metrics

ROOT = Path(__file__).parents[2]
DASHBOARD = ROOT / "docs" / "grafana-dashboard.json"
CHOICES = 30
"""Enough for several turns of a race."""


def read(server: Server) -> dict[str, dict[tuple[tuple[str, str], ...], float]]:
    """The value of every sample, by its name and labels."""
    found = server.ask("GET", "/metrics")
    assert found.status == 200
    samples: dict[str, dict[tuple[tuple[str, str], ...], float]] = {}
    for family in text_string_to_metric_families(found.text):
        for sample in family.samples:
            samples.setdefault(sample.name, {})[tuple(sorted(sample.labels.items()))] = sample.value
    return samples


def value(samples: Any, name: str, **labels: str) -> float:
    return float(samples.get(name, {}).get(tuple(sorted(labels.items())), 0.0))


# --- who gets them ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {"x-forwarded-for": "203.0.113.7"},
        {"x-forwarded-for": "127.0.0.1"},
        {"forwarded": "for=127.0.0.1"},
        {"x-real-ip": "127.0.0.1"},
        {"x-forwarded-proto": "https"},
        {"via": "1.1 proxy"},
    ],
)
def test_a_client_behind_a_proxy_gets_no_metrics(server: Server, headers: dict[str, str]) -> None:
    assert server.ask("GET", "/metrics").status == 200
    refused = server.ask("GET", "/metrics", headers=headers)
    assert refused.status == 404 and b"spina_" not in refused.body


@pytest.mark.parametrize(
    "host", ["races.example", "10.0.0.3:8000", "127.0.0.1.evil.example", "", "localhost.evil.example"]
)
def test_metrics_are_for_this_machines_own_name_only(server: Server, host: str) -> None:
    """A page of another site could point its own name to this machine, and read them."""
    refused = server.ask("GET", "/metrics", headers={"host": host})
    assert refused.status == 421 and b"spina_" not in refused.body
    for name in (f"localhost:{server.port}", "127.0.0.1", "[::1]", f"[::1]:{server.port}"):
        assert server.ask("GET", "/metrics", headers={"host": name}).status == 200, name


@pytest.mark.parametrize(
    ("client", "local", "answered"),
    [
        ("127.0.0.1", "127.0.0.1", True),
        ("::1", "::1", True),
        ("10.0.0.9", "10.0.0.3", False),
        ("10.0.0.9", "127.0.0.1", False),
    ],
)
def test_metrics_are_for_clients_on_this_machine(client: str, local: str, answered: bool) -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError("not called")

    scope = {
        "type": "http",
        "method": "GET",
        "path": "/metrics",
        "client": (client, 1),
        "server": (local, 8000),
        "headers": [(b"host", b"localhost:8000")],
    }
    health, metrics = Health(), Metrics()
    assert Monitoring(health, metrics, app)._answers(scope) is answered
    assert Monitoring(health, metrics, app, elsewhere=True)._answers(scope) is False
    assert Monitoring(health, metrics)._answers(scope) is True  # on an address of their own


# --- what they count --------------------------------------------------------------------------------------------------


def test_a_race_is_counted(server: Server) -> None:
    anna = server.visitor("Anna")
    before = read(server)
    table = anna.create("chariot-race", "me", "competent")
    with anna.open(table) as page:
        page.hear_of("welcome")
        assert value(read(server), "spina_sockets") >= 1
        assert race_on(anna, table, 0, choices=CHOICES)["status"] in ("running", "over")
    after = read(server)
    made = anna.played
    assert 0 < made <= CHOICES  # the race may end before

    def grown(name: str, **labels: str) -> float:
        return value(after, name, **labels) - value(before, name, **labels)

    assert grown("spina_choices_total", game="chariot-race", seat="person") == made
    assert grown("spina_choices_total", game="chariot-race", seat="bot") >= 1
    assert grown("spina_choice_seconds_count", seat="person") == made
    assert grown("spina_http_requests_total", route="/api/tables/{id}/play", method="POST", status="2xx") == made
    assert grown("spina_http_request_seconds_count", route="/api/tables/{id}/play") == made
    assert grown("spina_store_writes_total") >= grown("spina_store_commit_seconds_count") >= 1
    assert grown("spina_thought_seconds_count", kind="driver") >= 1
    assert grown("spina_thought_wait_seconds_count", kind="driver") >= 1
    assert value(after, "spina_rooms") >= 1 and value(after, "spina_bot_workers") == 1
    assert value(after, "spina_database_up") == 1
    assert 0 <= value(after, "spina_games_compiled_ratio") <= 1
    if sys.platform == "linux":
        assert value(after, "process_resident_memory_bytes") > 10**7
        assert value(after, "spina_bot_workers_resident_memory_bytes") > 10**6


def test_labels_have_a_fixed_set_of_values(server: Server) -> None:
    """No path, no query and no method that a client makes up becomes a time series."""
    for path in ("/made-up-1", "/made-up-2/x", "/l/made-up-secret", "/t/madeuptable?made-up=1", "/static/made-up.js"):
        server.ask("GET", path)
    server.ask("PROPFIND", "/")
    samples = read(server)
    assert "made" not in str(samples)
    routes = {dict(labels)["route"] for labels in samples["spina_http_requests_total"]}
    assert {"none", "/l/{secret}", "/t/{id}"} <= routes
    assert {dict(labels)["method"] for labels in samples["spina_http_requests_total"]} <= {
        "GET",
        "HEAD",
        "POST",
        "other",
    }
    names = {name for by_name in samples.values() for labels in by_name for name, _ in labels}
    own = {"route", "method", "status", "game", "seat", "kind", "source", "le", "version"}
    assert names <= own | {"generation", "implementation", "major", "minor", "patchlevel"}


def test_errors_are_counted_in_the_log_and_in_answers() -> None:
    metrics, other = Metrics(), Metrics()  # each application has its own
    log = logging.getLogger("spina.table.somewhere")

    def errors(of: Metrics, source: str) -> float:
        return of.registry.get_sample_value("spina_errors_total", {"source": source}) or 0.0

    with metrics.counting_log_errors():
        log.warning("no error")
        log.error("an error")
        logging.getLogger("elsewhere").error("not ours")
    log.error("an error after the end")
    for status in (200, 404, 500, 503):
        metrics.request("/", "GET", status, 0.01)
    assert (errors(metrics, "log"), errors(metrics, "response")) == (1, 2)
    assert (errors(other, "log"), errors(other, "response")) == (0, 0)


def test_counting_errors_leaves_the_log_as_it_was() -> None:
    """Python writes warnings to standard error only while there is no handler at all."""
    program = (
        "import logging\n"
        "from spina.table.metrics import Metrics\n"
        "metrics, log = Metrics(), logging.getLogger('spina.table')\n"
        "with metrics.counting_log_errors():\n"
        "    log.info('not shown'); log.warning('one'); log.error('two')\n"
        "log.warning('three')\n"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert said.stderr == "one\ntwo\nthree\n"


# --- the dashboard ----------------------------------------------------------------------------------------------------


def queries(panels: list[Any]) -> list[str]:
    return [
        query
        for panel in panels
        for query in [each["expr"] for each in panel.get("targets", [])] + queries(panel.get("panels", []))
    ]


def named(text: str) -> set[str]:
    """The metrics that a query or a text names."""
    return set(re.findall(r"\b(?:spina|process|python)_\w+", text))


def test_the_dashboard_and_the_guide_name_metrics_that_exist(server: Server) -> None:
    table = (anna := server.visitor("Anna")).create("chariot-race", "me", "competent")
    race_on(anna, table, 0, choices=1)
    known = set(read(server))
    dashboard = json.loads(DASHBOARD.read_text(encoding="utf-8"))
    asked = queries(dashboard["panels"])
    assert len(asked) > 10
    for query in asked:
        assert named(query) and named(query) <= known, query
    ours = {name for name in known if name.startswith("spina_") and not name.endswith("_created")}
    plain = {re.sub("_(bucket|count|sum)$", "", name) for name in ours}
    shown = {re.sub("_(bucket|count|sum)$", "", name) for query in asked for name in named(query)}
    assert plain - shown <= {"spina_info"}, "a metric that no panel shows"
    guide = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8").split("## What to watch")[1].split("\n## ")[0]
    assert named(guide) <= known | plain
    assert plain <= named(guide)


def test_the_dashboard_can_be_imported() -> None:
    dashboard = json.loads(DASHBOARD.read_text(encoding="utf-8"))
    assert dashboard["title"] == "Spina" and dashboard["schemaVersion"] >= 36 and dashboard["id"] is None
    panels = dashboard["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    variable = next(each for each in dashboard["templating"]["list"] if each["type"] == "datasource")
    for panel in panels:
        assert panel["title"] and set(panel["gridPos"]) == {"x", "y", "w", "h"}
        if panel["type"] != "row":
            assert panel["datasource"] == {"type": "prometheus", "uid": f"${{{variable['name']}}}"}
            assert panel["targets"]
