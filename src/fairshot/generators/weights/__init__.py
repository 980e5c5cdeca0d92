"""Weights of generators that come with fairshot, so that they draw without any training."""

from pathlib import Path

from fairshot.learners.training.record import SUFFIX

FOLDER = Path(__file__).parent
USUAL = "omniglot"  # what the weights of a generator are called that its name alone stands for
LARGEST = 1_500_000  # bytes


def shipped_generators() -> dict[str, Path]:
    """Files of weights by name: `vae_stn@omniglot`."""
    return {path.stem: path for path in sorted(FOLDER.glob(f"*{SUFFIX}"))}
