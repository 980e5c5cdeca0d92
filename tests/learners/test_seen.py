"""A fitted learner remembers what it saw, under any recipe and through rotations."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from fairshot.checks.check import Case
from fairshot.checks.trained_on import TrainedOn
from fairshot.evaluation.diagnose import diagnose
from fairshot.evaluation.evaluate import evaluate
from fairshot.learners import seen as seen_module
from fairshot.learners.fitted import Fitted
from fairshot.learners.foreign.code import Foreign
from fairshot.learners.seen import refuse_seen, remember, remember_both, warnings_of
from fairshot.learners.training.plan import Plan
from fairshot.runtime.errors import FairshotError
from fairshot.sources.array import from_arrays
from fairshot.sources.source import Source
from fairshot.sources.union import join
from fairshot.specs.data import find_part, find_split
from fairshot.specs.learners import find_learner
from fairshot.splits.split import Split
from fairshot.tasks.uniform import Uniform

PARTS = ("base", "base_heldout", "novel")
GLYPHS = "glyphs:alphabets=4,characters=5"


def test_base_is_refused_novel_is_not_and_held_out_images_are_noted() -> None:
    split = find_split(GLYPHS, "parents+6", recipe="16")
    seen = remember(split.base)
    assert refuse_seen("it", seen, split.novel) == []
    assert refuse_seen("it", seen, split.base_heldout) == [
        "it was trained on other images of these classes: accuracy within the distribution of training"
    ]
    with pytest.raises(FairshotError) as caught:
        refuse_seen("it", seen, split.base)
    count, classes = f"{len(split.base):,}", len(split.base.classes)
    assert str(caught.value) == (
        f"it was trained on {split.base.name}, which holds {count} of the {count} images and {classes} of the {classes} "
        f"classes of {split.base.name}: choose a learner or a part without overlap, or set allow_seen, which is noted"
    )


def test_another_size_and_the_whole_source_are_recognised() -> None:
    seen = remember(find_split(GLYPHS, "parents", recipe="16").base)
    whole = find_part(GLYPHS, recipe="28")
    images, classes = seen.overlap(whole)
    assert (images, classes) == (len(seen.images), len(seen.classes))
    assert refuse_seen("it", seen, whole, allow=True)[0].endswith("allowed to be seen")


def test_copies_in_another_source_are_recognised_by_their_pixels() -> None:
    base = find_split(GLYPHS, "parents", recipe="16").base
    copied = np.concatenate([base.read(slice(0, 7)), 255 - base.read(slice(7, 30))])
    foreign = from_arrays(copied, np.repeat([0, 1, 2], 10))
    assert remember(base).overlap(foreign) == (7, 1)


def test_vinyals_base_holds_alphabets_of_the_evaluation_set_through_rotations(
    omniglot: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Images of one source are known by their places: what they look like is not asked here, and takes long to see.
    monkeypatch.setattr(seen_module, "_likeness", lambda part: np.empty((0, 1)))
    monkeypatch.setattr(seen_module, "pack", lambda codes: None)
    seen = remember(find_split("omniglot", "vinyals").base)
    assert len(seen.images) == 20_560
    lake = find_split("omniglot", "lake")
    assert seen.overlap(lake.novel) == (4_720, 236)
    assert seen.overlap(find_split("omniglot", "vinyals", recipe="raw").novel) == (0, 0)
    turned = remember(find_split("omniglot", "vinyals").novel)
    assert turned.overlap(lake.base) == (0, 0)
    assert turned.overlap(lake.novel) == (8_460, 423)


def test_evaluation_refuses_what_was_seen_and_says_what_was_allowed() -> None:
    split = find_split(GLYPHS, "parents", recipe="16")
    plan = Plan(way=4, shot=1, query=2, steps=2, epoch=1)
    fitted = find_learner("prototypes").fit(split.base, plan=plan)
    tasks = [Uniform(way=3, shot=1, query=2)]
    assert evaluate(split.novel, {"it": fitted}, tasks, episodes=4).rows[0].warnings == []
    with pytest.raises(FairshotError, match=r"it was trained on .*/base, which holds"):
        evaluate(split.base, {"it": fitted}, tasks, episodes=4)
    result = evaluate(split.base, {"it": fitted}, tasks, episodes=4, allow_seen=True)
    assert [row.warnings[0].rpartition(": ")[2] for row in result.rows] == ["allowed to be seen"]


def trained_under(recipe: str, split: str = "parents") -> Fitted:
    plan = Plan(way=4, shot=1, query=2, steps=1, epoch=1)
    return find_learner("prototypes").fit(find_split(GLYPHS, split, recipe=recipe).base, plan=plan)


def test_another_recipe_of_the_same_size_is_noted_in_every_row() -> None:
    fitted, tasks = trained_under("diversity-grey"), [Uniform(way=3, shot=1, query=2)]
    said = (
        "it was trained under the recipe diversity-grey, and the recipe 50 is used here: use the recipe diversity-grey"
    )
    learners = {"it": fitted, "mine": Foreign(fitted, ""), "other": find_learner("prototypes")}
    rows = evaluate(find_split(GLYPHS, "parents", recipe="50").novel, learners, tasks, episodes=2).rows
    assert [row.warnings for row in rows] == [[said], [said.replace("it", "mine", 1)], []]
    own = find_split(GLYPHS, "parents", recipe="diversity-grey").novel
    assert evaluate(own, {"it": fitted}, tasks, episodes=2).rows[0].warnings == []
    seen = evaluate(
        find_split(GLYPHS, "parents", recipe="50").base, {"it": fitted}, tasks, episodes=2, allow_seen=True
    ).rows
    assert seen[0].warnings[1:] == [said]


def test_the_same_recipe_with_and_without_rotations_is_no_other_one() -> None:
    part = find_split(GLYPHS, "parents", recipe="centroid-upright").novel
    assert warnings_of("it", trained_under("centroid"), part) == []
    assert len(warnings_of("it", trained_under("28"), part)) == 1


def test_the_part_that_a_snapshot_was_chosen_on_is_noted_not_refused() -> None:
    split, tasks = find_split(GLYPHS, "parents", recipe="16"), [Uniform(way=3, shot=1, query=2)]
    plan = Plan(way=4, shot=1, query=2, steps=2, epoch=1, val_episodes=2, val_way=3)
    fitted = find_learner("prototypes").fit(split.base, split.val, plan=plan)
    said = "the snapshot of it was chosen on {}, so what it scores here is a little too good"
    (row,) = evaluate(split.val, {"it": fitted}, tasks, episodes=2).rows
    assert row.warnings == [said.format("this part")]
    assert evaluate(split.novel, {"it": fitted}, tasks, episodes=2).rows[0].warnings == []
    whole = warnings_of("it", fitted, find_part(GLYPHS, recipe="16"), allow=True)
    assert whole[1:] == [said.format(f"{len(split.val.classes)} of the 20 classes of this part")]
    elsewhere = from_arrays(split.val.read(slice(None)), split.val.class_ids)
    assert refuse_seen("it", fitted.seen, elsewhere) == []
    single = find_learner("prototypes").fit(split.base, split.val, plan=replace(plan, steps=1))
    assert warnings_of("it", single, split.val) == []


def test_a_diagnosis_tells_what_was_allowed() -> None:
    split, fitted = find_split(GLYPHS, "parents", recipe="16"), trained_under("16")
    task = Uniform(way=3, shot=1, query=2)
    told = diagnose(split.base, fitted, task, name="it", episodes=4, searched=0, allow_seen=True).notes
    assert warnings_of("it", fitted, split.base, allow=True)[0] in told


def test_a_check_finds_what_was_trained_on() -> None:
    split = find_split(GLYPHS, "parents+6", recipe="16")
    fitted = find_learner("prototypes").fit(split.base, plan=Plan(way=4, shot=1, query=2, steps=1, epoch=1))
    look = {part: TrainedOn().find(Case(fitted, split.part(part), Uniform(way=3, shot=1, query=2))) for part in PARTS}
    assert {part: found.outcome for part, found in look.items()} == {
        "base": "leak",
        "base_heldout": "ok",
        "novel": "ok",
    }
    count, classes = f"{len(split.base):,}", len(split.base.classes)
    assert look["base"].seen == (
        f"{count} of {count} images and {classes} of {classes} classes were seen in training on {split.base.name}"
    )
    untrained = TrainedOn().find(Case(find_learner("prototypes"), split.base, Uniform(way=3)))
    assert untrained.outcome == "not applicable"


def test_weights_that_begin_with_others_remember_what_both_saw(tmp_path: Path) -> None:
    split = find_split(GLYPHS, "parents", recipe="16")
    plan = Plan(way=4, shot=1, query=2, steps=1, epoch=1, rate=1e-9)
    first = find_learner("prototypes").fit(split.val, plan=replace(plan, way=3), out=tmp_path / "first")
    again = replace(plan, begin=str(tmp_path / "first"))
    second = find_learner("siamese").fit(split.base, plan=again, out=tmp_path / "second")
    for name, value in first.model.network.state_dict().items():
        if "num_batches" not in name and "running" not in name:
            torch.testing.assert_close(value, second.model.network.state_dict()[name], rtol=0, atol=1e-6)
    kept = find_learner(str(tmp_path / "second"))
    for fitted in (second, kept):
        assert fitted.seen.overlap(split.val) == (len(split.val), len(split.val.classes))
        assert fitted.seen.overlap(split.base) == (len(split.base), len(split.base.classes))
        assert fitted.seen.overlap(split.novel) == (0, 0)
        assert fitted.seen.part == f"{split.val.name}, then {split.base.name}"
    with pytest.raises(
        FairshotError,
        match=r"^the training has a network ccn for 1x16 and would begin with one conv4 for 1x16: change network or recipe$",
    ):
        find_learner("prototypes").fit(split.base, plan=replace(again, network="ccn"))


CHANGES = {
    "mirrored": lambda images: images[:, :, :, ::-1],
    "turned": lambda images: np.rot90(images, axes=(2, 3)),
    "inverted": lambda images: 255 - images,
    "lighter": lambda images: np.rint(0.7 * images + 60).astype(np.uint8),
    "shifted": lambda images: np.roll(images, 1, axis=2),
}


@pytest.fixture(scope="module")
def halves() -> Split:
    return find_split("glyphs:alphabets=10,characters=6", "parents", recipe="28")


@pytest.mark.parametrize("change", CHANGES)
def test_copies_with_a_change_are_recognised_in_another_source(change: str, halves: Split) -> None:
    seen, base = remember(halves.base), halves.base
    part = from_arrays(np.ascontiguousarray(CHANGES[change](base.read(slice(0, 200)))), np.arange(200) // 20)
    assert seen.overlap(part) == (0, 0)
    assert seen.copies_in(part) > 0.6 * len(part)
    with pytest.raises(
        FairshotError, match=r"^it was trained on .*/base, which holds copies with a change \(mirrored, "
    ):
        refuse_seen("it", seen, part)
    assert refuse_seen("it", seen, part, allow=True)[0].endswith(" of the 200 images of array: allowed to be seen")


def test_a_few_copies_are_told_and_different_drawings_are_none(halves: Split) -> None:
    seen, novel = remember(halves.base), np.array(halves.novel.read(slice(None)))
    clean = from_arrays(novel, halves.novel.class_ids)
    assert refuse_seen("it", seen, clean) == []
    novel[:5] = halves.base.read(slice(0, 5))[:, :, ::-1]
    assert refuse_seen("it", seen, from_arrays(novel, halves.novel.class_ids, name="drawn")) == [
        f"it was trained on {halves.base.name}, which holds copies with a change (mirrored, turned, shifted, recompressed) "
        f"of 5 of the {len(novel)} images of drawn: what it scores here may be too good"
    ]


def test_likeness_is_kept_with_the_weights_and_older_files_have_none(tmp_path: Path, halves: Split) -> None:
    plan = Plan(way=4, shot=1, query=2, steps=1, epoch=1)
    fitted = find_learner("prototypes").fit(halves.base, plan=plan, out=tmp_path / "run")
    kept = find_learner(str(tmp_path / "run")).seen
    np.testing.assert_array_equal(kept.likeness.codes, fitted.seen.likeness.codes)
    assert kept.likeness.codes.nbytes == 16 * len(halves.base)
    mirrored = from_arrays(halves.base.read(slice(None))[:, :, :, ::-1].copy(), halves.base.class_ids)
    assert kept.copies_in(mirrored) > 0.9 * len(mirrored)
    assert find_learner("prototypes@omniglot-lake").seen.copies_in(mirrored) == 0
    twice = remember_both(remember(halves.novel), kept)
    assert len(twice.likeness.codes) == len(halves.base) + len(halves.novel)
    found = TrainedOn().find(Case(fitted, mirrored, Uniform(way=3, shot=1, query=2)))
    assert (found.outcome, found.seen.partition(" images were ")[2]) == (
        "leak",
        f"seen in training on {halves.base.name}",
    )


def test_joined_sources_are_remembered_one_by_one(tmp_path: Path) -> None:
    letters = find_split(GLYPHS, "parents", recipe="16")
    others = from_arrays(255 - letters.novel.read(slice(0, 40)), np.repeat(np.arange(10), 4), name="others")
    others = replace(others, recipe=letters.base.recipe)
    base = join([letters.base, others.select_classes(np.arange(6))])
    seen = remember(base)
    assert [one.part for one in (seen, *seen.others)] == [base.name, "others"]
    assert seen.overlap(letters.novel) == (0, 0)
    assert seen.overlap(letters.base) == (len(letters.base), len(letters.base.classes))
    assert seen.overlap(others) == (24, 6)
    assert seen.overlap(join([letters.novel, others])) == (24, 6)
    fitted = find_learner("prototypes").fit(base, plan=Plan(way=2, shot=1, query=1, steps=1), out=tmp_path)
    again = find_learner(str(tmp_path))
    assert again.seen.overlap(others) == (24, 6)
    assert again.seen.overlap(letters.base) == fitted.seen.overlap(letters.base)
    both = remember_both(remember(letters.val), seen)
    assert both.overlap(letters.val) == (len(letters.val), len(letters.val.classes))
    assert both.overlap(others) == (24, 6)
