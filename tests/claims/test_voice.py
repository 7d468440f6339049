"""How a text puts what it says: which words guess, promise, suppose or pass on, and what they are said of."""

from __future__ import annotations

import pytest

from chipwise.claims import voice
from chipwise.claims.model import DOUBTED
from chipwise.domain.files import shipped_domain

FASTER = "the H200 is 1.9x faster than the H100"


@pytest.mark.parametrize(
    ("text", "put"),
    [
        (f"Analysts reckon that {FASTER}.", "estimated"),
        (f"{FASTER.capitalize()}, we think.", "estimated"),
        ("The H200 may well be 1.9x faster than the H100.", "estimated"),
        (f"A ballpark figure: {FASTER}.", "estimated"),
        (f"NVIDIA vows that {FASTER}.", "promised"),
        ("The H200 will be 1.9x faster than the H100.", "promised"),
        (f"NVIDIA said in May that {FASTER.replace('is', 'would be')}.", "promised"),
        (f"Insiders whisper that {FASTER}.", "reported"),
        ("Had it 1.9x the memory, the model would fit.", "hypothetical"),
        ("Were the H200 1.9x faster, nobody would wait.", "hypothetical"),
        (f"As a thought experiment, {FASTER}.", "hypothetical"),
        (f"In his film, {FASTER}.", "hypothetical"),
        (f"In the short story that it opens, {FASTER}.", "hypothetical"),
        (f"In our tests, {FASTER}.", "measured"),
        (f"{FASTER.capitalize()}.", "specified"),
    ],
)
def test_how_a_figure_is_put(text: str, put: str) -> None:
    assert voice.modality(shipped_domain(), text, "specified", text.index("1.9x")).value == put


@pytest.mark.parametrize(
    "text",
    [
        "The H100 has 80 GB, but the H200 may have more.",
        "The H100 has 80 GB; suppose it had twice that.",
        "The H100 has 80 GB, so a larger model would not fit.",
        "A 3-year commitment buys an H100 with 80 GB.",
        "Made for inference, the H100 has 80 GB.",
        "You will see that the H100 has 80 GB.",
    ],
)
def test_what_another_clause_supposes_or_a_noun_of_the_field_is_no_cue(text: str) -> None:
    assert voice.modality(shipped_domain(), text, "specified", text.index("80 GB")).value == "specified"


def test_the_one_that_commits_least_counts() -> None:
    text = "According to NVIDIA, it could reach 80 GB."
    assert voice.modality(shipped_domain(), text, "specified", text.index("80 GB")).value == "estimated"


def test_what_is_denied_is_doubted_and_what_is_said_has_its_speaker() -> None:
    assert voice.attribution(shipped_domain(), "NVIDIA denied that it has 160 GB.", ()) == DOUBTED
    assert voice.attribution(shipped_domain(), "NVIDIA has disclosed that it has 80 GB.", ()) == "NVIDIA"
    assert voice.attribution(shipped_domain(), "It has 80 GB per GPU.", ()) == ""
