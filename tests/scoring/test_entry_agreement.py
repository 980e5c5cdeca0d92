"""Agreement in all entries of episodes: beside plain correlations, with each unit left out by hand."""

import math

import numpy as np
import pytest
from scipy import stats

from fairshot.scoring.agreement import Agreement
from fairshot.scoring.entry_agreement import entry_agreement
from fairshot.scoring.recognition import Trials, draw_classes

PARENTS = np.repeat(np.arange(12), 2)


def trials(times: int = 6, seed: int = 0) -> Trials:
    classes = draw_classes(24, way=5, times=times, seed=seed)
    return Trials(classes, np.zeros_like(classes))


def entries(drawn: Trials, common: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Two numbers an entry that share what two classes do to each other."""
    between = rng.normal(size=(24, 24))[drawn.classes[:, :, None], drawn.classes[:, None, :]]
    return tuple(common * between + rng.normal(size=between.shape) for _ in range(2))


@pytest.mark.parametrize("parents", [None, PARENTS])
def test_correlations_are_those_of_all_entries_without_each_unit(parents: np.ndarray | None) -> None:
    drawn = trials()
    one, other = entries(drawn, 1.0, np.random.default_rng(0))
    found = entry_agreement(one, other, drawn, parents)
    assert isinstance(found, Agreement)
    assert found.classes == 24
    assert found.spearman == pytest.approx(stats.spearmanr(one.ravel(), other.ravel())[0])
    line = found.estimates["pearson"]
    assert line.value == pytest.approx(stats.pearsonr(one.ravel(), other.ravel())[0])
    assert found.r_squared == pytest.approx(line.value**2)
    units = (np.arange(24) if parents is None else parents)[drawn.classes]
    asked, rival = np.broadcast_arrays(units[:, :, None], units[:, None, :])
    number, scaled = int(units.max()) + 1, []
    for unit in range(number):
        kept = (asked != unit) & (rival != unit)
        scaled.append(math.atanh(np.corrcoef(one[kept], other[kept])[0, 1]))
    deviation = math.sqrt((number - 1) / number * np.sum((np.array(scaled) - np.mean(scaled)) ** 2))
    half = stats.t.ppf(0.975, number - 1) * deviation
    assert line.interval == pytest.approx([math.tanh(math.atanh(line.value) + side) for side in (-half, half)])
    assert line.population == ("classes" if parents is None else "parents")
    assert found.pearson_p == pytest.approx(2 * stats.t.sf(abs(math.atanh(line.value)) / deviation, number - 1))


def test_intervals_hold_what_they_promise() -> None:
    """Entries share what either class does to all others: with as many classes as entries nothing would be sure."""
    rng, held, repetitions = np.random.default_rng(1), 0, 200
    drawn = trials(times=10)
    for _ in range(repetitions):
        one, other = (
            rng.normal(size=24)[drawn.classes][:, :, None] + rng.normal(size=24)[drawn.classes][:, None, :]
            for _ in range(2)
        )
        noisy = [values + rng.normal(size=values.shape) for values in (one, other)]
        found = entry_agreement(noisy[0], noisy[1], drawn)
        assert isinstance(found, Agreement)
        interval = found.estimates["pearson"].interval
        assert interval is not None
        held += interval[0] <= 0 <= interval[1]
    assert 0.9 <= held / repetitions <= 0.995


def test_where_nothing_can_be_said() -> None:
    drawn = trials()
    one, other = entries(drawn, 1.0, np.random.default_rng(2))
    assert entry_agreement(np.ones_like(one), other, drawn) == "all entries have the same value: there is no order"
    same = entry_agreement(one, one, drawn)
    assert isinstance(same, Agreement)
    assert same.estimates["pearson"].interval is None
    few = entry_agreement(one, other, drawn, np.arange(24) % 3)
    assert isinstance(few, Agreement)
    assert few.estimates["spearman"].interval is None
    assert few.spearman_p == 1
