"""Positions of the paper's models: beside which sets they stand, and where they have no place."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from fairshot.learners.fitted import Fitted
from fairshot.scoring.critics import Critics, load_critics
from fairshot.scoring.protocol import Protocol
from fairshot.scoring.published_plane import POSITIONS, is_published_plane, model_of, published_models
from fairshot.scoring.score import score
from fairshot.sources.source import Source
from fairshot.specs.data import find_part
from tests.conftest import data_file
from tests.scoring.small_world import ON, PROTOCOL, WORLD


def test_positions_are_those_of_the_picture() -> None:
    assert POSITIONS == {
        "DA-GAN-UN": (0.315, 0.882),
        "DA-GAN-RN": (0.36, 0.829),
        "VAE-NS": (1.75, 0.85),
        "VAE-STN": (2.05, 0.748),
        "human": (1.286, 0.976),
    }


@pytest.mark.parametrize(
    ("name", "given", "model"),
    [
        ("mine", "dagan_un:width=8", "DA-GAN-UN"),
        ("mine", "dagan-rn", "DA-GAN-RN"),
        ("neural-statistician", "neural-statistician", "VAE-NS"),
        ("VAE-STN, 60 steps", np.zeros(3), "VAE-STN"),
        ("mine", SimpleNamespace(record=SimpleNamespace(learner="vae_stn")), "VAE-STN"),
        ("mine", "copy", None),
        ("vae", np.zeros(3), None),
    ],
)
def test_a_set_is_known_by_what_draws_it(name: str, given: object, model: str | None) -> None:
    assert model_of(name, given) == model


def test_a_run_is_known_by_its_record(critics_folder: Path) -> None:
    assert model_of("mine", str(critics_folder / "simclr")) is None


def test_every_model_is_there_with_its_sets() -> None:
    models = published_models({"a": "vae_stn", "b": "vae_stn:steps=3", "human": "human"})
    assert {model.name: model.samples for model in models} == {
        "DA-GAN-UN": [],
        "DA-GAN-RN": [],
        "VAE-NS": [],
        "VAE-STN": ["a", "b"],
        "human": ["human"],
    }


@pytest.fixture
def released(critics: Critics, monkeypatch: pytest.MonkeyPatch) -> tuple[Critics, Source]:
    """Critics that are taken for the authors', chosen on the novel part of a small world."""
    part = find_part(ON, recipe="diversity")
    fitted: dict[str, Fitted] = {}
    for kind, own in critics.fitted.items():
        assert own.seen is not None
        fitted[kind] = replace(own, seen=replace(own.seen, chosen=np.unique(part.original_classes)))
    monkeypatch.setattr("fairshot.scoring.published_plane.is_released", lambda weights: weights == critics.fingerprints)
    monkeypatch.setattr("fairshot.scoring.published_plane.WAY", PROTOCOL.way)
    return Critics("published", fitted), part


def test_positions_need_the_critics_the_trials_and_the_characters_of_the_paper(
    released: tuple[Critics, Source],
) -> None:
    critics, part = released
    assert is_published_plane(critics, PROTOCOL, part, part.classes)
    assert not is_published_plane(critics, PROTOCOL, part, part.classes[1:])
    for changed in ({"way": 3}, {"recogniser": "five-shot"}, {"exemplars": "random"}):
        assert not is_published_plane(critics, replace(PROTOCOL, **changed), part, part.classes)
    assert is_published_plane(critics, replace(PROTOCOL, seed=3, times=7, exemplar_asks=True), part, part.classes)
    base = find_part(f"{WORLD}/parents/base", recipe="diversity")
    assert not is_published_plane(critics, PROTOCOL, base, base.classes)


def test_tables_have_both_in_columns_of_their_own(released: tuple[Critics, Source]) -> None:
    scores = score({"vae-ns": "copy"}, critic=released[0], on=released[1], count=5, protocol=PROTOCOL)
    table = scores.tables()[1]
    assert [column.name for column in table.columns] == [
        *("model", "samples", "diversity", "published", "recognizability", "published"),
    ]
    rows = {str(row[0]): row for row in table.rows}
    assert [rows["VAE-NS"][1], rows["VAE-NS"][2].value, rows["VAE-NS"][3].value] == ["vae-ns", 0, 1.75]
    assert [rows["VAE-NS"][4].value, rows["VAE-NS"][5].value] == [1, 0.85]
    assert rows["VAE-STN"][1:3] == [None, None]
    assert rows["VAE-STN"][5].value == 0.748
    assert rows["human"][2].value == scores["human"].diversity.value
    assert max(map(len, scores.to_text(width=80).splitlines())) <= 80


def test_other_critics_stand_in_no_published_plane(critics: Critics) -> None:
    scores = score({"vae-ns": "copy"}, critic=critics, on=ON, count=5, protocol=PROTOCOL)
    assert scores.published == []
    assert "published" not in str(scores)


def test_the_released_critics_stand_in_the_published_plane(omniglot: Source) -> None:
    for name in ("simclr_best.model", "proto_net_best.model"):
        data_file(f"critics/{name}")
    critics = load_critics("published")
    for split in ("weak", "weak-val"):
        part = find_part(f"omniglot/{split}/novel", recipe="diversity")
        assert is_published_plane(critics, Protocol(), part, part.classes)
    assert not is_published_plane(load_critics("omniglot"), Protocol(), part, part.classes)
