from dataclasses import replace

import numpy as np
import pytest

from scrapy_webtext.extractors.fusion.boosting import Exit
from scrapy_webtext.train.trees import as_forest, fit, settled

PARAMETERS = {"objective": "binary", "num_leaves": 4, "min_data_in_leaf": 5}
EXITS = (Exit(3, -0.2, 0.2), Exit(6, -0.4, 0.3))


def test_trees_taken_over_give_what_lightgbm_gives_exits_included() -> None:
    rows = np.random.default_rng(0).random((200, 3))
    labels = (rows[:, 0] + rows[:, 1] > 1).astype(float)
    booster = fit(PARAMETERS, 12, 0, rows, labels, np.ones(200))
    forest = as_forest(booster, "abc")
    asked = rows[:, ["abc".index(name) for name in forest.features]].tolist()
    probabilities = [forest.probability(row) for row in asked]
    assert probabilities == pytest.approx(booster.predict(rows), abs=1e-3)
    early = replace(forest, exits=EXITS)
    found = settled(booster, EXITS, rows)
    assert found == pytest.approx([early.probability(row) for row in asked], abs=1e-3)
    assert found != pytest.approx(probabilities, abs=1e-2)
