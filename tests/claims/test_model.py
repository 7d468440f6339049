"""What a statement is the value of, as data."""

from __future__ import annotations

from chipwise.claims.model import Key, Scope


def test_a_key_takes_the_scope_out_of_the_qualifiers() -> None:
    stated = (("aggregation", "node"), ("count", "8"), ("sparsity", "dense"), ("dtype", "bf16"))
    key = Key.of("nvidia-h100", "peak_compute", stated)
    assert key == Key("nvidia-h100", "peak_compute", Scope("node", 8), (("dtype", "bf16"), ("sparsity", "dense")))
    assert (key.axis("dtype"), key.axis("direction")) == ("bf16", "")


def test_a_scope_that_is_not_stated_is_no_scope() -> None:
    assert Key.of("nvidia-h100", "tdp", ()).scope is None
    assert Key.of("nvidia-h100", "tdp", (("aggregation", "chip"),)).scope == Scope("chip")
