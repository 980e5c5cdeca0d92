"""Families of classes: the fast sums against plain loops, which interval is quoted, and whether it holds."""

from itertools import combinations

import numpy as np
import pytest

from fairshot.learners.classifiers.prototypes import Prototypes
from fairshot.sources.array import from_arrays
from fairshot.sources.source import Source
from fairshot.statistics.answers import Answers, layout_of, tabulate
from fairshot.statistics.confusion_groups import confusable_groups
from fairshot.statistics.estimate import Estimate
from fairshot.statistics.intervals.class_pairs import pair_effects
from fairshot.statistics.intervals.classes import over_classes
from fairshot.statistics.intervals.headline import headline
from fairshot.statistics.intervals.parents import over_parents
from fairshot.statistics.intervals.populations import estimate_all
from fairshot.statistics.intervals.units import Draws, left_out_weights
from fairshot.studies.kinds.repetitions import answered
from fairshot.tasks.uniform import Uniform
from tests.statistics import reference
from tests.statistics.worlds import make_case, make_source, random_scores


def plain_family_variance(answers: Answers, families: np.ndarray) -> float:
    """The formula, term by term."""
    classes, episodes, way = len(families), answers.episodes, int(answers.way[0])
    centred = (answers.scores - answers.scores.mean()) * np.sqrt(episodes / (episodes - 1))
    names, count = np.unique(families), len(np.unique(families))
    weights = np.empty((episodes, count))
    for episode in range(episodes):
        drawn = families[answers.class_row[answers.episode == episode]]
        for place, family in enumerate(names):
            size = int((families == family).sum())
            weights[episode, place] = reference.left_out_weight(classes, way, size, int((drawn == family).sum()))
    moves = centred[:, None] * (weights - weights.mean(axis=1, keepdims=True))
    total = (moves.sum(axis=0) ** 2 - (moves**2).sum(axis=0)).sum()
    return (count - 1) / count / episodes**2 * total * episodes / (episodes - 1)


@pytest.mark.parametrize(("way", "sizes"), [(3, [1, 2, 3, 3]), (4, [2, 2, 4]), (2, [1, 1, 5]), (6, [4, 2, 2])])
def test_weights_move_the_mean_of_all_episodes_to_that_of_those_without_the_unit(way: int, sizes: list[int]) -> None:
    """Exactly so where scores are made of what single classes and pairs of classes do."""
    rng, families = np.random.default_rng(way), np.repeat(np.arange(len(sizes)), sizes)
    single, pairs = rng.normal(size=len(families)), rng.normal(size=(len(families),) * 2)
    episodes = [list(drawn) for drawn in combinations(range(len(families)), way)]
    scores = np.array([single[e].sum() + pairs[np.ix_(e, e)][np.triu_indices(way, 1)].sum() for e in episodes])
    for family, size in enumerate(sizes):
        drawn = np.array([(families[e] == family).sum() for e in episodes], dtype=np.float64)
        if not (drawn == 0).any():
            continue
        constant = [np.full(len(episodes), number) for number in (float(len(families)), way, float(size))]
        moved = (scores * left_out_weights(*constant, drawn)).mean()
        assert moved == pytest.approx(scores[drawn == 0].mean() - scores.mean(), abs=1e-12)


def test_the_spread_over_parents_of_mixed_episodes_is_that_of_plain_loops() -> None:
    case = make_case(Uniform(way=4, shot=1, query=3), np.full(18, 8), episodes=300, parents=5, seed=6)
    families = case.answers.layout.parents
    spread = Draws(case.answers, np.zeros_like(families), families).influence().spread(case.answers, "parents")
    assert spread.variance == pytest.approx(plain_family_variance(case.answers, families), rel=1e-9)
    assert (spread.population, spread.unit_degrees) == ("parents", 4.0)


def turned(source: Source) -> Source:
    """The same classes as if every second one were made of the one before it."""
    from dataclasses import replace

    return replace(source, class_attributes={"made_of": np.arange(len(source.class_names)) // 2})


def test_classes_that_are_made_of_one_another_count_as_one_class() -> None:
    task, source = Uniform(way=4, shot=1, query=3), turned(make_source(np.full(20, 8)))
    sampled = task.sample(source, range(400), 0)
    answers = tabulate(layout_of(source), sampled, random_scores(source, sampled, np.random.default_rng(2)))
    spread = over_classes(answers)
    assert spread.variance == pytest.approx(plain_family_variance(answers, np.arange(20) // 2), rel=1e-9)
    assert (spread.unit_degrees, spread.units) == (9.0, 10)


def test_the_turns_of_a_drawing_are_one_unit() -> None:
    from fairshot.specs.data import find_part

    source = find_part("glyphs:alphabets=2,characters=3", recipe="centroid")
    assert source.turns == 4
    assert source.class_units.tolist() == list(range(len(source.class_names) // 4)) * 4


def families_world(seed: int, families: int, each: int, *, place: float, difficulty: float) -> Source:
    """Normal classes; those of a family share a place and how noisy they are."""
    rng = np.random.default_rng(seed)
    classes, images = families * each, 20
    centres = rng.normal(size=(classes, 16)) * np.sqrt(1 - place) + np.sqrt(place) * np.repeat(
        rng.normal(size=(families, 16)), each, axis=0
    )
    noise = np.exp(difficulty * np.repeat(rng.normal(size=families), each))
    labels = np.repeat(np.arange(classes), images)
    features = centres[labels] + noise[labels, None] * rng.normal(size=(len(labels), 16))
    return from_arrays(features.astype(np.float32), labels, parents=labels // each)


def answers_of(source: Source, task: Uniform, episodes: int, seed: int) -> Answers:
    sampled = task.sample(source, range(episodes), seed)
    return tabulate(layout_of(source), sampled, answered(source, Prototypes(), sampled))


def test_the_interval_to_quote_holds_whether_families_share_anything_or_not() -> None:
    task = Uniform(way=5, shot=1, query=10)
    for difficulty, least_parents in ((0.35, 0.9), (0.0, 0.0)):
        found = []
        for seed in range(40):
            answers = answers_of(families_world(seed, 12, 4, place=0.0, difficulty=difficulty), task, 300, seed)
            estimates = estimate_all(answers, answers.scores)
            found.append((answers.scores.mean(), estimates, headline(estimates, 12)))
        truth = np.mean([mean for mean, _, _ in found])
        quoted = [estimates[name].interval for _, estimates, name in found]
        assert np.mean([low <= truth <= high for low, high in quoted]) >= 0.88
        assert np.mean([name == "parents" for _, _, name in found]) >= least_parents
        if difficulty:  # what was quoted before would not have held
            classes = [estimates["classes"].interval for _, estimates, _ in found]
            assert np.mean([low <= truth <= high for low, high in classes]) <= 0.75


def estimate(population: str, deviation: float | None) -> Estimate:
    low, high = (None, None) if deviation is None else (0.0, 1.0)
    return Estimate(value=0.5, low=low, high=high, level=0.95, method="", population=population, deviation=deviation)


def test_parents_are_quoted_where_they_find_the_larger_variance() -> None:
    def chosen(classes: float | None, parents: float | None, count: int = 20) -> str:
        told = {"episodes": estimate("episodes", 0.001), "images": estimate("images", 0.01)}
        return headline(
            told | {"classes": estimate("classes", classes), "parents": estimate("parents", parents)}, count
        )

    assert chosen(0.02, 0.03) == "parents"
    assert chosen(0.02, 0.01) == "classes"
    assert chosen(0.02, 0.03, count=4) == "classes"
    assert chosen(None, 0.03) == "parents"
    assert chosen(0.02, None) == "classes"
    assert chosen(None, None) == "images"
    assert headline({"episodes": estimate("episodes", None)}, 1) == "episodes"


def test_the_variance_of_pairs_is_that_of_known_effects() -> None:
    """Scores that are a sum over the pairs of an episode: all of their variance is that of pairs."""
    classes, way, episodes = 12, 4, 4000
    rng = np.random.default_rng(3)
    effects = np.zeros((classes, classes))
    for c, d in combinations(range(classes), 2):
        effects[c, d] = effects[d, c] = rng.normal()
    task, source = Uniform(way=way, shot=1, query=1), make_source(np.full(classes, 4))
    sampled = task.sample(source, range(episodes), 0)
    answers = tabulate(layout_of(source), sampled, random_scores(source, sampled, rng))
    pairs = [effects[np.ix_(row, row)].sum() / 2 for row in sampled.class_ids]
    from dataclasses import replace

    found = pair_effects(replace(answers, values=np.array(pairs)))
    level = effects.sum() / classes / (classes - 1)
    single = (effects.sum(1) - (classes - 1) * level) / (classes - 2)
    left = (effects - level - single[:, None] - single) * (1 - np.eye(classes))
    assert np.abs(found.effects - left).max() < 6 * found.noise
    component = 2 * (left**2).sum() / 2 / (classes * (classes - 3))
    variance = way**2 * (way - 1) ** 2 / (2 * classes * (classes - 1)) * component
    assert found.variance == pytest.approx(variance, rel=0.05)


def pairs_world(seed: int, *, together: bool) -> Source:
    rng = np.random.default_rng(seed)
    centres = 1.5 * rng.normal(size=(20, 16))
    if together:
        centres[1::2] = centres[::2] + 0.4 * rng.normal(size=(10, 16))
    labels = np.repeat(np.arange(20), 20)
    return from_arrays((centres[labels] + rng.normal(size=(400, 16))).astype(np.float32), labels)


def test_classes_that_come_in_confusable_pairs_are_noticed_and_others_are_not() -> None:
    task = Uniform(way=5, shot=1, query=10)
    for seed in range(12):
        pairs = pair_effects(answers_of(pairs_world(seed, together=True), task, 1000, seed))
        groups = confusable_groups(pairs)
        assert len(groups) >= 5
        assert sum(group[0] // 2 == group[1] // 2 and len(group) == 2 for group in groups) >= len(groups) - 1
        assert not confusable_groups(pair_effects(answers_of(pairs_world(seed, together=False), task, 1000, seed)))


def test_where_a_parabola_is_guesswork_the_straight_line_still_gives_an_interval_for_parents() -> None:
    """At a large way few episodes leave out a family, and what pairs of its classes do drowns in noise."""
    source = families_world(1, 12, 4, place=0.0, difficulty=0.35)
    answers = answers_of(source, Uniform(way=20, shot=1, query=10), 80, 1)
    families = answers.layout.parents
    draws = Draws(answers, np.zeros_like(families), families)
    assert draws.influence().spread(answers, "parents").guesswork
    spread = over_parents(answers)
    assert not spread.guesswork
    assert spread.estimate().interval is not None
