"""The network of equations, and what follows in it from what is given."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from chipwise.domain.files import read_domain, shipped_domain
from chipwise.domain.model import Domain
from chipwise.errors import Ambiguous, DomainInvalid, NameUnknown, QuestionInvalid, Underdetermined
from chipwise.figures.network import Binding, network_of
from chipwise.figures.solve import Amount, derive, solve
from chipwise.numbers.intervals import Interval


@pytest.fixture(scope="module")
def domain() -> Domain:
    return shipped_domain()


def test_every_equation_solved_for_any_variable_gives_back_what_went_in(domain: Domain) -> None:
    for equation in domain.equations.values():
        values = {v: Interval.of(2.0 + n) for n, v in enumerate(v for v, _ in equation.powers)}
        values[equation.left] = equation.solve(equation.left, values)
        for variable in equation.variables:
            others = {v: value for v, value in values.items() if v != variable}
            assert math.isclose(equation.solve(variable, others).middle, values[variable].middle), equation.id


def test_every_variable_stands_in_an_equation(domain: Domain) -> None:
    network = network_of(domain)
    alone = [v for v in network.variables.values() if not network.around[v.id]]
    assert [v.id for v in alone] == ["hfu", "use", "goodput"]
    assert all(v.most for v in alone)  # shares, of which nothing has more than all


@pytest.mark.parametrize(
    ("wanted", "given", "result"),
    [
        ("cost per million tokens", {"token rate": "3800 tokens/s", "price": "2 USD/hour"}, 2 / (3800 * 3600)),
        ("price", {"cost per million tokens": "0.5 USD per million tokens", "token rate": 3000}, 0.5e-6 * 3000 * 3600),
        ("MFU", {"parameters": 70e9, "training rate per chip": 1039, "peak": "989 TFLOPS"}, 6 * 70e9 * 1039 / 989e12),
        (
            "KV cache",
            {"layers": 80, "KV heads": 8, "head dimension": 128, "context": 8192},
            2 * 80 * 8 * 128 * 2 * 8192,
        ),
        ("memory left", {"parameters": 20e9, "memory": "80 GB", "chips": 8}, 8 * 80e9 - 40e9),
        ("break-even time", {"purchase price": "30,000 USD", "price": "2.50 USD/hour"}, 30_000 / 2.5 * 3600),
        ("ridge point", {"peak": "989 TFLOPS", "bandwidth": "3.35 TB/s"}, 989 / 3.35),
    ],
)
def test_any_quantity_follows_from_the_others(
    domain: Domain, wanted: str, given: dict[str, Amount], result: float
) -> None:
    assert math.isclose(solve(wanted, given, domain).value.middle, result, rel_tol=1e-9)


def test_chips_that_are_needed_are_rounded_up_and_those_that_a_budget_feeds_down(domain: Domain) -> None:
    needed = solve("chips", {"parameters": 405e9, "precision": "8 bit", "memory": "80 GB"}, domain)
    fed = solve("chips", {"facility_power": "5 MW", "power": "700 W", "pue": 1.25}, domain)
    assert needed.value == Interval.of(math.ceil(405 / 80))
    assert fed.value == Interval.of(math.floor(5e6 / (700 * 1.25)))


def test_a_convention_is_an_interval_and_an_assumption(domain: Domain) -> None:
    found = solve("time", {"parameters": 8e9, "tokens": 15e12, "chips": 256, "peak": "989 TFLOPS"}, domain)
    seconds = 6 * 8e9 * 15e12 / (256 * 989e12)
    assert math.isclose(found.value.low, seconds / 0.5)
    assert math.isclose(found.value.high, seconds / 0.35)
    assert [c.id for c in found.assumes] == ["usual-mfu"]


def test_each_step_shows_words_figures_and_what_comes_out(domain: Domain) -> None:
    lines = solve("chips", {"parameters": 405e9, "precision": "8 bit", "memory": "80 GB"}, domain).lines()
    assert lines == [
        "Weights = parameters x bytes per parameter: 405 billion parameters x 1 B = 405 GB",
        "Chips = weights / memory: 405 GB / 80 GB = 5.062, so 6 chips",
    ]


def test_what_is_missing_is_named(domain: Domain) -> None:
    with pytest.raises(Underdetermined, match="the ridge point needs the memory bandwidth as well"):
        solve("ridge point", {"peak": "989 TFLOPS"}, domain)


def test_a_figure_that_has_no_part_in_it_is_an_error(domain: Domain) -> None:
    with pytest.raises(Underdetermined):
        solve("ridge point", {"peak": "989 TFLOPS", "bandwidth": "3.35 TB/s", "PUE": 1.3}, domain)


def test_figures_that_no_arithmetic_can_take_are_an_error(domain: Domain) -> None:
    run = {"tokens": "1T tokens", "peak": "989 TFLOPS", "time": "10 days", "MFU": "40%"}
    for parameters in (0, 1e308):
        with pytest.raises(QuestionInvalid, match="figures of that size"):
            solve("chips", {**run, "parameters": parameters}, domain)


def test_two_readings_that_differ_are_ambiguous(domain: Domain) -> None:
    readings = [
        Binding.of("price", 12.0, figure="12 USD"),
        Binding.of("total_price", 12.0, figure="12 USD"),
        Binding.of("chip_time", 8 * 3600.0),
        Binding.of("time", 3600.0),
    ]
    network = network_of(domain)
    one = derive(network, "cost", [readings[0], readings[2]], lambda _: [])
    assert one.value == Interval.of(96.0)
    alike = [*readings[:2], Binding.of("total_token_rate", 10.0), Binding.of("token_rate", 10.0)]
    rates = [
        alike[0],
        alike[1],
        *(Binding.of(b.variable, 10.0 * n, figure="rate") for n, b in enumerate(alike[2:], 1)),
    ]
    with pytest.raises(Ambiguous, match="in two ways that differ"):
        derive(network, "token_cost", rates, lambda _: [])


@pytest.mark.parametrize(
    ("wanted", "given", "error"),
    [
        ("wealth", {"price": "2 USD/hour"}, NameUnknown),
        ("cost", {"wealth": 2.0}, NameUnknown),
        ("cost", {"price": "2 GB"}, NameUnknown),
        ("cost", {"price": "much"}, QuestionInvalid),
    ],
)
def test_what_nobody_knows_is_an_error(
    domain: Domain, wanted: str, given: dict[str, Amount], error: type[Exception]
) -> None:
    with pytest.raises(error):
        solve(wanted, given, domain)


VARIABLE = '[[variable]]\nid = "a"\nname = "a"\ndimension = "count"\n'


@pytest.mark.parametrize(
    ("added", "told"),
    [
        ('[[equation]]\nid = "e"\nleft = "a"\npowers = { b = 1 }\nsays = "x"\n', "'b' is not a known variable"),
        ('[[convention]]\nid = "c"\nvariable = "b"\nlow = 1\nhigh = 1\nsays = "x"\n', "'b' is not a known variable"),
        (
            '[[variable]]\nid = "c"\nname = "c"\ndimension = "count"\nunits = ["stones"]\n',
            "'stones' is not a known unit",
        ),
        (
            '[[variable]]\nid = "c"\nname = "c"\ndimension = "count"\nmetric = "wealth"\n',
            "'wealth' is not a known metric",
        ),
    ],
)
def test_equations_that_refer_to_nothing_are_an_error(tmp_path: Path, added: str, told: str) -> None:
    (tmp_path / "equations.toml").write_text(VARIABLE + added)
    with pytest.raises(DomainInvalid, match=told):
        read_domain(tmp_path)
