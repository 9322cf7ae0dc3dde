"""A Ray cluster whose head dies during a study: the study ends with a sentence, not with Ray's traceback."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from spina.errors import SpinaError
from spina.lab import executor, ray_executor


class MortalRay:
    """A Ray that answers as its client does, until its head dies before a given call."""

    exceptions = SimpleNamespace(RayTaskError=KeyError, RayError=ValueError)

    def __init__(self, dies_at: str) -> None:
        self._dies_at, self.ended = dies_at, False

    def _call(self, name: str, answer: Any) -> Any:
        if name == self._dies_at:
            raise ConnectionError("Client is shutting down.")
        return answer

    def init(self, **_: Any) -> None: ...

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": self._call("cluster_resources", 2.0)}

    def put(self, value: Any) -> Any:
        return self._call("put", value)

    def remote(self, **_: Any) -> Any:
        def made(function: Any) -> Any:
            return SimpleNamespace(remote=lambda *given: self._call("submit", (function, given)))

        return made

    def wait(self, submitted: list[Any], num_returns: int) -> Any:
        return self._call("wait", (submitted[:num_returns], submitted[num_returns:]))

    def get(self, reference: Any, timeout: float | None = None) -> Any:
        function, given = reference
        return self._call("get", function(*given))

    def shutdown(self) -> None:
        self.ended = True


def double(number: int) -> int:
    return 2 * number


def study(monkeypatch: pytest.MonkeyPatch, ray: MortalRay) -> list[tuple[int, int]]:
    monkeypatch.setattr(ray_executor, "_ray", lambda: ray)
    monkeypatch.setattr(ray_executor.RayPool, "_check", lambda self, address: None)
    return sorted(executor.run(double, range(5), on="ray://192.0.2.1:10001"))


@pytest.mark.parametrize("dies_at", ["cluster_resources", "put", "submit", "wait", "get"])
def test_a_study_whose_head_dies_says_so(dies_at: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ray = MortalRay(dies_at)
    with pytest.raises(SpinaError, match=r"Ray on ray://192\.0\.2\.1:10001 does not answer any more") as raised:
        study(monkeypatch, ray)
    assert isinstance(raised.value.__cause__, ConnectionError)
    assert ray.ended


def test_a_study_whose_head_lives_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = MortalRay("")
    assert study(monkeypatch, ray) == [(number, 2 * number) for number in range(5)]
    assert ray.ended
