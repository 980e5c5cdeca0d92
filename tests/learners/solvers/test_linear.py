import torch

from fairshot.learners.learner import TaskBatch
from fairshot.learners.solvers.linear import class_sums, linear_logits


def make_batch(labels: torch.Tensor, width: int) -> TaskBatch:
    tasks, images = labels.shape
    return TaskBatch(
        support=torch.randn(tasks, images, 4, generator=torch.Generator().manual_seed(0)),
        support_labels=labels,
        query=torch.zeros(tasks, 1, 4),
        query_mask=torch.ones(tasks, 1, dtype=torch.bool),
        way=torch.full((tasks,), width),
        width=width,
    )


def test_tasks_that_share_queries_are_answered_as_if_they_did_not() -> None:
    weights, offset, query = torch.randn(3, 5, 8), torch.randn(3, 5), torch.randn(1, 7, 8)
    shared = query.expand(3, -1, -1)
    expected = torch.einsum("eqf,ewf->eqw", shared, weights) + offset[:, None]
    torch.testing.assert_close(linear_logits(shared, weights, offset), expected)
    torch.testing.assert_close(linear_logits(shared.contiguous(), weights, offset), expected)


def test_sums_are_the_same_whether_classes_stand_in_order_or_not() -> None:
    ordered = torch.arange(3).repeat_interleave(2).expand(2, -1).contiguous()
    batch = make_batch(ordered, 3)
    assert batch.even_shot == 2
    torch.testing.assert_close(class_sums(batch.support, batch), batch.one_hot.mT @ batch.support)
    for other in (ordered.flip(1), torch.tensor([[0, 0, 1, 1, 2, -1], [0, 0, 1, 1, 2, 2]])):
        mixed = make_batch(other, 3)
        assert mixed.even_shot == 0
        torch.testing.assert_close(class_sums(mixed.support, mixed), mixed.one_hot.mT @ mixed.support)
        assert (mixed.class_counts == mixed.one_hot.sum(1)).all()
