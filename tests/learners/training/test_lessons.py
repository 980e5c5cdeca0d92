"""What a step of training shows."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from fairshot.learners.training.augmentation import augment
from fairshot.learners.training.lessons import FixedSupport, Lessons, SharedClasses
from fairshot.learners.training.plan import Plan
from fairshot.runtime.errors import FairshotError
from fairshot.sources.array import from_arrays
from fairshot.sources.source import Source
from fairshot.tasks.task import BLOCK
from fairshot.tasks.uniform import Uniform


def numbered(classes: int = 9, images: int = 12, first: int = 0) -> Source:
    """Images of 16 x 16 whose pixels all have the image's own number; class ids begin somewhere."""
    count = classes * images
    pixels = np.broadcast_to(np.arange(count, dtype=np.uint8)[:, None, None], (count, 16, 16))
    whole = from_arrays(np.ascontiguousarray(pixels), np.repeat(np.arange(classes), images), name="numbers")
    return whole.select_classes(np.arange(first, classes))


def shown(images: torch.Tensor) -> np.ndarray:
    """The numbers of images as they were shown."""
    return np.rint(images[..., 0, 0, 0].numpy() * 255).astype(int)


def test_an_episode_is_what_it_says() -> None:
    base = numbered(first=3)
    lessons = Lessons(base, Plan(way=4, shot=2, query=3, tasks=5), 7)
    lesson = lessons.episodes(11)
    assert lesson.step == 11
    assert lesson.tasks is not None
    assert lesson.query_labels is not None
    batch = lesson.tasks
    support, query = shown(batch.support), shown(batch.query)
    assert support.shape == (5, 8)
    assert query.shape == (5, 12)
    assert (batch.width, batch.way.tolist()) == (4, [4] * 5)
    assert batch.query_mask.all()
    for number in range(5):
        by_label = {
            int(label): image // 12 for label, image in zip(batch.support_labels[number], support[number], strict=True)
        }
        assert len(set(by_label.values())) == 4
        assert set(by_label.values()) <= set(range(3, 9))
        classes = [by_label[int(label)] for label in lesson.query_labels[number]]
        assert (query[number] // 12 == classes).all()
        assert not set(support[number]) & set(query[number])


@settings(max_examples=20)
@given(seed=st.integers(0, 5), step=st.integers(0, 3000), tasks=st.sampled_from([1, 3, 100]))
def test_a_lesson_depends_on_seed_and_step_alone(seed: int, step: int, tasks: int) -> None:
    base, plan = numbered(), Plan(way=3, shot=1, query=2, tasks=tasks, images=10, augment="drawing")
    before = Lessons(base, plan, seed)
    before.episodes(0)  # whoever comes from another step
    before.labelled(0)
    anew = Lessons(base, plan, seed)
    one, other = before.episodes(step), anew.episodes(step)
    assert one.tasks is not None
    assert other.tasks is not None
    assert torch.equal(one.tasks.support, other.tasks.support)
    assert torch.equal(one.tasks.query, other.tasks.query)
    one, other = before.labelled(step), anew.labelled(step)
    assert one.images is not None
    assert other.images is not None
    assert torch.equal(one.images, other.images)


def test_other_seeds_and_steps_show_something_else() -> None:
    base, plan = numbered(), Plan(way=3, shot=2, query=2)
    tables = []
    for seed, step in ((0, 0), (0, 1), (1, 0), (0, BLOCK)):
        batch = Lessons(base, plan, seed).episodes(step).tasks
        assert batch is not None
        tables.append(shown(batch.query).tolist())
    assert len({str(table) for table in tables}) == 4


def test_a_round_shows_every_image_once_with_its_place_among_the_base_classes() -> None:
    base = numbered(first=2)
    lessons = Lessons(base, Plan(images=12), 0)
    rounds = []
    for start in (0, 7):
        images = []
        for step in range(start, start + 7):
            lesson = lessons.labelled(step)
            assert lesson.images is not None
            assert lesson.labels is not None
            images.append(shown(lesson.images))
            assert (lesson.labels.numpy() == images[-1] // 12 - 2).all()
        rounds.append(np.concatenate(images))
        assert sorted(rounds[-1]) == list(range(24, 108))
    assert (rounds[0] != rounds[1]).any()


def test_more_images_than_there_are_means_all_of_them() -> None:
    lesson = Lessons(numbered(), Plan(images=1000), 0).labelled(3)
    assert lesson.images is not None
    assert sorted(shown(lesson.images)) == list(range(108))


def test_episodes_of_a_step_share_classes_where_that_is_asked_for() -> None:
    base, plan = numbered(), Plan(way=3, shot=2, query=2, tasks=7, shared=True)
    lessons = Lessons(base, plan, 0)
    sets = []
    for step in (0, 1, BLOCK // 7 - 1, BLOCK // 7):  # the last of a block and the first of the next among them
        batch = lessons.episodes(step).tasks
        assert batch is not None
        classes = shown(batch.support)[:, ::2] // 12
        assert (classes == classes[0]).all()
        assert len({str(row) for row in shown(batch.support).tolist()}) > 1
        sets.append(str(classes[0]))
    assert len(set(sets)) > 1
    assert isinstance(lessons.task, SharedClasses)


@settings(max_examples=30)
@given(pool=st.integers(2, 6), shot=st.integers(1, 2), query=st.integers(1, 5), seed=st.integers(0, 3))
def test_fixed_support_never_leaves_its_pool_and_queries_never_come_from_it(
    pool: int, shot: int, query: int, seed: int
) -> None:
    base = numbered(first=2)
    task = FixedSupport(way=4, shot=shot, query=query, pool=pool)
    drawn = task.sample(base, range(300), seed)
    class_of = drawn.support_ids // 12
    assert (np.take_along_axis(drawn.class_ids, drawn.support_labels, 1) == class_of).all()
    assert (np.take_along_axis(drawn.class_ids, drawn.query_labels, 1) == drawn.query_ids // 12).all()
    for class_id in range(2, 9):
        pooled = set(drawn.support_ids[class_of == class_id])
        asked = set(drawn.query_ids[drawn.query_ids // 12 == class_id])
        assert len(pooled) == pool  # in 300 episodes every one of them has been drawn
        assert len(asked) == 12 - pool
        assert not pooled & asked
    assert all(len(set(row)) == 4 * shot for row in drawn.support_ids)
    again = FixedSupport(way=4, shot=shot, query=query, pool=pool).sample(base, range(300), seed)
    for one, other in zip(drawn.tables, again.tables, strict=True):
        np.testing.assert_array_equal(one, other)
    strange = task.sample(base, range(300), seed + 1)
    assert (strange.query_ids != drawn.query_ids).any()
    assert set(strange.support_ids.ravel()) == set(
        drawn.support_ids.ravel()
    )  # pools belong to the images, not the seed


def test_a_plan_with_fixed_support_draws_it() -> None:
    lessons = Lessons(numbered(), Plan(way=3, shot=2, query=2, fixed_support=3), 0)
    assert lessons.task == FixedSupport(way=3, shot=2, query=2, pool=3)
    batches = [lessons.episodes(step).tasks for step in range(60)]
    assert len({image for batch in batches if batch for image in shown(batch.support).ravel()}) <= 27


@pytest.mark.parametrize(("pool", "shot", "query"), [(1, 2, 2), (10, 2, 2)])
def test_pools_that_cannot_serve_are_refused(pool: int, shot: int, query: int) -> None:
    with pytest.raises(FairshotError) as caught:
        FixedSupport(way=3, shot=shot, query=query, pool=pool).sample(numbered(), range(1), 0)
    assert str(caught.value) == (
        f"{pool} fixed support images serve at most {pool} shots and need {pool + query + 1} images per class, the "
        "smallest has 12: change fixed_support, shot or query"
    )


def test_too_many_tasks_a_step_are_refused() -> None:
    with pytest.raises(FairshotError) as caught:
        Lessons(numbered(), Plan(way=2, shot=1, query=1, tasks=BLOCK + 1), 0).episodes(0)
    assert str(caught.value) == "1025 tasks a step are too many: at most 1024"


@pytest.mark.parametrize("kind", ["none", "drawing", "photo"])
@pytest.mark.parametrize("count", [1, 2, 7])
def test_augmented_images_depend_on_the_generator_alone(kind: str, count: int) -> None:
    images = torch.rand(count, 1, 16, 16, generator=torch.Generator().manual_seed(0))
    original = images.clone()
    state = torch.get_rng_state()
    for seed in range(20):  # with few images, sometimes none is moved
        one, other = (augment(images, kind, torch.Generator().manual_seed(seed)) for _ in range(2))
        assert torch.equal(one, other)
        assert one.shape == images.shape
        assert one.isfinite().all()
    assert torch.equal(images, original)
    assert torch.equal(torch.get_rng_state(), state)
    if kind == "none":
        assert torch.equal(augment(images, kind, torch.Generator()), images)


def test_half_of_the_drawings_are_shown_as_they_are() -> None:
    images = torch.rand(1000, 1, 8, 8, generator=torch.Generator().manual_seed(0))
    moved = augment(images, "drawing", torch.Generator().manual_seed(0))
    same = (moved == images).flatten(1).all(1).sum()
    assert 430 < same < 570


def test_fixed_tasks_come_again_each_once_a_round() -> None:
    base, plan = numbered(), Plan(way=3, shot=2, query=2, tasks=2, fixed_tasks=6)
    lessons = Lessons(base, plan, 5)
    rounds = [[lessons._episodes(step) for step in range(start, start + 3)] for start in (0, 3)]
    shown = [
        sorted(tuple(row) for part in one for row in np.hstack([part.support_ids, part.query_ids]).tolist())
        for one in rounds
    ]
    assert shown[0] == shown[1]
    assert len(set(shown[0])) == 6
    assert (Lessons(base, plan, 5)._episodes(4).support_ids == rounds[1][1].support_ids).all()


def test_a_given_task_is_what_episodes_are_drawn_from() -> None:
    given = Uniform(way=4, shot=1, query=3)
    lesson = Lessons(numbered(), Plan(way=3, shot=2, query=2, task="uniform"), 0, given).episodes(0)
    assert lesson.tasks is not None
    assert (lesson.tasks.width, lesson.tasks.support.shape[1], lesson.tasks.query.shape[1]) == (4, 4, 12)


def test_plans_whose_tasks_contradict_each_other_are_refused() -> None:
    with pytest.raises(FairshotError, match="only one of task, shared, within, fixed_support and exemplars"):
        Plan(task="uniform", within=True)
    with pytest.raises(FairshotError, match="cannot come from 2 fixed ones"):
        Plan(tasks=3, fixed_tasks=2)
