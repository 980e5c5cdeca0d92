"""The truth where folders tell it: images below folders that have the names of the classes."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath

import numpy as np

from fairshot.prediction.predictions import Expected, Prediction, expected_share


def with_truth(rows: Sequence[Prediction], classes: Sequence[str]) -> tuple[tuple[Prediction, ...], Expected | None]:
    """Every prediction with its true class, and the share that is right; nothing where a folder names no class."""
    known = {name.rpartition("/")[2]: name for name in classes}
    folders = [PurePath(row.file).parent.name for row in rows]
    if len(known) < len(classes) or not all(folder in known for folder in folders):
        return tuple(rows), None
    told = tuple(replace(row, truth=known[folder]) for row, folder in zip(rows, folders, strict=True))
    return told, expected_share(np.array([row.label == row.truth and not row.unknown for row in told]))
