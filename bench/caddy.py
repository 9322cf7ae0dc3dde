"""Caddy on loopback with `deploy/Caddyfile`, where it is installed: the load balancer of the hosting guide."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import httpx

from bench.processes import free_port

CADDYFILE = Path(__file__).parents[1] / "deploy" / "Caddyfile"
STARTING = 30.0
INSTALLED = shutil.which("caddy") is not None


class Caddy:
    """A running Caddy in front of servers, with the environment that the hosting guide gives it."""

    def __init__(self, servers: Sequence[str]) -> None:
        """`servers`: host and port of each."""
        self.port = free_port()
        self._folder = tempfile.TemporaryDirectory(prefix="spina-caddy-")
        folder = Path(self._folder.name)
        # Without a host name to get a certificate for, it would listen on all addresses of this machine.
        here = folder / "Caddyfile"
        here.write_text(f"{{\n\tadmin off\n\tdefault_bind 127.0.0.1\n}}\nimport {CADDYFILE}\n")
        environment = {
            **os.environ,
            "SPINA_ORIGIN": f"http://127.0.0.1:{self.port}",
            "SPINA_SERVERS": " ".join(servers),
            "XDG_DATA_HOME": str(folder),
            "XDG_CONFIG_HOME": str(folder),
        }
        self._log = folder / "log"
        command = ["caddy", "run", "--config", str(here), "--adapter", "caddyfile"]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
        try:
            self._wait()
        except BaseException:
            self.close()
            raise

    def _wait(self) -> None:
        until = time.monotonic() + STARTING
        while time.monotonic() < until:
            try:
                if httpx.get(f"http://127.0.0.1:{self.port}/readyz", timeout=3).status_code == 200:
                    return
            except httpx.HTTPError:
                assert self._process.poll() is None, self._log.read_text()
            time.sleep(0.05)
        raise RuntimeError(f"Caddy does not pass requests on:\n{self._log.read_text()}")

    def close(self) -> None:
        """Stop it."""
        self._process.kill()
        self._process.wait()
        self._folder.cleanup()
