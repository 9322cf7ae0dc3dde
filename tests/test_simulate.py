"""`spina.simulate`: its results in NumPy and pandas."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd

import spina

FIELDS = ("seed", "places", "turns", "choices", "hash")


def test_a_data_frame_of_results_has_a_column_for_each_seats_place() -> None:
    results = spina.simulate("charioteer", seats=3, races=20, seed=1)
    frame = pd.DataFrame(results)
    assert [*frame.columns] == ["seed", "place_0", "place_1", "place_2", "turns", "choices", "hash"]
    assert len(frame) == 20
    assert (frame[["place_0", "place_1", "place_2"]].to_numpy() == results["places"]).all()
    for name in ("seed", "turns", "choices", "hash"):
        assert (frame[name].to_numpy() == results[name]).all()
    assert frame["place_0"].mean() == results["places"][:, 0].mean()


def test_data_frames_of_parts_of_results() -> None:
    results = spina.simulate("chariot-race", seats=2, races=20, seed=1)
    long = results["turns"] > np.median(results["turns"])
    assert [*pd.DataFrame(results[long])["turns"]] == [*results["turns"][long]]
    assert len(pd.DataFrame(results[:5])) == 5
    assert [*pd.DataFrame(results[["seed", "places"]]).columns] == ["seed", "place_0", "place_1"]
    assert pd.DataFrame(results[:0]).empty


def test_results_are_a_structured_array_and_their_fields_ordinary_arrays() -> None:
    results = spina.simulate("charioteer", seats=4, races=6, seed=1)
    assert isinstance(results, np.ndarray)
    assert results.dtype.names == FIELDS
    assert results.dtype["places"].shape == (4,)
    assert type(results["places"]) is np.ndarray and results["places"].shape == (6, 4)
    assert sorted(results[0]["places"]) == [1, 2, 3, 4]
    copy = pickle.loads(pickle.dumps(results))
    assert (copy["hash"] == results["hash"]).all() and len(pd.DataFrame(copy)) == 6
