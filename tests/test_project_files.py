"""The files around the code are correct: versions agree, and what they name exists."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import spina

ROOT = Path(__file__).parents[1]
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def project() -> dict[str, Any]:
    return tomllib.loads(text("pyproject.toml"))


def test_the_version_is_the_same_everywhere() -> None:
    version = project()["project"]["version"]
    assert spina.__version__ == version
    assert yaml.safe_load(text("CITATION.cff"))["version"] == version
    assert re.search(rf"^## {re.escape(version)}$", text("CHANGELOG.md"), re.MULTILINE)


@pytest.mark.slow
def test_the_source_distribution_can_run_its_own_checks(tmp_path: Path) -> None:
    """It has every file that git tracks, except those that only a repository needs."""
    included = project()["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    assert all((ROOT / name).exists() for name in included)
    command = [sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", str(tmp_path)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    (archive,) = tmp_path.glob("spina-*.tar.gz")
    with tarfile.open(archive) as opened:
        held = {name.split("/", 1)[1] for name in opened.getnames() if "/" in name}
    needed = {
        "Makefile",
        "pyproject.toml",
        "package.json",
        "tsconfig.json",
        "mkdocs.yml",
        ".ci/run",
        "tests/conftest.py",
    }
    assert needed <= held
    folders = ("src", "tests", "docs", "bench", "tools", "examples", ".github")
    kept = {
        path.relative_to(ROOT).as_posix() for name in folders for path in (ROOT / name).rglob("*") if path.is_file()
    }
    kept = {name for name in kept if "__pycache__" not in name and "/." not in name.replace("/.github", "")}
    assert {name for name in kept - held if not name.endswith((".pyc", ".egg-info"))} == set()


def test_the_image_copies_files_that_exist_and_starts_a_known_command() -> None:
    copied = re.findall(r"^COPY (.+) \S+$", text("Dockerfile"), re.MULTILINE)
    assert copied and all((ROOT / name).exists() for names in copied for name in names.split())
    assert 'ENTRYPOINT ["spina"]\nCMD ["serve", "--host", "0.0.0.0"]' in text("Dockerfile")


def test_the_image_asks_for_a_path_that_answers() -> None:
    from spina.table.http.health import ALIVE

    check = re.search(r"^HEALTHCHECK .*CMD (\[.+\])$", text("Dockerfile"), re.MULTILINE)
    assert check
    program = json.loads(check[1])
    assert program[0] == "python" and f"http://127.0.0.1:8000{ALIVE}" in program[2]
    compile(program[2], "HEALTHCHECK", "exec")


def test_the_workflow_runs_targets_that_exist() -> None:
    targets = set(re.findall(r"^([\w-]+):", text("Makefile"), re.MULTILINE))
    jobs = yaml.safe_load(text(".github/workflows/test.yml"))["jobs"]
    said = "\n".join(step.get("run", "") for job in jobs.values() for step in job["steps"])
    assert {"test", "play", "test-numba"} == set(re.findall(r"\bmake ([\w-]+)", said)) <= targets
    assert all((ROOT / path).exists() for path in re.findall(r"\btests/\S+", said))
    versions = [job["strategy"]["matrix"]["python"] for job in jobs.values() if "strategy" in job]
    assert versions == [["3.11", "3.12", "3.13"]] * 2


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
@pytest.mark.parametrize(("given", "options"), [([], ""), (["PORT=9000"], "--port 9000")])
def test_make_play_takes_a_port(given: list[str], options: str, tmp_path: Path) -> None:
    command = ["make", "--dry-run", "play", f"VENV={tmp_path}", *given]
    alone = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    said = subprocess.run(command, cwd=ROOT, env=alone, capture_output=True, text=True, check=True).stdout
    assert said.splitlines()[-1].rstrip() == f"{tmp_path}/bin/spina {options}".rstrip()


def test_the_hooks_before_a_commit_are_checks_of_make_test() -> None:
    hooks = yaml.safe_load(text(".pre-commit-config.yaml"))["repos"][0]["hooks"]
    commands = {hook["entry"].split()[0].removeprefix(".venv/bin/") for hook in hooks}
    assert commands and all(f"$(BIN)/{command}" in text("Makefile") for command in commands)


def nginx_block() -> str:
    return text("docs/hosting.md").split("```nginx")[1].split("```")[0]


def test_the_guides_nginx_block_loads_on_the_versions_that_distributions_ship() -> None:
    """`http2 on` is unknown before 1.25; `$host` loses the port, and with it the name that Spina answers to."""
    assert "http2" not in nginx_block()
    assert "proxy_set_header Host $http_host;" in nginx_block()


@pytest.mark.skipif(not NGINX, reason="nginx is not installed")
@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl is not installed")
def test_nginx_accepts_the_guides_block(tmp_path: Path) -> None:
    files = ["-keyout", str(tmp_path / "privkey.pem"), "-out", str(tmp_path / "fullchain.pem")]
    kind = ["-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=races.example"]
    subprocess.run(["openssl", "req", *kind, *files], check=True, capture_output=True)
    block = nginx_block().replace("/etc/letsencrypt/live/races.example", str(tmp_path))
    assert block.count(str(tmp_path)) == 2
    logs = f"error_log {tmp_path}/error.log; pid {tmp_path}/nginx.pid;"
    paths = "".join(
        f"{kind}_temp_path {tmp_path}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (tmp_path / "nginx.conf").write_text(f"{logs} events {{}} http {{ access_log off; {paths} {block} }}")
    command = [NGINX, "-t", "-p", str(tmp_path), "-e", str(tmp_path / "error.log"), "-c", str(tmp_path / "nginx.conf")]
    tried = subprocess.run(command, capture_output=True, text=True, check=False)
    assert tried.returncode == 0, tried.stderr
    assert "[warn]" not in tried.stderr


def test_the_fast_tests_are_those_without_a_marker() -> None:
    markers = [line.split(":")[0] for line in project()["tool"]["pytest"]["ini_options"]["markers"]]
    assert f'-m "{" and ".join(f"not {name}" for name in markers)}"' in text("Makefile")
    assert text("CONTRIBUTING.md").index("make test-fast") < text("CONTRIBUTING.md").index("make test ")
