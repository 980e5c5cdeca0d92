"""Groups of images as units: against over_images, plain loops, exact expectations, and what doubling must not do."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from fairshot.statistics.answers import Answers, layout_of, tabulate
from fairshot.statistics.estimate import Spread
from fairshot.statistics.intervals import images as images_module
from fairshot.statistics.intervals.groups import over_groups
from fairshot.statistics.intervals.images import over_images
from fairshot.statistics.scores import Scores
from fairshot.tasks.episodes import Episodes
from fairshot.tasks.uniform import Uniform
from tests.statistics.worlds import make_case, make_source

TASK = Uniform(way=4, shot=2, query=4)
ALWAYS_THERE = "a group of images is in nearly every episode of its class: none can be left out"


def grouped(answers: Answers, groups: np.ndarray) -> Answers:
    return replace(answers, layout=replace(answers.layout, groups=groups))


def as_whole(answers: Answers) -> Answers:
    """The same scores, as if queries could not be judged one by one."""
    return replace(answers, values=answers.scores.copy())


def numbers(spread: Spread) -> list[float]:
    return [spread.value, spread.variance, spread.sampling, spread.noise, spread.unit_degrees]


def centred_by_loops(answers: Answers) -> list[list[list[float]]]:
    """Each query's correctness minus the means of all episodes and of its class, by membership; one fixed way."""
    members = range(len(answers.episode))
    raw = [[y for y, m in zip(answers.correct, answers.query_member, strict=True) if m == own] for own in members]
    weight = [
        len(raw[m]) / sum(len(raw[o]) for o in members if answers.episode[o] == answers.episode[m]) for m in members
    ]
    score = [
        sum(weight[m] * np.mean(raw[m]) for m in members if answers.episode[m] == t) for t in range(answers.episodes)
    ]
    level = np.mean(score)
    found = []
    for m in members:
        same = [np.mean(raw[o]) - level for o in members if answers.class_row[o] == answers.class_row[m]]
        root = np.sqrt(len(same) / max(len(same) - 1, 1))
        found.append([weight[m] / len(raw[m]) * (y - level - np.mean(same)) * root for y in raw[m]])
    return found


def by_loops(answers: Answers) -> float:
    """The variance over groups, from the definition: one group, one episode, one query after the other."""
    groups, owner, episodes = answers.layout.groups, answers.layout.owner, answers.episodes
    values = centred_by_loops(answers)
    variance = 0.0
    homes = {g: {int(owner[i]) for i in np.flatnonzero(groups == g)} for g in set(groups.tolist())}
    for g, home in homes.items():
        rows = []  # of each episode with a class of the group: is it shown, and (own class, touched, value) per query
        for t in range(episodes):
            members = [m for m in range(len(answers.episode)) if answers.episode[m] == t]
            if not any(int(answers.class_row[m]) in home for m in members):
                continue
            shown = any(groups[i] == g for m in members for i in answers.support_image[answers.support_member == m])
            queries = []
            for m in members:
                for i, value in zip(answers.query_image[answers.query_member == m], values[m], strict=True):
                    own = int(answers.class_row[m]) in home
                    queries.append((own, shown or groups[i] == g if own else shown, value))
            rows.append(queries)
        rate = [np.mean([touched for row in rows for own, touched, _ in row if own == kind] or [0]) for kind in (0, 1)]
        psi = [sum((touched - rate[own]) / (1 - rate[own]) * value for own, touched, value in row) for row in rows]
        beside = [o for o in homes if (len(homes[o]) > 1) == (len(home) > 1) and (len(home) > 1 or homes[o] == home)]
        variance += (len(beside) - 1) / len(beside) / episodes**2 * (sum(psi) ** 2 - sum(p * p for p in psi))
    return variance * episodes / (episodes - 1)


@pytest.mark.parametrize("kind", ["pairs", "uneven", "over classes", "some over classes"])
def test_plain_loops_give_the_same_variance(kind: str) -> None:
    answers = make_case(Uniform(way=3, shot=2, query=3), np.full(5, 12), episodes=40, seed=3).answers
    image = np.arange(60)
    groups = {
        "pairs": image // 2,
        "uneven": image // 12 * 12 + np.array([0] * 5 + [1] * 3 + [2] * 2 + [3, 4])[image % 12],
        "over classes": image % 12,
        "some over classes": np.where(image % 12 < 6, image % 12, 100 + image),
    }
    answers = grouped(answers, groups[kind])
    assert over_groups(answers).variance == pytest.approx(by_loops(answers), rel=1e-9)


def test_with_every_image_a_group_it_agrees_with_the_images_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(images_module, "FEW_IMAGES", 0)  # without what pairs of images do
    for seed in range(3):
        answers = make_case(TASK, np.full(12, 20), episodes=3000, seed=seed).answers
        counted, derived = over_groups(answers), over_images(answers)
        assert (counted.value, counted.sampling, counted.population) == (derived.value, derived.sampling, "images")
        assert counted.variance == pytest.approx(derived.variance, rel=0.03)
        assert counted.noise == pytest.approx(derived.noise, rel=0.15)
        assert counted.unit_degrees == pytest.approx(derived.unit_degrees, rel=0.05)


def exact_jackknife(right: np.ndarray, groups: np.ndarray, owner: np.ndarray) -> float:
    """Every 2-way 1-shot 1-query episode there is, without one group after the other; right[query, own, other]."""

    def expectation(left: np.ndarray) -> float:
        pairs = []
        for a, b in permutations(set(owner.tolist()), 2):
            mine, theirs = left[owner[left] == a], left[owner[left] == b]
            pairs.append(np.mean([right[q, s, o] for q, s in permutations(mine, 2) for o in theirs]))
        return float(np.mean(pairs))

    images, whole, variance = np.arange(len(owner)), expectation(np.arange(len(owner))), 0.0
    for c in set(owner.tolist()):
        own = set(groups[owner == c].tolist())
        moved = [expectation(images[groups != g]) - whole for g in own]
        variance += (len(own) - 1) / len(own) * sum(m * m for m in moved)
    return variance


def test_many_episodes_come_to_the_exact_delete_one_group_jackknife() -> None:
    classes, size = 3, 8
    source, rng = make_source(np.full(classes, size)), np.random.default_rng(0)
    owner, groups = np.repeat(np.arange(classes), size), np.arange(classes * size) // 2
    effect = rng.normal(size=(3, classes * size // 2))[:, groups]
    right = effect[0][:, None, None] + effect[1][:, None] + effect[2] > 0
    sampled = Uniform(way=2, shot=1, query=1).sample(source, range(30_000), 0)
    shown = np.take_along_axis(sampled.support_ids, sampled.query_labels, 1)
    other = np.take_along_axis(sampled.support_ids, 1 - sampled.query_labels, 1)
    correct = right[sampled.query_ids, shown, other]
    scores = Scores(correct.mean(1), correct, np.ones_like(correct))
    answers = grouped(tabulate(layout_of(source), sampled, scores), groups)
    exact = exact_jackknife(right, groups, owner)
    found = over_groups(answers)
    assert found.variance == pytest.approx(exact, rel=0.05)
    assert abs(found.variance - exact) < 4 * found.noise
    assert over_groups(as_whole(answers)).variance == pytest.approx(exact, rel=0.12)


def doubled_world(seed: int, copies: int) -> Answers:
    """Each of 20 images a class there `copies` times, with the same answers."""
    classes, size, rng = 10, 20, np.random.default_rng(seed)
    difficulty, image = rng.normal(size=classes), rng.normal(size=(2, classes * size))
    source = make_source(np.full(classes, size * copies))
    sampled = TASK.sample(source, range(4000), seed)
    owner = np.take_along_axis(sampled.class_ids, sampled.query_labels, 1)
    shown = image[1][sampled.support_ids // copies].mean(1, keepdims=True)
    correct = difficulty[owner] + image[0][sampled.query_ids // copies] + shown > 0
    answers = tabulate(layout_of(source), sampled, Scores(correct.mean(1), correct, np.ones_like(correct)))
    return grouped(answers, np.arange(len(source)) // copies)


def test_doubled_images_do_not_shrink_the_interval() -> None:
    alone, twins, forgotten, whole = [], [], [], []
    for seed in range(4):
        doubled = doubled_world(seed, 2)
        alone.append(over_groups(doubled_world(seed, 1)).variance)
        twins.append(over_images(doubled).variance)  # finds the groups by itself
        forgotten.append(over_images(grouped(doubled, np.arange(400))).variance)
        whole.append(over_images(as_whole(doubled)).variance)
    assert np.mean(twins) == pytest.approx(np.mean(alone), rel=0.1)
    assert np.mean(forgotten) == pytest.approx(np.mean(alone) / 2, rel=0.15)
    assert np.mean(whole) == pytest.approx(np.mean(alone), rel=0.25)


def test_drawers_reach_over_classes() -> None:
    """Omniglot's drawers: one image of every class each, and a hand that is easy or hard to read."""
    classes, drawers = 12, 20
    source, rng = make_source(np.full(classes, drawers)), np.random.default_rng(0)
    sampled = TASK.sample(source, range(2000), 0)
    owner = np.take_along_axis(sampled.class_ids, sampled.query_labels, 1)
    hand = rng.normal(size=drawers)[sampled.query_ids % drawers]
    correct = rng.random(owner.shape) < 1 / (1 + np.exp(-rng.normal(size=classes)[owner] - 2 * hand))
    answers = tabulate(layout_of(source), sampled, Scores(correct.mean(1), correct, np.ones_like(correct)))
    found = over_groups(grouped(answers, np.arange(classes * drawers) % drawers))
    assert found.unit_degrees == pytest.approx(drawers - 1)
    # What 20 hands do to the mean does not average out over the classes, as what 240 images do.
    assert found.variance > 5 * over_images(answers).variance
    of_hands = [correct[sampled.query_ids % drawers == d].mean() for d in range(drawers)]
    assert found.variance == pytest.approx(np.var(of_hands, ddof=1) / drawers, rel=0.15)
    assert found.estimate().interval is not None


@pytest.mark.parametrize("whole", [False, True])
def test_a_group_that_is_always_there_is_refused(whole: bool) -> None:
    answers = make_case(TASK, np.full(10, 20), episodes=200).answers
    groups = np.arange(200)
    groups[:20] = 0  # the whole first class
    answers = grouped(answers, groups)
    assert over_images(as_whole(answers) if whole else answers) == ALWAYS_THERE


def test_the_names_of_groups_and_the_order_of_episodes_change_nothing() -> None:
    case = make_case(TASK, np.full(10, 20), episodes=300)
    groups = np.arange(200) // 4
    backwards = Episodes(*(table[::-1].copy() for table in case.sampled.tables))
    scores = Scores(*(table[::-1].copy() for table in (case.scores.values, case.scores.correct, case.scores.asked)))
    first = over_groups(grouped(case.answers, groups))
    again = over_groups(grouped(tabulate(layout_of(case.source), backwards, scores), 7 * (groups.max() - groups)))
    assert numbers(again) == pytest.approx(numbers(first), rel=1e-9)
