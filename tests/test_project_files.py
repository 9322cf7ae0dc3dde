"""The files around the code say what is so: versions agree, and what they name exists."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import yaml

import spina

ROOT = Path(__file__).parents[1]


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def project() -> dict[str, Any]:
    return tomllib.loads(text("pyproject.toml"))


def test_the_version_is_the_same_everywhere() -> None:
    version = project()["project"]["version"]
    assert spina.__version__ == version
    assert yaml.safe_load(text("CITATION.cff"))["version"] == version
    assert re.search(rf"^## {re.escape(version)}$", text("CHANGELOG.md"), re.MULTILINE)


def test_the_source_distribution_holds_what_its_checks_need() -> None:
    included = project()["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    assert all((ROOT / name).exists() for name in included)
    assert {"tests", "package.json", "tsconfig.json", "Makefile", "compose.yaml"} <= set(included)


def test_the_image_copies_files_that_exist_and_starts_a_known_command() -> None:
    copied = re.findall(r"^COPY (.+) \S+$", text("Dockerfile"), re.MULTILINE)
    assert copied and all((ROOT / name).exists() for names in copied for name in names.split())
    assert 'ENTRYPOINT ["spina", "serve", "--host", "0.0.0.0"]' in text("Dockerfile")


def test_compose_starts_a_table_on_loopback_once_its_database_is_ready() -> None:
    services = yaml.safe_load(text("compose.yaml"))["services"]
    assert services["table"]["depends_on"]["database"]["condition"] == "service_healthy"
    assert all(port.startswith("127.0.0.1:") for port in services["table"]["ports"])
    options = [word for word in services["table"]["command"] if word.startswith("--")]
    assert options == ["--database", "--origin"]


def test_the_workflow_runs_targets_that_exist() -> None:
    targets = set(re.findall(r"^([\w-]+):", text("Makefile"), re.MULTILINE))
    jobs = yaml.safe_load(text(".github/workflows/test.yml"))["jobs"]
    said = "\n".join(step.get("run", "") for job in jobs.values() for step in job["steps"])
    assert {"test", "play"} == set(re.findall(r"\bmake (\w+)", said)) <= targets
    assert all((ROOT / path).exists() for path in re.findall(r"\btests/\S+", said))


def test_the_hooks_before_a_commit_are_checks_of_make_test() -> None:
    hooks = yaml.safe_load(text(".pre-commit-config.yaml"))["repos"][0]["hooks"]
    commands = {hook["entry"].split()[0].removeprefix(".venv/bin/") for hook in hooks}
    assert commands and all(f"$(BIN)/{command}" in text("Makefile") for command in commands)


def test_the_guides_nginx_block_loads_on_the_versions_that_distributions_ship() -> None:
    """`http2 on` is unknown before 1.25; `$host` loses the port, and with it the name that Spina answers to."""
    block = text("docs/hosting.md").split("```nginx")[1].split("```")[0]
    assert "http2 on" not in block
    assert "proxy_set_header Host $http_host;" in block
