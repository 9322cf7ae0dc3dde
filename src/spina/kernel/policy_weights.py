"""The weights of policy networks, as a game keeps them in a JSON file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spina.kernel.policy_network import HIDDEN, PolicySize, weight_count


def read_policy(file: Path, size: PolicySize) -> NDArray[np.float64]:
    """The weights in a file. Raises ValueError if they were trained for other features."""
    data: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    weights = np.array(data["weights"], np.float64)
    read = (data["situation"], data["candidate"], data["hidden"], len(weights))
    if read != (*size, HIDDEN, weight_count(*size)):
        again = "train it again with `spina lab train GAME --policy FOLDER`"
        raise ValueError(f"{file}: the policy was trained for other features: {again}")
    return weights
