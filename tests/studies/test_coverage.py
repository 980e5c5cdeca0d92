"""The study of coverage, in small: every setting runs, populations keep what they say, and intervals hold."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.decomposition import PCA

from fairshot.evaluation.scorer import one_thread
from fairshot.results.schema import read_result
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.studies import coverage
from fairshot.studies.coverage import SETTINGS, STUDY, Coverage
from fairshot.studies.kinds import omniglot_benchmarks as omniglot_worlds
from fairshot.studies.kinds import simulated_benchmarks as worlds
from fairshot.studies.kinds.omniglot_benchmarks import Characters
from fairshot.studies.kinds.repetitions import RUNS, SETS, Setting, repeat
from fairshot.studies.kinds.simulated_benchmarks import Cifar, Gaussian
from fairshot.studies.study import Choice, Conditions, run_study
from fairshot.tasks.uniform import Uniform
from fairshot.tasks.within_parent import WithinParent

ONE = Uniform(way=5, shot=1, query=5)
LARGE = Gaussian(10, images=(400, 400))


@pytest.fixture(scope="module")
def thumbnails() -> Iterator[Source]:
    """In CIFAR-100's place, pictures of 4 x 4 pixels: the principal components of the real ones take a minute."""
    rng = np.random.default_rng(0)
    labels = rng.permutation(np.repeat(np.arange(100), 600))
    pictures = rng.normal(128, 20, (100, 3, 4, 4))[labels] + rng.normal(0, 20, (60_000, 3, 4, 4))
    store = pictures.clip(0, 255).astype(np.uint8)
    names, parents = (
        tuple(f"{kind}{c % many:02d}" for c in range(100)) for kind, many in (("class", 100), ("home", 20))
    )
    source = Source.create("thumbnails", store, labels, class_names=names, parents=parents)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worlds, "find_source", lambda name: source)
        worlds.components.cache_clear()
        yield source
    worlds.components.cache_clear()


def test_components_are_principal_and_classes_of_one_home_stand_side_by_side(thumbnails: Source) -> None:
    found = worlds.components()
    assert found.shape == (100, 600, worlds.FEATURES)
    pixels = thumbnails.store.reshape(60_000, -1) / 255
    reference = PCA(worlds.FEATURES, svd_solver="covariance_eigh").fit(pixels)
    flat = found.reshape(-1, worlds.FEATURES)
    np.testing.assert_allclose(flat.var(0, ddof=1), reference.explained_variance_, rtol=1e-3)
    order = [c for home in range(20) for c in range(100) if c % 20 == home]
    for place in (0, 1, 5, 99):  # home00 has the classes 0, 20, 40, 60 and 80
        expected = reference.transform(pixels[thumbnails.class_ids == order[place]])
        np.testing.assert_allclose(np.abs(found[place]), np.abs(expected), atol=2e-3)


def test_superclasses_are_parents_and_both_levels_are_drawn_with_replacement(thumbnails: Source) -> None:
    streams = [Stream(0, "test", name) for name in ("parents", "classes")]
    homes = Cifar(160, 20).draw_classes(*streams).reshape(20, 8) // 5
    assert (homes == homes[:, :1]).all()
    assert len(np.unique(homes)) < 20
    assert len(np.unique(Cifar(100).draw_classes(*streams))) < 80


@pytest.fixture
def drawings(monkeypatch: pytest.MonkeyPatch) -> None:
    """In place of Omniglot's embedded characters, 20 alphabets of random vectors."""
    rng = np.random.default_rng(1)
    table = rng.normal(size=(800, 1, 8)) + rng.normal(size=(800, 20, 8))
    for module in (omniglot_worlds, coverage):
        monkeypatch.setattr(module, "embedded", lambda turns: (table, np.arange(800) % 20))


def test_no_character_is_drawn_twice_and_alphabets_are(drawings: None) -> None:
    streams = [Stream(3, "test", name) for name in ("parents", "classes")]
    drawn = Characters(120, 20).draw_classes(*streams)
    homes = (drawn % 20).reshape(20, 6)
    assert len(np.unique(drawn)) == 120
    assert (homes == homes[:, :1]).all()
    assert len(np.unique(homes)) < 20
    turned = Characters(160, turns=4).draw_classes(*streams)
    assert len(np.unique(turned)) == 160
    assert (turned.reshape(40, 4) % 200 == turned[::4, None] % 200).all()


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.label)
def test_every_setting_runs(setting: Setting, thumbnails: Source, drawings: None) -> None:
    mean, usual_low, usual_high, low, high = repeat(replace(setting, episodes=(60,)), 1)[0]
    difference = len(setting.learners) > 1
    assert -1 <= mean <= 1 if difference else 0 < mean < 1
    assert usual_low < mean < usual_high
    assert np.isnan([low, high]).all() or low < mean < high  # 60 episodes may be too few, and that is then said


def test_settings_can_be_chosen_by_words_of_their_labels() -> None:
    part = STUDY.choose(Choice(only=("hopeless", "turns")))
    assert isinstance(part, Coverage)
    assert {setting.label for setting in part.settings} == {
        setting.label for setting in SETTINGS if "hopeless" in setting.label or "turns" in setting.label
    }
    assert part.preset == "limited to settings with hopeless or turns"
    with pytest.raises(FairshotError, match="unknown setting 'blue': there are: "):
        STUDY.choose(Choice(only=("blue",)))
    with pytest.raises(FairshotError, match=r"there is nothing to choose in .*: leave out --critic"):
        STUDY.choose(Choice(only=("turns",), critic="omniglot"))


def test_no_two_settings_are_the_same_or_called_the_same() -> None:
    assert len({setting.key for setting in SETTINGS}) == len(SETTINGS)
    assert len({setting.label for setting in SETTINGS}) == len(SETTINGS)


def centres(source: Source, block: int = 1) -> np.ndarray:
    """The mean of each class, or of so many classes side by side."""
    means = np.stack([source.store[source.class_ids == c].mean(0) for c in range(len(source.class_names))])
    return means.reshape(-1, block, means.shape[1]).mean(1)


def alike(first: np.ndarray, second: np.ndarray) -> bool:
    apart = np.abs(first - second).mean()
    assert not 0.3 < apart < 0.7, "neither the same centres nor others"
    return bool(apart < 0.3)


def test_fresh_images_are_of_the_same_classes() -> None:
    setting = Setting(LARGE, ONE, "images")
    first, again, other = (setting.benchmark(repetition) for repetition in (0, SETS, 1))
    assert alike(centres(first), centres(again))
    assert not (first.store == again.store).all(1).any()
    assert not alike(centres(first), centres(other))
    assert [setting.set_of(r) for r in range(2 * SETS)] == [*range(SETS), *range(SETS)]


def test_fresh_images_come_in_the_same_numbers() -> None:
    uneven = Setting(Gaussian(20, images=(20, 100)), ONE, "images")
    first, again = uneven.benchmark(0).members.counts, uneven.benchmark(SETS).members.counts
    np.testing.assert_array_equal(first, again)
    assert first.min() < 40 < 80 < first.max()


def test_fresh_classes_are_others() -> None:
    setting = Setting(LARGE, ONE, "classes")
    found = [centres(setting.benchmark(repetition)) for repetition in (0, 1, SETS)]
    assert not alike(found[0], found[1])
    assert not alike(found[0], found[2])


def test_fresh_classes_of_parents_keep_the_parents_and_fresh_parents_do_not() -> None:
    world, task = Gaussian(600, 2, images=(2, 2), parent_spread=3.0), WithinParent(way=5, shot=1, query=1)
    kept, fresh = (Setting(world, task, population) for population in ("classes", "parents"))
    first, again = kept.benchmark(0), kept.benchmark(SETS)
    assert alike(centres(first, 300), centres(again, 300))
    assert not alike(centres(first), centres(again))
    assert not alike(centres(fresh.benchmark(0), 300), centres(fresh.benchmark(SETS), 300))


def test_fresh_runs_see_the_same_images_through_other_eyes() -> None:
    setting = Setting(LARGE, ONE, "runs")
    np.testing.assert_array_equal(setting.benchmark(0).store, setting.benchmark(SETS).store)
    seen = [view.matrix for repetition in (0, SETS) for view in setting.classifiers(repetition)]
    assert len(seen) == 2 * RUNS
    assert len({matrix.tobytes() for matrix in seen}) == 2 * RUNS
    both = Setting(LARGE, ONE, "runs and classes")
    assert not alike(centres(both.benchmark(0)), centres(both.benchmark(SETS)))


def test_groups_share_more_than_their_class() -> None:
    source = Setting(Gaussian(10, images=(40, 40), group=4, uneven=0.0), ONE, "images").benchmark(0)
    rest = source.store.astype(np.float64) - centres(source)[source.class_ids]
    groups = source.attributes["group"]
    assert len(np.unique(groups)) == 100
    assert all(len(set(source.class_ids[groups == g])) == 1 for g in range(100))
    within = np.mean([rest[groups == g].var(axis=0, ddof=1).mean() for g in range(100)])
    assert within / rest.var() == pytest.approx(1 / 3, abs=0.05)


def test_the_halves_of_twins_have_the_same_centres_or_their_own() -> None:
    streams = [Stream(0, "test", name) for name in ("parents", "classes")]
    same, own = (Gaussian(20, twins=twins).draw_classes(*streams) for twins in ("same", "own"))
    np.testing.assert_array_equal(same[:, :8], same[:, 8:16])
    assert not alike(own[:, :8], own[:, 8:16])


SMALL = Coverage(
    title="small",
    paper="fairshot",
    settings=(
        Setting(Gaussian(20), ONE, "classes", episodes=(100, 200)),
        Setting(Gaussian(20), ONE, "images", episodes=(200,)),
    ),
    repetitions=60,
)


def test_intervals_hold_and_the_usual_one_does_not_and_a_second_run_finds_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with one_thread():
        result = run_study(SMALL, backend="serial", out=tmp_path)
    assert [(row.population, row.episodes, row.repetitions) for row in result.rows] == [
        ("classes", 100, 60),
        ("classes", 200, 60),
        ("images", 200, 60),
    ]
    assert all(row.value >= 0.85 for row in result.rows)
    assert all(row.null <= 0.2 for row in result.rows)
    assert all(0.8 < row.width < 1.4 for row in result.rows)
    assert result.rows[1].usual < 0.7
    assert all(row.intervals["repetitions"][0] < row.value <= row.intervals["repetitions"][1] for row in result.rows)
    assert read_result(tmp_path / "result.json").rows == result.rows

    def refuse(setting: Setting, repetition: int) -> None:
        raise AssertionError("done before")

    monkeypatch.setattr(Coverage, "repeat", staticmethod(refuse))
    again = SMALL.run(Conditions(backend="serial", out=tmp_path))
    assert again.rows == result.rows
    assert again.examples == result.examples
    assert list(result.examples) == [setting.label for setting in SMALL.settings]
    with pytest.raises(AssertionError, match="done before"):
        run_study(SMALL, limit=20, backend="serial", out=tmp_path)  # other repetitions are another question


def test_a_limited_run_says_so() -> None:
    result = run_study(replace(SMALL, settings=SMALL.settings[1:]), limit=5)
    assert result.preset == "limited to 5 repetitions"
    assert [row.repetitions for row in result.rows] == [5]
