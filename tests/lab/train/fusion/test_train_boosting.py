import numpy as np
import pytest

from scrapy_webtext.lab.train.fusion.boosting import as_forest, fit

PARAMETERS = {"objective": "binary", "num_leaves": 4, "min_data_in_leaf": 5}


def test_trees_taken_over_give_what_lightgbm_gives() -> None:
    rows = np.random.default_rng(0).random((200, 3))
    labels = (rows[:, 0] + rows[:, 1] > 1).astype(float)
    booster = fit(PARAMETERS, 12, 0, rows, labels, np.ones(200))
    forest = as_forest(booster, "abc")
    asked = rows[:, ["abc".index(name) for name in forest.features]].tolist()
    probabilities = [forest.probability(row) for row in asked]
    assert probabilities == pytest.approx(booster.predict(rows), abs=1e-3)
