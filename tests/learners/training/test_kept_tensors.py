"""Tensors come back as they were, or it is said that they do not."""

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from fairshot.learners.training.kept_tensors import read_tensors, write_tensors
from fairshot.runtime.errors import FairshotError

TENSORS = {
    "a": torch.linspace(-1, 1, 30).reshape(5, 6),
    "half": torch.ones(3, dtype=torch.bfloat16),
    "one": torch.tensor(7),
    "none": torch.zeros(0, 4),
}
ABOUT = {"learner": "prototypes", "rate": 0.1}


def same(found: dict[str, torch.Tensor]) -> bool:
    return found.keys() == TENSORS.keys() and all(torch.equal(found[name], TENSORS[name]) for name in TENSORS)


def test_tensors_come_back_and_files_of_earlier_versions_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.safetensors"
    write_tensors(path, TENSORS, "about", ABOUT)
    whole = path.read_bytes()
    for _ in range(5):
        write_tensors(path, TENSORS, "about", ABOUT)
        assert path.read_bytes() == whole
    for older in (False, True):
        if older:
            save_file(TENSORS, path, {"about": json.dumps(ABOUT)})
        tensors, about = read_tensors(path, "about", "train it anew")
        assert same(tensors)
        assert about == ABOUT


def test_no_flipped_bit_and_no_missing_end_goes_unnoticed(tmp_path: Path) -> None:
    path = tmp_path / "a.safetensors"
    write_tensors(path, TENSORS, "about", ABOUT)
    whole, said = path.read_bytes(), set()
    changes = [whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :] for place in range(0, len(whole), 3)]
    for content in [*changes, *(whole[:place] for place in range(0, len(whole), 50))]:
        path.write_bytes(content)
        try:
            tensors, _ = read_tensors(path, "about", "train it anew")
        except FairshotError as error:
            said.add(str(error))
        else:
            assert same(tensors)  # only the name of the checksum, or of what is said beside it, was hit
    assert said == {
        f"{path} is gone or damaged: train it anew",
        f"{path} is damaged, its content does not have its checksum: train it anew",
    }


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(FairshotError, match=r"^.*/a is gone or damaged: train it anew$"):
        read_tensors(tmp_path / "a", "about", "train it anew")
