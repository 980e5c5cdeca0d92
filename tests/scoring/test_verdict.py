"""One sentence about many numbers: it names one winner, or none, and never one that a number speaks against."""

import re

from hypothesis import given
from hypothesis import strategies as st

from fairshot.scoring.sample_scores import SetDifference
from fairshot.scoring.verdict import verdict

SCALE = "(0: as people draw; 1: as far as exact copies, or as samples that are recognised by chance)"
METRICS = ("distance", "class_distance")


def apart(one: str, other: str, metric: str, value: float, *, clear: bool | None) -> SetDifference:
    """A difference that is clear, is not, or has no interval (None); none at all has none either."""
    clear = clear if value else None
    half = abs(value) / 2 if clear else 2 * abs(value) + 0.1
    told = {"interval": None, "p": None, "holm": None, "note": "too few"}
    if clear is not None:
        told = {"interval": (value - half, value + half), "p": 0.01, "holm": 0.02 if clear else 0.3, "note": ""}
    return SetDifference(first=one, second=other, metric=metric, value=value, population="classes", flips=None, **told)


def made(far: dict[str, tuple[float, float]], clear: dict[str, bool | None]) -> str:
    """The verdict on sets with two distances each, all pairs of a measure being clear, or not."""
    values = {metric: {name: own[place] for name, own in far.items()} for place, metric in enumerate(METRICS)}
    names = list(far)
    differences = [
        apart(one, other, metric, values[metric][one] - values[metric][other], clear=clear[metric])
        for metric in METRICS
        for place, one in enumerate(names)
        for other in names[place + 1 :]
    ]
    beside = [
        apart(name, "human", metric, value, clear=True)
        for name in names
        for metric, value in (("diversity", -0.2), ("recognizability", 0.01))
    ]
    return verdict(values, [*beside, *differences])


SURE = dict.fromkeys(METRICS, True)


def test_one_set() -> None:
    assert made({"a": (0.284, 0.3)}, SURE) == (
        f"a is 0.28 from people {SCALE}: less diverse than people and recognised more often than people."
    )


def test_both_measures_name_the_same_set() -> None:
    assert made({"b": (0.5, 0.6), "a": (0.28, 0.4)}, SURE) == (
        f"Of the two sets, a is nearest to people by its distance of 0.28 {SCALE} and class by class: less diverse than "
        "people and recognised more often than people."
    )


def test_two_measures_that_disagree_name_no_winner() -> None:
    assert made({"a": (0.28, 0.9), "b": (0.5, 0.6), "c": (2.0, 2.0)}, SURE) == (
        "Which of 3 sets is nearest to people cannot be said, as two ways to measure it disagree: by the distance of "
        f"the means over classes {SCALE} it is a (0.28), and class by class b (0.60)."
    )


def test_what_is_not_clear_is_not_said() -> None:
    far = {"a": (0.28, 0.3), "b": (0.3, 0.4)}
    unsure = (
        f"Which of a (0.28) and b (0.30) is nearer to people cannot be told for other classes by their distance {SCALE}"
    )
    for lacking in (False, None):
        assert made(far, dict.fromkeys(METRICS, lacking)) == f"{unsure}, nor class by class."
    assert made(far, {"distance": False, "class_distance": True}) == (
        f"{unsure}; class by class a is nearer than the rest."
    )
    assert made(far, {"distance": True, "class_distance": False}) == (
        f"Of the two sets, a is nearest to people by its distance of 0.28 {SCALE}, but class by class it cannot be "
        "distinguished from b."
    )


def test_beside_people_without_an_interval_only_these_classes_are_spoken_of() -> None:
    values = {metric: {"a": 0.3} for metric in METRICS}
    told = [
        apart("a", "human", "diversity", 0.2, clear=None),
        apart("a", "human", "recognizability", -0.1, clear=False),
    ]
    assert verdict(values, told) == (
        f"a is 0.30 from people {SCALE}: more diverse than people on these classes and recognised not clearly more or "
        "less often than people."
    )


def test_people_alone_and_people_without_a_scale() -> None:
    assert verdict({}) == ""
    assert verdict({"distance": {}, "class_distance": {}}) == ""
    assert verdict({}, lacking="why") == "How far samples are from people cannot be told: why."


numbers = st.sampled_from([0.0, 1e-12, 0.1, 0.1001, 1.0, 1e6])


@given(
    st.lists(st.tuples(numbers, numbers), min_size=2, max_size=4),
    st.fixed_dictionaries({metric: st.sampled_from([True, False, None]) for metric in METRICS}),
)
def test_the_verdict_never_contradicts_the_numbers(
    points: list[tuple[float, float]], clear: dict[str, bool | None]
) -> None:
    far = dict(zip("abcd", points, strict=False))
    text = made(far, clear)
    assert re.search(r"nan|None|inf\b|-0\.0|\+0\.0| 1 sets", text) is None
    assert text.endswith(".")
    best = [
        {name for name in far if not clear[metric] or far[name][place] == min(own[place] for own in far.values())}
        for place, metric in enumerate(METRICS)
    ]
    named = re.match(r"Of .+ sets, (\w) is nearest to people by its distance", text)
    assert bool(named) == (len(best[0]) == 1 and bool(best[0] & best[1])), text
    if named:
        assert named[1] in best[0] & best[1]
        assert ("and class by class: " in text) == (best[1] == best[0])
    contained = best[0] <= best[1] or best[1] <= best[0]
    assert ("disagree" in text) == (not contained), text
    assert text.count("nearest") <= 1, "no two winners"
