"""A small picture of samples."""

import base64
import io

import numpy as np
from PIL import Image

from fairshot.generators.copy import Copy
from fairshot.studies.kinds.sample_sheet import GAP, SAMPLES, SIDE, sample_sheet


def test_a_row_for_each_exemplar_with_dark_ink_on_light_paper() -> None:
    exemplars = np.zeros((3, 1, 56, 56), dtype=np.float32)
    for row in range(3):
        exemplars[row, 0, 10:20, 10 * row : 10 * row + 14] = 1
    with Image.open(io.BytesIO(base64.b64decode(sample_sheet(Copy(), exemplars, 0)))) as picture:
        assert (picture.mode, picture.size) == ("1", (SAMPLES * (SIDE + GAP) - GAP, 3 * (SIDE + GAP) - GAP))
        sheet = np.asarray(picture)
    for row in range(3):
        for column in range(SAMPLES):
            top, left = row * (SIDE + GAP), column * (SIDE + GAP)
            seen = sheet[top : top + SIDE, left : left + SIDE]
            assert (seen == (exemplars[row, 0, ::2, ::2] == 0)).all()
