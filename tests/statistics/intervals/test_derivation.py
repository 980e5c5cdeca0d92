"""The page, the plain loops and the fast code say the same: every equation of docs/derivation.md, on small cases."""

import re
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairshot.statistics import comparison, estimate, forecast, ratio, sequential
from fairshot.statistics.answers import Answers, layout_of, tabulate
from fairshot.statistics.estimate import Spread
from fairshot.statistics.intervals import class_pairs, images, runs
from fairshot.statistics.intervals.classes import over_classes
from fairshot.statistics.intervals.episodes import over_episodes
from fairshot.statistics.intervals.groups import over_groups
from fairshot.statistics.intervals.parents import over_parents
from fairshot.statistics.intervals.units import Draws
from fairshot.statistics.scores import Scores
from fairshot.tasks.meta_dataset import MetaDataset
from fairshot.tasks.task import TaskDistribution
from fairshot.tasks.uniform import Uniform
from fairshot.tasks.whole_parent import WholeParent
from fairshot.tasks.within_parent import WithinParent
from tests.paths import ROOT
from tests.statistics import reference
from tests.statistics.worlds import make_case, make_source, random_scores

PAGE = ROOT / "docs" / "derivation.md"
CITED = re.compile(r"\(D(\d+)\)")
TO = re.compile(r"\(D(\d+)\)\s+to\s+\(D(\d+)\)")
CLOSE = {"rel": 1e-9, "abs": 1e-15}


def numbers_in(text: str) -> set[int]:
    """All equation numbers of a text, with those between the ends of a range."""
    between = {n for low, high in TO.findall(text) for n in range(int(low), int(high) + 1)}
    return {int(number) for number in CITED.findall(text)} | between


def test_every_equation_has_one_number_and_is_cited_and_every_citation_has_an_equation() -> None:
    blocks = re.findall(r"```text\n(.*?)```", PAGE.read_text(), re.S)
    defined = [int(number) for block in blocks for number in re.findall(r"\(D(\d+)\)$", block, re.M)]
    assert defined == list(range(1, len(defined) + 1))
    sources = [*(ROOT / "src").rglob("*.py"), *(ROOT / "tests").rglob("*.py")]
    cited = {number for path in sources for number in numbers_in(path.read_text())}
    assert cited == set(defined)
    assert numbers_in(PAGE.read_text()) == set(defined)


def answered(
    task: TaskDistribution, counts: list[int], *, seed: int, parents: int = 1, dropped: float = 0.0
) -> Answers:
    """The answers of one simulated learner; a share of the queries is not asked, so that classes differ in queries."""
    rng = np.random.default_rng(seed)
    source = make_source(np.array(counts), parents)
    sampled = task.sample(source, range(30 + 2 * seed), seed)
    scores = random_scores(source, sampled, rng)
    asked = scores.asked & (rng.random(scores.asked.shape) >= dropped)
    asked[:, 0] = scores.asked[:, 0]
    correct = scores.correct & asked
    return tabulate(layout_of(source), sampled, Scores(correct.sum(1) / asked.sum(1), correct, asked))


def grouped(answers: Answers, kind: str) -> Answers:
    image = np.arange(len(answers.layout.owner))
    groups = {"pairs": image // 2, "hands": image % 9, "some": np.where(image % 9 < 4, image % 9, 100 + image)}[kind]
    return replace(answers, layout=replace(answers.layout, groups=groups))


def whole(answers: Answers) -> Answers:
    return replace(answers, values=answers.scores**2)


def second_learner(answers: Answers) -> Answers:
    correct = np.random.default_rng(99).random(len(answers.correct)) < 0.6
    return replace(answers, correct=correct.astype(np.float64))


UNEVEN = [7, 9, 8, 12, 8, 10, 7]
CASES = {
    "one shot": lambda: answered(Uniform(way=3, shot=1, query=2), [7] * 6, seed=0),
    "uneven classes": lambda: answered(Uniform(way=3, shot=2, query=3), UNEVEN, seed=1),
    "uneven queries": lambda: answered(Uniform(way=3, shot=3, query=3), UNEVEN, seed=2, dropped=0.5),
    "within parents": lambda: answered(
        WithinParent(way=2, shot=2, query=2), [6, 8] * 4, seed=3, parents=2, dropped=0.3
    ),
    "whole parents": lambda: answered(WholeParent(shot=1, query=2), [6] * 7, seed=4, parents=3),
    "mixed parents": lambda: answered(Uniform(way=3, shot=1, query=2), [6] * 9, seed=5, parents=4, dropped=0.3),
    "variable way": lambda: answered(MetaDataset(), [20, 14, 18, 12, 25, 16, 13, 15], seed=8),
    "a difference": lambda: (lambda one: replace(one, correct=one.correct - second_learner(one).correct))(
        answered(Uniform(way=3, shot=2, query=3), UNEVEN, seed=6)
    ),
}
every_case = pytest.mark.parametrize("name", CASES)


def assert_same(spread: Spread | str, result: reference.Result) -> None:
    assert isinstance(spread, Spread), spread
    for name in ("value", "variance", "sampling", "noise", "unit_degrees"):
        assert getattr(spread, name) == pytest.approx(getattr(result, name), **CLOSE), name


@every_case
def test_fresh_images(name: str) -> None:
    answers = CASES[name]()
    assert_same(images.over_images(answers), reference.over_images(reference.world_of(answers)))


@every_case
@pytest.mark.parametrize("episodes", [20, 10_000])  # too few to know what classes do to a whole score (D20), and all
def test_fresh_images_of_whole_episodes(name: str, episodes: int) -> None:
    answers = whole(CASES[name]().first(episodes))
    if name == "variable way":
        reason = "a class has 13 images, and queries that are not judged one by one need 14 to leave one out"
        assert images.over_images(answers) == reason
        return
    assert_same(images.over_images(answers), reference.over_images(reference.world_of(answers)))


@every_case
@pytest.mark.parametrize("kind", ["pairs", "hands", "some"])
@pytest.mark.parametrize("as_whole", [False, True])
def test_fresh_groups(name: str, kind: str, as_whole: bool) -> None:
    answers = grouped(whole(CASES[name]()) if as_whole else CASES[name](), kind)
    spread = over_groups(answers)
    if isinstance(spread, str):
        assert spread == "a group of images is in nearly every episode of its class: none can be left out"
    else:
        assert_same(spread, reference.over_groups(reference.world_of(answers)))


@every_case
def test_fresh_classes(name: str) -> None:
    answers = CASES[name]()
    spread = over_classes(answers)
    if name == "whole parents":
        assert spread == "the episodes hold all classes there are: they tell nothing about others"
    else:
        assert_same(spread, reference.over_classes(reference.world_of(answers)))


def test_fresh_units_of_several_classes() -> None:
    answers = CASES["uneven queries"]()
    answers = replace(answers, layout=replace(answers.layout, units=np.array([0, 0, 1, 2, 2, 2, 3])))
    assert_same(over_classes(answers), reference.over_classes(reference.world_of(answers)))


@pytest.mark.parametrize("favoured", [1, 2, 4])
def test_classes_that_are_drawn_unevenly(favoured: int) -> None:
    answers = answered(Uniform(way=3, shot=1, query=1), [6] * 9, seed=9)
    kept = [t for t in range(answers.episodes) if (answers.class_row[answers.episode == t] < favoured).any()]
    member = np.isin(answers.episode, kept)
    chosen = replace(
        answers, episode=np.searchsorted(kept, answers.episode[member]), class_row=answers.class_row[member]
    )
    world = reference.world_of(answers)
    world.episodes = [world.episodes[t] for t in kept]
    draws = Draws(chosen, np.zeros(9, dtype=np.int64), np.arange(9))
    assert draws.uneven == reference.drawn_unevenly(world) == (favoured == 1)


@pytest.mark.parametrize("name", ["within parents", "whole parents", "mixed parents"])
def test_fresh_parents(name: str) -> None:
    answers = CASES[name]()
    assert_same(over_parents(answers), reference.over_parents(reference.world_of(answers)))


@pytest.mark.parametrize("name", ["one shot", "uneven queries", "within parents"])
def test_fresh_runs(name: str) -> None:
    first = CASES[name]()
    tables = [first, second_learner(first), replace(first, correct=1 - second_learner(first).correct)]
    scores = np.stack([table.scores for table in tables])
    worlds = [reference.world_of(table) for table in tables]
    assert_same(runs.over_runs(scores), reference.over_runs(scores.tolist()))
    assert_same(runs.over_runs_and_classes(tables), reference.over_runs_and_classes(worlds))
    both = runs.over_runs_of_both(scores, scores[:2])
    assert_same(both, reference.over_runs_of_both(scores.tolist(), scores[:2].tolist()))


spreads = st.builds(
    Spread,
    value=st.floats(0.02, 0.98),
    population=st.just("classes"),
    variance=st.floats(-1e-4, 1e-2),
    sampling=st.floats(1e-5, 1e-3),
    noise=st.floats(0, 2e-3),
    unit_degrees=st.floats(1, 200),
    episodes=st.integers(2, 5000),
    units=st.integers(0, 150),
)


def as_result(spread: Spread) -> reference.Result:
    names = ("value", "variance", "sampling", "noise", "unit_degrees", "episodes")
    return reference.Result(*(getattr(spread, name) for name in names))


@given(spreads, st.booleans(), st.sampled_from([None, 0.05, 0.2, 0.9]), st.sampled_from([0.8, 0.95]))
@settings(max_examples=200)
def test_intervals(spread: Spread, difference: bool, worst: float | None, level: float) -> None:
    result = as_result(spread)
    assert spread.degrees == pytest.approx(reference.degrees(result)[0], rel=1e-9)
    assert spread.p_value == pytest.approx(reference.p_value(result), rel=1e-9, abs=1e-300)
    given_interval = spread.estimate(level, difference=difference, worst=worst)
    if spread.noise > 0.5 * spread.total:
        needed = reference.needed_episodes(result)
        sure = "about" if spread.variance > spread.noise else "at least"
        assert f"{sure} {needed:,} are needed" in given_interval.reason
    else:
        expected = reference.interval(result, level, difference=difference, worst=worst, F=spread.units)
        assert given_interval.interval == pytest.approx(expected, rel=1e-9, abs=1e-12)


@given(st.integers(1, 500))
def test_the_share_of_hopeless_classes(units: int) -> None:
    assert estimate.unseen_share(units) == pytest.approx(reference.unseen_share(units), rel=1e-9)


@given(st.integers(2, 2000), st.sampled_from([0.9, 0.95]), st.floats(0.001, 0.1))
def test_the_sampler_once_and_at_any_time(episodes: int, level: float, wanted: float) -> None:
    scores = np.random.default_rng(episodes).random(episodes)
    values, mean = scores.tolist(), scores.mean()
    usual = over_episodes(scores, level, difference=True)
    assert usual.high - mean == pytest.approx(reference.usual_half(values, level), rel=1e-9)
    cut = over_episodes(scores, level)
    assert (cut.low, cut.high) == (max(usual.low, 0.0), min(usual.high, 1.0))
    assert sequential.halfwidth(scores, level) == pytest.approx(reference.sequence_half(values, level), rel=1e-9)
    assert sequential.inflation(scores, level) == pytest.approx(reference.inflation(values, level), rel=1e-9)
    assert sequential.next_look([scores], wanted, 10**9) == reference.next_look(values, wanted)


def test_differences_with_what_could_be_told_apart() -> None:
    first = answered(Uniform(way=3, shot=1, query=3), UNEVEN, seed=60)
    answers = replace(first, correct=first.correct - second_learner(first).correct)
    result = reference.over_images(reference.world_of(answers))
    difference = comparison.judge_spread(images.over_images(answers), result.value, "images")
    assert difference.p_value == pytest.approx(reference.p_value(result), rel=1e-9)
    expected = reference.detectable(result, 0.95)
    assert (difference.detectable, difference.times_needed) == pytest.approx(expected, rel=1e-9)


def test_ratios() -> None:
    top = CASES["uneven queries"]()
    bottom = second_learner(top)
    found = ratio.ratio_of(top, bottom, top.scores, bottom.scores)
    world = reference.ratio_world(reference.world_of(top), reference.world_of(bottom))
    for population, result in (("images", reference.over_images(world)), ("classes", reference.over_classes(world))):
        if found[population].interval is None:
            assert result.noise > 0.5 * (max(result.variance, 0.0) + result.sampling)
            continue
        expected = reference.interval(result, 0.95, difference=True, worst=None, F=0)
        assert found[population].interval == pytest.approx(expected, rel=1e-9), population
    assert found["episodes"].interval is not None
    q, tops, bottoms = found["episodes"].value, top.scores.mean(), bottom.scores.mean()
    halves = [1.96 * scores.std(ddof=1) / np.sqrt(len(scores)) for scores in (top.scores, bottom.scores)]
    half = q * np.sqrt((halves[0] / tops) ** 2 + (halves[1] / bottoms) ** 2)  # (D50)
    assert ratio.in_quadrature(top.scores, bottom.scores) == pytest.approx((q - half, q + half), rel=1e-9)


def test_pairs_of_classes() -> None:
    answers = answered(Uniform(way=3, shot=1, query=3), [6] * 9, seed=7)
    found, (effects, variance, noise) = (
        class_pairs.pair_effects(answers),
        reference.class_pairs(reference.world_of(answers)),
    )
    assert (found.variance, found.noise) == pytest.approx((variance, noise), rel=1e-9)
    for (c, d), effect in effects.items():
        assert found.effects[c, d] == pytest.approx(effect, **CLOSE)


@given(
    st.floats(-0.2, 0.2),
    st.builds(
        forecast.Between,
        st.floats(1e-6, 1e-2),
        st.floats(0, 1e-3),
        st.floats(1, 80),
        st.integers(4, 80),
        st.floats(-1e-4, 1e-3),
    ),
    st.sampled_from([None, 3, 20, 300]),
    st.sampled_from([0.5, 1.0, 3.0]),
)
def test_forecasts(d: float, between: forecast.Between, n: int | None, tau: float) -> None:
    known = reference.Between(between.variance, between.sampling, between.degrees, between.units, between.pairs)
    found = forecast.forecast(d, between, units=n, prior=tau)
    expected = reference.forecast(d, known, n or between.units, tau)
    assert (found.probability, found.low, found.high, found.if_true) == pytest.approx(expected, rel=1e-9, abs=1e-15)


def test_the_prior_of_many_pairs() -> None:
    rng, between = np.random.default_rng(0), forecast.Between(0.7, 0.2, 30.0, 20)
    known = reference.Between(0.7, 0.2, 30.0, 20, 0.0)
    for scale in (0.2, 1.5, 9.0):
        seen = (scale * rng.normal(size=31)).tolist()
        expected = reference.estimated_prior(seen, [known] * 31)
        assert forecast.estimate_prior(seen, [between] * 31) == pytest.approx(expected, rel=1e-9)


def test_leaving_out_an_image_moves_the_mean_as_the_page_says() -> None:
    """(D4) and (D13) on all episodes there are: 2-way 1-shot 1-query, any answers at all."""
    owner, rng = np.repeat([0, 1], [4, 5]), np.random.default_rng(0)
    right = rng.random((9, 9, 9))  # of a query, with a support image of its own class and one of the other

    def every_episode(left: set[int]) -> list[tuple[tuple[int, int], tuple[int, int], float, float]]:
        first, second = ([i for i in left if owner[i] == c] for c in (0, 1))
        return [
            ((s, q), (u, p), right[q, s, u], right[p, u, s])
            for s, q in permutations(first, 2)
            for u, p in permutations(second, 2)
        ]

    def mean_score(left: set[int]) -> float:
        return float(np.mean([(a + b) / 2 for _, _, a, b in every_episode(left)]))

    everything = set(range(9))
    for i in everything:
        c, psi = int(owner[i]), []
        n = int((owner == c).sum())
        for *members, a, b in every_episode(everything):
            support, query = members[c]
            own, other = (a, b) if c == 0 else (b, a)
            h_own, h_other = own / 2, other / 2
            x, y = n / (n - 1) * h_other + n / (n - 2) * h_own, n / (n - 2) * h_own  # (D14)
            psi.append(x * (i == support) + y * (i == query) - (x + y) / n)
        assert mean_score(everything - {i}) - mean_score(everything) == pytest.approx(-np.mean(psi), abs=1e-12)


GOLDEN = {
    "images": [0.6112000000000001, 0.00014654461358047468, 3.4350865356677965e-05, 40.08982651015127],
    "classes": [0.6112000000000001, 0.0008441478606976598, 0.0001321469273265284, 18.7182385916857],
}


def test_golden_spreads_do_not_change() -> None:
    counts = np.array([15, 18, 40, 22, 31, 16, 19, 60, 25, 21, 17, 33] * 2)
    answers = make_case(Uniform(way=5, shot=5, query=8), counts, episodes=500, seed=1).answers
    for name, spread in (("images", images.over_images(answers)), ("classes", over_classes(answers))):
        numbers = [spread.value, spread.variance, spread.noise, spread.degrees]
        np.testing.assert_allclose(numbers, GOLDEN[name], rtol=1e-9)
