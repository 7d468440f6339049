"""The house only gets smaller: each package holds what it had, or what it is meant to have."""

from __future__ import annotations

from . import budget
from .budget import Size


def test_no_package_grows_beyond_its_budget() -> None:
    assert budget.over(budget.budget(), budget.sizes()) == []


def test_every_package_has_a_goal_and_a_budget() -> None:
    packages = set(budget.sizes()) - {"data"}
    assert packages <= set(budget.GOALS)
    assert packages <= set(budget.budget())


def test_the_budget_sees_growth_and_lets_what_is_new_grow_to_its_goal() -> None:
    before = {"claims": Size(5000, 40, 30), "data": Size(0, 0, 5)}
    assert budget.over(before, {"claims": Size(5001, 40, 30)}) == ["claims: 5001 lines, 5000 allowed"]
    assert budget.over(before, {"claims": Size(4000, 40, 31)}) == ["claims: 31 patterns, 30 allowed"]
    assert budget.over(before, {"data": Size(0, 0, 6)}) == ["data: 6 patterns, 5 allowed"]
    assert budget.over(before, {"devices": Size(budget.GOALS["devices"], 3, 2)}) == []
    assert budget.lowered(before, {"claims": Size(4000, 41, 20)}) == {"claims": Size(4000, 40, 20)}
