"""Which chip of the domain a benchmark's system description names."""

from __future__ import annotations

# Longest beginning first; the text is in lower case with "-", "_" and "(r)" read as spaces.
_CHIPS = (
    ("nvidia b200 sxm 180gb", "nvidia-b200-sxm"),
    ("nvidia gb200", "nvidia-gb200-gpu"),
    ("nvidia gh200 grace hopper superchip", "nvidia-gh200"),
    ("nvidia gh200 gracehopper superchip", "nvidia-gh200"),
    ("nvidia gh200", "nvidia-gh200"),
    ("nvidia h200 sxm", "nvidia-h200-sxm"),
    ("nvidia h200 nvl", "nvidia-h200-nvl"),
    ("nvidia h100 nvl", "nvidia-h100-nvl"),
    ("nvidia h100 pcie", "nvidia-h100-pcie"),
    ("nvidia h100 sxm", "nvidia-h100-sxm"),
    ("nvidia a100 sxm 80gb", "nvidia-a100-sxm-80gb"),
    ("nvidia a100 sxm4 80gb", "nvidia-a100-sxm-80gb"),
    ("nvidia a100 sxm 40gb", "nvidia-a100-sxm-40gb"),
    ("nvidia a100 sxm4 40gb", "nvidia-a100-sxm-40gb"),
    ("nvidia a100 pcie 80gb", "nvidia-a100-pcie-80gb"),
    ("nvidia a100 pcie 40gb", "nvidia-a100-pcie-40gb"),
    ("nvidia l40s", "nvidia-l40s"),
    ("nvidia l40", "nvidia-l40"),
    ("nvidia l4", "nvidia-l4"),
    ("nvidia rtx a5000", "nvidia-rtx-a5000"),
    ("nvidia jetson agx orin 64g", "nvidia-jetson-agx-orin"),
    ("nvidia rtx 4090", "nvidia-rtx-4090"),
    ("nvidia geforce rtx 4090", "nvidia-rtx-4090"),
    ("amd instinct mi300x", "amd-mi300x"),
    ("amd mi300x", "amd-mi300x"),
    ("radeon rx 7900 xtx", "amd-radeon-rx-7900-xtx"),
    ("intel gaudi 2", "intel-gaudi-2"),
    ("intel gaudi2", "intel-gaudi-2"),
    ("habana gaudi2", "intel-gaudi-2"),
    ("tpu v6", "google-tpu-v6e"),
    ("tpu trillium", "google-tpu-v6e"),
    ("trillium", "google-tpu-v6e"),
    ("tpu v5p", "google-tpu-v5p"),
    ("tpu v5e", "google-tpu-v5e"),
)


def chip_of(name: str) -> str:
    """The id of entities.toml, or "" for what is no chip of ours."""
    plain = " ".join(name.lower().replace("(r)", " ").replace("-", " ").replace("_", " ").split())
    plain = plain.removeprefix("cloud ").replace("google tpu", "tpu")
    return next((entity for start, entity in _CHIPS if plain.startswith(start)), "")
