"""Transport against POT, and its two ways of computing against each other."""

import ot
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from fairshot.learners.solvers.transport import Effort, _by_products, transport


def problem(seed: int, *, episodes: int = 3, points: int = 12, clusters: int = 4, spread: float = 1.0):
    rng = torch.Generator().manual_seed(seed)
    cost = spread * torch.rand(episodes, points, clusters, generator=rng, dtype=torch.float64)
    rows = torch.rand(episodes, points, generator=rng, dtype=torch.float64) + 0.1
    columns = torch.rand(episodes, clusters, generator=rng, dtype=torch.float64) + 0.1
    return cost, rows / rows.sum(1, keepdim=True), columns / columns.sum(1, keepdim=True)


@pytest.mark.parametrize("gamma", [0.02, 0.1, 1.0])
def test_a_plan_to_a_tolerance_is_that_of_pot(gamma: float) -> None:
    cost, rows, columns = problem(0)
    found = transport(-cost / gamma, rows, columns, Effort(20_000, 1e-10)).plan
    for own, a, b, table in zip(found, rows, columns, cost, strict=True):
        wanted = ot.sinkhorn(a, b, table, gamma, method="sinkhorn_log", numItermax=20_000, stopThr=1e-12)
        torch.testing.assert_close(own, wanted, rtol=0, atol=1e-6)


def test_a_fixed_number_of_iterations_is_that_of_pot() -> None:
    cost, rows, columns = problem(1)
    found = transport(-cost / 0.1, rows, columns, Effort(7)).plan
    for own, a, b, table in zip(found, rows, columns, cost, strict=True):
        kernel, column = (-table / 0.1).exp(), torch.ones_like(b)
        for _ in range(7):
            row = a / (kernel @ column)
            column = b / (kernel.T @ row)
        torch.testing.assert_close(own, row[:, None] * kernel * column)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10_000), st.sampled_from([1.0, 30.0, 300.0, 3000.0]), st.integers(1, 20))
def test_products_and_logarithms_agree_however_far_apart_things_are(seed: int, spread: float, iterations: int) -> None:
    cost, rows, columns = (table.float() for table in problem(seed, spread=spread))
    fast = transport(-cost, rows, columns, Effort(iterations))
    kernel = (-cost.double()).requires_grad_()  # what needs gradients goes by logarithms
    slow = transport(kernel, rows.double(), columns.double(), Effort(iterations))
    torch.testing.assert_close(fast.plan.double(), slow.plan.detach(), rtol=0, atol=2e-4)
    torch.testing.assert_close(fast.plan.sum(1), columns, rtol=1e-3, atol=1e-6)


def test_a_cluster_that_is_out_of_reach_of_floats_gets_its_share_and_leaves_its_neighbours_alone() -> None:
    cost, rows, columns = (table.float() for table in problem(2))
    alone = transport(-cost[1:2], rows[1:2], columns[1:2], Effort(20)).plan
    cost[0, :, 3] += 500
    found = transport(-cost, rows, columns, Effort(20)).plan
    torch.testing.assert_close(found.sum(1), columns, rtol=1e-4, atol=1e-6)
    torch.testing.assert_close(found[1], alone[0], rtol=1e-5, atol=0)


def test_what_has_no_weight_takes_no_part_and_still_knows_where_it_belongs() -> None:
    cost, rows, columns = problem(3)
    rows[0, -2:], columns[0, -1] = 0, 0
    rows, columns = rows / rows.sum(1, keepdim=True), columns / columns.sum(1, keepdim=True)
    found = transport(-cost, rows, columns, Effort(30))
    smaller = transport(-cost[:1, :-2, :-1], rows[:1, :-2], columns[:1, :-1], Effort(30))
    torch.testing.assert_close(found.plan[0, :-2, :-1], smaller.plan[0])
    assert float(found.plan[0, -2:].sum()) == float(found.plan[0, :, -1].sum()) == 0
    assert torch.isfinite(found.conditional[0, :, :-1]).all()
    torch.testing.assert_close(found.conditional.exp().sum(2), torch.ones(3, 12, dtype=torch.float64))


def test_going_on_from_a_potential_is_as_if_nothing_had_happened() -> None:
    cost, rows, columns = problem(4)
    once = transport(-cost, rows, columns, Effort(9))
    half = transport(-cost, rows, columns, Effort(4))
    rest = transport(-cost, rows, columns, Effort(5), half.log_cluster)
    torch.testing.assert_close(once.plan, rest.plan)


def test_gradients_are_those_of_finite_differences() -> None:
    cost, rows, columns = problem(5, episodes=1, points=4, clusters=3)
    weights = torch.rand(1, 4, 3, dtype=torch.float64)

    def told(table: torch.Tensor) -> torch.Tensor:
        return (transport(-table, rows, columns, Effort(6)).conditional * weights).sum()

    assert torch.autograd.gradcheck(told, cost.requires_grad_())


def test_an_episode_that_is_done_stays_as_it_is_while_others_go_on() -> None:
    easy, hard = problem(6, episodes=1), problem(7, episodes=1, spread=40.0)
    both = [torch.cat(tables) for tables in zip(easy, hard, strict=True)]
    together = transport(-both[0], both[1], both[2], Effort(1000, 1e-6)).plan
    assert torch.equal(together[:1], transport(-easy[0], easy[1], easy[2], Effort(1000, 1e-6)).plan)


def test_points_without_weight_do_not_slow_the_others_down() -> None:
    cost, rows, columns = (table.float() for table in problem(3))
    rows[:, -1] = 0
    rows /= rows.sum(1, keepdim=True)
    found, lost = _by_products(-cost, rows, columns, 10, torch.zeros_like(columns))
    assert not lost.any()
    assert (found.plan[:, -1] == 0).all()
    again = transport((-cost.double()).requires_grad_(), rows.double(), columns.double(), Effort(10))
    torch.testing.assert_close(found.plan.double(), again.plan.detach(), rtol=1e-4, atol=1e-7)
