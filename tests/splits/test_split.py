import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairshot.runtime.errors import FairshotError
from fairshot.sources.source import Source
from fairshot.splits.split import PARTS, Split, split_classes


def make(counts: list[int]) -> Source:
    """Classes c0, c1, ... with these numbers of images, which stand in a mixed order."""
    labels = np.random.default_rng(0).permutation(np.repeat(np.arange(len(counts)), counts))
    return Source.create(
        "toy",
        np.arange(len(labels), dtype=np.float32)[:, None],
        labels,
        class_names=tuple(f"c{number}" for number in range(len(counts))),
        parents=("p",) * len(counts),
    )


def split(counts: list[int], *, val: int = 1, novel: int = 1) -> Split:
    """The last classes are novel, those before them val, the first ones base."""
    ids = np.arange(len(counts))
    base = len(counts) - val - novel
    return split_classes("cut", make(counts), base=ids[:base], val=ids[base : base + val], novel=ids[base + val :])


def test_split_classes_gives_each_part_its_classes() -> None:
    made = split([3, 4, 5, 6])
    assert made.name == "toy/cut"
    assert [getattr(made, part).name for part in PARTS] == [f"toy/cut/{part}" for part in PARTS]
    assert [getattr(made, part).classes.tolist() for part in PARTS] == [[0, 1], [], [2], [3]]
    assert [len(getattr(made, part)) for part in PARTS] == [7, 0, 5, 6]


def test_what_is_in_none_of_the_parts_is_in_no_part() -> None:
    made = split_classes("cut", make([3, 4, 5]), base=np.array([0]), val=np.array([], dtype=int), novel=np.array([2]))
    assert sum(len(getattr(made, part)) for part in PARTS) == 8


def test_a_part_is_reached_by_its_name() -> None:
    made = split([3, 4, 5, 6])
    assert made.part("novel") is made.novel
    assert made.part("base") is made.base


def test_an_empty_part_is_refused() -> None:
    made = split([3, 4, 5], val=0)
    for name in ("val", "base_heldout"):
        with pytest.raises(FairshotError) as caught:
            made.part(name)
        hint = "; write toy/cut+6 to hold out 6 images of each base class" if name == "base_heldout" else ""
        assert str(caught.value) == f"toy/cut has no {name} part: it has base, novel{hint}"
    with pytest.raises(FairshotError) as caught:
        made.part("test")
    assert str(caught.value) == "unknown part 'test': there are: base, base_heldout, novel, val"


def test_parts_that_share_classes_are_refused() -> None:
    source = make([4, 4, 4])
    early, late = np.arange(12) < 6, np.arange(12) >= 6
    nothing = source.select(np.zeros(12, dtype=bool))
    shared = sorted(set(source.class_ids[early]) & set(source.class_ids[late]))
    with pytest.raises(FairshotError) as caught:
        Split("mine", base=source.select(early), base_heldout=nothing, val=nothing, novel=source.select(late))
    assert str(caught.value) == (
        f"mine: base and novel share {len(shared)} classes, such as '{source.class_names[shared[0]]}'"
    )


@pytest.mark.parametrize(("first", "second"), [(a, b) for number, a in enumerate(PARTS) for b in PARTS[number + 1 :]])
def test_any_two_parts_that_share_images_are_refused(first: str, second: str) -> None:
    source = make([4, 4, 4])
    nothing = source.select(np.zeros(12, dtype=bool))
    parts = dict.fromkeys(PARTS, nothing) | {
        first: source.select(np.arange(12) < 7),
        second: source.select(np.arange(12) >= 5),
    }
    with pytest.raises(FairshotError) as caught:
        Split("mine", **parts)
    assert str(caught.value) == f"mine: {first} and {second} share 2 images, such as 5"


@pytest.mark.parametrize(("first", "second"), [("base", "val"), ("base_heldout", "novel"), ("val", "novel")])
def test_only_base_and_base_heldout_may_share_classes(first: str, second: str) -> None:
    source = make([4])
    nothing = source.select(np.zeros(4, dtype=bool))
    halves = source.select(np.arange(4) < 2), source.select(np.arange(4) >= 2)
    with pytest.raises(FairshotError) as caught:
        Split("mine", **(dict.fromkeys(PARTS, nothing) | {first: halves[0], second: halves[1]}))
    assert str(caught.value) == f"mine: {first} and {second} share 1 classes, such as 'c0'"
    Split("mine", base=halves[0], base_heldout=halves[1], val=nothing, novel=nothing)


COUNTS = st.lists(st.integers(2, 12), min_size=3, max_size=8)


@given(COUNTS, st.integers(0, 1000), st.data())
def test_holding_out_a_number_parts_the_old_base(counts: list[int], seed: int, data: st.DataObject) -> None:
    old = split(counts)
    images = data.draw(st.integers(1, min(counts[:-2]) - 1), label="images")
    new = old.hold_out(images, seed=seed)
    assert sorted([*new.base.image_ids, *new.base_heldout.image_ids]) == old.base.image_ids.tolist()
    assert new.base_heldout.members.counts.tolist() == [images] * (len(counts) - 2)
    assert new.base.members.counts.tolist() == [count - images for count in counts[:-2]]
    assert (new.val.fingerprint, new.novel.fingerprint) == (old.val.fingerprint, old.novel.fingerprint)
    held = f"{images}-{seed}" if seed else f"{images}"
    assert new.base_heldout.name == f"toy/cut+{held}/base_heldout"
    assert new.base.name == f"toy/cut+{held}/base"


@given(st.lists(st.integers(5, 30), min_size=3, max_size=6), st.sampled_from([0.2, 0.25, 0.5, 0.75]))
def test_holding_out_a_share_takes_it_of_each_class(counts: list[int], share: float) -> None:
    new = split(counts).hold_out(share)
    assert new.base_heldout.members.counts.tolist() == [int(count * share) for count in counts[:-2]]


def test_a_share_is_not_rounded_down_by_the_arithmetic_of_the_machine() -> None:
    """0.29 * 100 is 28.999999999999996."""
    assert split([100, 1, 1]).hold_out(0.29).base_heldout.members.counts.tolist() == [29]


def test_a_fifth_is_held_out_unless_told_otherwise() -> None:
    assert split([20, 20, 20]).hold_out().base_heldout.members.counts.tolist() == [4]


def test_the_seed_matters_and_repeats() -> None:
    made = split([20] * 5)
    held = [made.hold_out(5, seed=seed).base_heldout.image_ids.tolist() for seed in (0, 0, 1)]
    assert held[0] == held[1]
    assert held[0] != held[2]


def test_each_image_is_held_out_about_equally_often() -> None:
    made = split([8, 5, 1, 1])
    held = np.concatenate([made.hold_out(2, seed=seed).base_heldout.image_ids for seed in range(800)])
    times = np.bincount(held, minlength=15)
    eight, five = (times[made.base.image_ids[made.base.class_ids == label]] for label in (0, 1))
    assert (np.abs(eight - 200) < 5 * np.sqrt(800 * 0.25 * 0.75)).all()
    assert (np.abs(five - 320) < 5 * np.sqrt(800 * 0.4 * 0.6)).all()


@pytest.mark.parametrize("images", [0, -1, 4, 5, 0.0, 0.2, 1.0, 1.5])
def test_what_leaves_a_side_empty_is_refused(images: float) -> None:
    with pytest.raises(FairshotError) as caught:
        split([9, 4, 6, 5, 5]).hold_out(images)
    first = {0: (9, "c0"), -1: (9, "c0"), 1.0: (9, "c0"), 1.5: (9, "c0")}.get(images, (4, "c1"))
    assert str(caught.value) == (
        f"cannot hold out {images} of the {first[0]} images of '{first[1]}': both sides need at least one"
    )


def test_holding_out_twice_is_refused_because_it_would_lose_images() -> None:
    once = split([20, 20, 5, 5]).hold_out(5)
    with pytest.raises(FairshotError) as caught:
        once.hold_out(5)
    assert str(caught.value) == f"{once.name} has held-out images already: hold out all of them at once"


def test_golden_held_out_images_do_not_change() -> None:
    held = split([6, 6, 1, 1]).hold_out(2, seed=7).base_heldout
    assert held.image_ids.tolist() == [1, 3, 5, 9]
