"""Hubs and class separation against scipy, scikit-learn and plain loops."""

import numpy as np
import pytest
from scipy import stats
from scipy.spatial.distance import cdist
from sklearn.linear_model import LinearRegression
from sklearn.metrics import r2_score, silhouette_score
from sklearn.preprocessing import OneHotEncoder

from fairshot.statistics import geometry as module
from fairshot.statistics.geometry import geometry_of


def classes_of(rng: np.random.Generator, sizes: list[int], features: int, spread: float = 1.0):
    labels = rng.permutation(np.repeat(np.arange(len(sizes)) * 7 + 3, sizes))
    return (spread * rng.normal(size=(100, features))[labels] + rng.normal(size=(len(labels), features))), labels


@pytest.mark.parametrize("rows", [512, 7])
@pytest.mark.parametrize("features", [2, 50])
def test_against_references(rows: int, features: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ROWS", rows)
    vectors, labels = classes_of(np.random.default_rng(0), [30, 12, 1, 20, 2], features)
    found = geometry_of(vectors.astype(np.float32) + np.float32(100), labels)
    vectors = vectors.astype(np.float32).astype(np.float64)

    table = cdist(vectors, vectors)
    np.fill_diagonal(table, np.inf)
    occurrence = np.zeros(len(vectors), dtype=int)
    for row in table:
        for near in sorted(range(len(row)), key=lambda at: row[at])[:10]:
            occurrence[near] += 1
    assert found.hubness == pytest.approx(stats.skew(occurrence), abs=1e-6)
    assert found.anti_hubs == (occurrence == 0).mean()
    assert found.largest_hub == occurrence.max()
    assert found.silhouette == pytest.approx(silhouette_score(vectors, labels), abs=1e-5)

    one_hot = OneHotEncoder(sparse_output=False).fit_transform(labels[:, None])
    fitted = LinearRegression(fit_intercept=False).fit(one_hot, vectors).predict(one_hot)
    raw, n, k = r2_score(vectors, fitted, multioutput="variance_weighted"), len(labels), 5
    assert found.between == pytest.approx(1 - (1 - raw) * (n - 1) / (n - k), abs=1e-5)
    assert (found.images, found.classes, found.features, found.neighbours) == (65, 5, features, 10)


def test_noise_has_no_variance_between_classes_however_few_images() -> None:
    rng = np.random.default_rng(0)
    found = [geometry_of(*classes_of(rng, [3] * 10, 20, spread=0)).between for _ in range(30)]
    assert abs(np.mean(found)) < 0.02


def test_many_dimensions_have_more_hubs() -> None:
    """Radovanović and others: independent numbers, all of the same distribution."""
    rng = np.random.default_rng(0)
    flat, deep = (geometry_of(rng.normal(size=(800, features)), np.arange(800) % 4).hubness for features in (3, 100))
    assert flat < 1 < deep


def test_degenerate_embeddings() -> None:
    equal = geometry_of(np.ones((30, 4)), np.arange(30) % 3)
    assert (equal.silhouette, equal.between, equal.neighbours) == (0.0, None, 10)
    apart = geometry_of(np.repeat(np.eye(3), 20, axis=0), np.repeat(np.arange(3), 20))
    assert (apart.silhouette, apart.between) == pytest.approx((1.0, 1.0))
    alone = geometry_of(np.random.default_rng(0).normal(size=(4, 2)), np.zeros(4, dtype=np.int64))
    assert (alone.silhouette, alone.between, alone.neighbours, alone.hubness) == (None, None, 3, 0.0)
    assert geometry_of(np.ones((1, 2)), np.zeros(1, dtype=np.int64)).hubness == 0.0
