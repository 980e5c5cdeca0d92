"""Scores that only whole episodes have: what fresh images do to them, against plain loops and the split by roles."""

from dataclasses import replace

import numpy as np
import pytest

from fairshot.statistics.answers import Answers, layout_of, tabulate
from fairshot.statistics.intervals import images as images_module
from fairshot.statistics.intervals.images import over_images
from fairshot.statistics.scores import Scores
from fairshot.tasks.uniform import Uniform
from tests.statistics.worlds import make_case, make_source

TASK = Uniform(way=4, shot=1, query=3)


def whole_answers(task: Uniform, counts: np.ndarray, *, episodes: int, seed: int) -> Answers:
    """The square of each episode's share of correct queries: no sum over queries."""
    case = make_case(task, counts, episodes=episodes, seed=seed)
    scores = replace(case.scores, values=case.scores.values**2)
    return tabulate(layout_of(case.source), case.sampled, scores, per_query=False)


def centred_by_loops(answers: Answers) -> list[float]:
    """Each score minus the mean, and minus how far the scores with each of its classes are from it on average."""
    episodes, classes = answers.episodes, len(answers.layout.counts)
    rest = [score - np.mean(answers.values) for score in answers.values]
    if episodes < 5 * classes:
        return [r * np.sqrt(episodes / (episodes - 1)) for r in rest]
    members = [
        [int(c) for c, t in zip(answers.class_row, answers.episode, strict=True) if t == e] for e in range(episodes)
    ]
    habit = [np.mean([rest[e] for e in range(episodes) if c in members[e]]) for c in range(classes)]
    root = np.sqrt(episodes / (episodes - classes))
    return [(rest[e] - sum(habit[c] for c in members[e])) * root for e in range(episodes)]


def by_loops(answers: Answers) -> float:
    """Every image of an episode moves its whole score: one class, one image, one episode after the other."""
    rest, episodes, variance = centred_by_loops(answers), answers.episodes, 0.0
    met = [set() for _ in range(len(answers.episode))]
    for table, member in ((answers.support_image, answers.support_member), (answers.query_image, answers.query_member)):
        for image, row in zip(table, member, strict=True):
            met[row].add(int(image))
    for c, n in enumerate(answers.layout.counts):
        rows = [row for row in range(len(met)) if answers.class_row[row] == c]
        for image in np.flatnonzero(answers.layout.owner == c):
            psi = []
            for row in rows:
                used = len(met[row])
                psi.append(n / (n - used) * rest[answers.episode[row]] * ((int(image) in met[row]) - used / n))
            variance += (n - 1) / n / episodes**2 * (sum(psi) ** 2 - sum(p * p for p in psi))
    return variance * episodes / (episodes - 1)


@pytest.mark.parametrize("episodes", [30, 120])  # few episodes for each class, and enough to know the classes' habits
@pytest.mark.parametrize("counts", [np.full(8, 9), np.array([5, 6, 7, 12, 30, 9, 8, 10])], ids=["even", "uneven"])
def test_plain_loops_give_the_same_variance(episodes: int, counts: np.ndarray) -> None:
    answers = whole_answers(TASK, counts, episodes=episodes, seed=episodes)
    found = over_images(answers)
    assert found.variance == pytest.approx(by_loops(answers), rel=1e-9)
    assert found.value == pytest.approx(answers.values.mean())
    assert found.sampling == pytest.approx(answers.values.var(ddof=1) / episodes)


def test_for_an_inductive_learner_it_agrees_with_the_split_by_roles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(images_module, "FEW_IMAGES", 0)  # without what pairs of images do
    whole, split = [], []
    for seed in range(6):
        case = make_case(TASK, np.full(12, 20), episodes=6000, seed=seed)
        layout = layout_of(case.source)
        whole.append(over_images(tabulate(layout, case.sampled, case.scores, per_query=False)))
        split.append(over_images(case.answers))
    assert [w.value for w in whole] == pytest.approx([s.value for s in split])
    means = np.mean([w.variance for w in whole]), np.mean([s.variance for s in split])
    assert means[0] == pytest.approx(means[1], rel=0.1)
    apart = np.array([w.variance - s.variance for w, s in zip(whole, split, strict=True)])
    doubt = np.array([w.noise**2 + s.noise**2 for w, s in zip(whole, split, strict=True)]) ** 0.5
    assert (np.abs(apart) < 4 * doubt).all()
    # What it costs not to know which query an image answers.
    assert np.mean([w.noise for w in whole]) > 1.5 * np.mean([s.noise for s in split])


def test_answers_that_hang_on_the_other_queries_are_covered() -> None:
    """Right or wrong together, by the sum of all query images: the split by roles would miss what they do together."""
    classes, size, spreads, means = 12, 30, [], []
    source = make_source(np.full(classes, size))
    for seed in range(40):
        image = np.random.default_rng(seed).normal(size=classes * size)
        sampled = TASK.sample(source, range(1500), seed)
        pull = image[sampled.query_ids].sum(1, keepdims=True) + 4 * image[sampled.support_ids].mean(1, keepdims=True)
        correct = np.repeat(pull > 0, sampled.query_ids.shape[1], axis=1)
        scores = Scores(correct.mean(1), correct, np.ones_like(correct))
        spreads.append(over_images(tabulate(layout_of(source), sampled, scores, per_query=False)))
        means.append(scores.values.mean())
    total = np.mean([spread.total for spread in spreads])
    assert total == pytest.approx(np.var(means, ddof=1), rel=0.6)  # 40 repetitions know it to 23%
    assert np.mean([spread.sampling for spread in spreads]) < 0.5 * total


@pytest.mark.parametrize(
    ("counts", "reason"),
    [
        (
            [20, 20, 20, 20, 4],
            "a class has 4 images, and queries that are not judged one by one need 5 to leave one out",
        ),
        ([4] * 5, "a class has 4 images, and queries that are not judged one by one need 5 to leave one out"),
        ([5] * 5, ""),
    ],
)
def test_every_class_needs_one_image_that_an_episode_can_do_without(counts: list[int], reason: str) -> None:
    found = over_images(whole_answers(TASK, np.array(counts), episodes=200, seed=0))
    assert (found if isinstance(found, str) else "") == reason
    judged_one_by_one = over_images(make_case(TASK, np.array(counts), episodes=200).answers)
    assert not isinstance(judged_one_by_one, str)
