import numpy as np

from fairshot.studies.kinds.probe_benchmarks import Benchmark, ProbeSetting, ProbeTask, repeat_probe
from fairshot.studies.kinds.simulated_benchmarks import Cifar, Gaussian
from fairshot.studies.probe_coverage import STUDY, ProbeCoverage


def test_the_settings_are_as_many_and_as_different_as_promised() -> None:
    settings = STUDY.settings
    assert len({(repr(s.world), repr(s.task), s.episodes) for s in settings}) >= 12
    assert {s.world.classes for s in settings} >= {10, 100}
    assert {s.task.shot for s in settings if isinstance(s, ProbeSetting)} >= {1, 16}
    assert {s.episodes[0] for s in settings} >= {3, 100}
    assert any(isinstance(s.world, Cifar) for s in settings)
    assert len({s.label for s in settings}) == len(settings)


def test_a_population_keeps_what_it_does_not_ask_about() -> None:
    world, task = Gaussian(5, images=(8, 8)), ProbeTask(2, 4)
    labels, test = (ProbeSetting(world, task, 3, name) for name in ("labels", "test"))
    first, again = (Benchmark(labels, repetition) for repetition in (0, 4))
    assert labels.set_of(0) == labels.set_of(4)
    assert (first.support != again.support).any()
    fixed, other = (Benchmark(test, repetition) for repetition in (0, 4))
    assert (fixed.support == other.support).all()
    assert (fixed.answers().correct != other.answers().correct).any()


def test_a_repetition_gives_the_mean_and_two_intervals() -> None:
    setting = ProbeSetting(Gaussian(6, images=(12, 12)), ProbeTask(2, 5), 5, "labels")
    ends = repeat_probe(setting, 0)
    assert ends.shape == (1, 5)
    assert ends[0, 3] < ends[0, 0] < ends[0, 4]
    assert (ends == repeat_probe(setting, 0)).all()
    scores = Benchmark(setting, 0).answers().scores[:3]
    np.testing.assert_allclose(ends[0, 1:3], [scores.mean() - scores.std(ddof=1), scores.mean() + scores.std(ddof=1)])


def test_a_short_run_has_a_row_for_each_setting() -> None:
    from fairshot.studies.study import run

    settings = tuple(
        ProbeSetting(Gaussian(6, images=(12, 12)), ProbeTask(2, 5), 4, name) for name in ("labels", "test", "classes")
    )
    found = run(ProbeCoverage(title="t", paper="p", settings=settings, repetitions=20))
    assert [row.population for row in found.rows] == ["labels", "test", "classes"]
    assert "mean ± sd of 3" in found.to_markdown()
