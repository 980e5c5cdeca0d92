"""The critics of the authors: where they are looked for, what is refused, and what they say of people's drawings."""

import re
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from fairshot.cli.main import main
from fairshot.learners.networks.network import count_parameters
from fairshot.runtime.download import sha256
from fairshot.runtime.errors import FairshotError
from fairshot.scoring.critics import load_critics
from fairshot.scoring.published_critics import FILES, HOME, import_critics, is_released
from fairshot.scoring.sample_scores import SampleScores
from fairshot.scoring.score import score
from fairshot.sources.source import Source
from tests.conftest import data_file
from tests.scoring.fake_critics import authors_state, write_critics
from tests.scoring.small_world import ON, PROTOCOL, value

PLACES = " and ".join(file.place for file in FILES.values())


@pytest.fixture
def fakes(data_folder: Path) -> Path:
    return write_critics(data_folder / "critics")


def test_every_weight_takes_its_place(fakes: Path) -> None:
    critics = load_critics("published")
    for seed, (kind, file) in enumerate(FILES.items()):
        network, state = critics.fitted[kind].model.network, authors_state(file.last, seed)
        assert count_parameters(network) == 292_544
        images = torch.rand(3, 1, 50, 50)
        maps = images
        for block in range(4):  # a plain reference: convolution, batch norm, ReLU, pooling
            own = {name: state[f"embedding.{block}.{name}"] for name in ("0.weight", "0.bias", "1.weight", "1.bias")}
            maps = torch.conv2d(maps, own["0.weight"], own["0.bias"], padding=1)
            running = (state[f"embedding.{block}.1.running_{name}"] for name in ("mean", "var"))
            maps = torch.nn.functional.batch_norm(maps, *running, own["1.weight"], own["1.bias"])
            maps = torch.nn.functional.max_pool2d(torch.relu(maps), 2)
        features = maps.flatten(1) @ state["embedding.6.weight"].T + state["embedding.6.bias"]
        outputs = features @ state[f"{file.last}.weight"].T + state[f"{file.last}.bias"]
        torch.testing.assert_close(network.embed_features(images), features, rtol=1e-4, atol=1e-5)
        torch.testing.assert_close(network.embed(images), outputs, rtol=1e-4, atol=1e-5)


def test_other_weights_are_told(fakes: Path) -> None:
    scores = score(["copy"], critic="published", on=ON, count=5, protocol=PROTOCOL)
    assert value(scores, "copy", "diversity") == 0
    path = fakes / "simclr_best.model"
    unknown = f"simclr of published: {path} is not the file that the authors released: published positions are left out"
    assert unknown in scores.notes
    unchecked = "whether it was trained on these drawings was not checked, as omniglot is not here"
    assert f"prototypes of published: {unchecked}" in scores.notes
    assert not is_released({kind: about["fingerprint"] for kind, about in scores.critics.items()})


def test_missing_files_say_what_to_do(data_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRSHOT_CACHE", str(tmp_path / "cache"))
    with pytest.raises(FairshotError) as refused:
        load_critics("published")
    assert str(refused.value) == (
        f"the published critics are not here: no simclr_best.model in {data_folder}/critics, "
        f"{tmp_path}/cache/data/critics; take {PLACES} of {HOME} and run 'fairshot data import critics FILE FILE'"
    )


def test_another_recogniser_is_not_published(fakes: Path) -> None:
    with pytest.raises(FairshotError) as refused:
        load_critics("published", "maml")
    assert str(refused.value) == (
        "the published critics come without maml: leave out recogniser, or give a folder with a run of simclr, one "
        "of prototypes and one of maml"
    )


def test_files_of_another_layout_are_refused(fakes: Path) -> None:
    state = authors_state("projection.0")
    state["projection.0.weight"] = state["projection.0.weight"][:64]
    torch.save(state, fakes / "simclr_best.model")
    with pytest.raises(FairshotError) as refused:
        load_critics("published")
    assert str(refused.value) == (
        f"{fakes / 'simclr_best.model'} holds no critic as the authors saved it, 1 tensors are missing or of another "
        f"shape: take {PLACES} of {HOME}"
    )
    torch.save(authors_state("metric_layer"), fakes / "simclr_best.model")
    with pytest.raises(FairshotError, match=r"holds no critic as the authors saved it, 4 tensors are missing"):
        load_critics("published")


def test_weights_that_are_no_numbers_are_refused(fakes: Path) -> None:
    state = authors_state("projection.0")
    state["embedding.6.bias"][3] = torch.nan
    torch.save(state, fakes / "simclr_best.model")
    with pytest.raises(FairshotError, match=r"^simclr of published has weights that are not numbers: train it anew$"):
        load_critics("published")


def test_imported_files_are_known_by_their_content(
    fakes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FAIRSHOT_CACHE", str(tmp_path / "cache"))
    given = []
    for kind, file in FILES.items():
        given.append(tmp_path / kind / "_best.model")
        given[-1].parent.mkdir()
        shutil.move(fakes / file.name, given[-1])
        monkeypatch.setitem(vars(file), "sha256", sha256(given[-1]))
    with pytest.raises(FairshotError, match="the published critics are not here"):
        load_critics("published")
    assert main(["data", "get", "critics"]) == 2
    assert f"take the files from {HOME}, and run 'fairshot data import critics FILE FILE'" in " ".join(
        capsys.readouterr().err.split()
    )
    assert main(["data", "import", "critics", *map(str, given)]) == 0
    kept = [tmp_path / "cache" / "data" / "critics" / file.name for file in FILES.values()]
    assert capsys.readouterr().out.splitlines() == [f"{path}: sha256 as expected" for path in kept]
    assert sorted(load_critics("published").fitted) == ["prototypes", "simclr"]


def test_other_files_are_not_imported(tmp_path: Path) -> None:
    with pytest.raises(FairshotError) as refused:
        import_critics([tmp_path / "none"])
    assert str(refused.value) == f"there is no file {tmp_path / 'none'}: give {PLACES} of {HOME}"
    (tmp_path / "other").write_bytes(b"other")
    with pytest.raises(FairshotError) as refused:
        import_critics([tmp_path / "other"])
    assert str(refused.value) == (
        f"{tmp_path / 'other'} has sha256 d9298a10d1b07358..., which is none of the released critics': give {PLACES} "
        f"of {HOME}"
    )


@pytest.fixture(scope="module")
def people(omniglot: Source) -> SampleScores:
    for file in FILES.values():
        data_file(f"critics/{file.name}")
    return score("human", critic="published")


def test_people_are_where_the_paper_has_them(people: SampleScores) -> None:
    assert people.classes == 150
    assert value(people, "human", "diversity") == pytest.approx(1.286, abs=0.001)
    assert 0.975 <= value(people, "human", "recognizability") <= 0.982
    assert is_released({kind: about["fingerprint"] for kind, about in people.critics.items()})
    chosen = [note for note in people.notes if re.match("the snapshot of .* was chosen on this part", note)]
    assert len(chosen) == 2


def test_table_s2_to_the_printed_digits(people: SampleScores) -> None:
    found = {(pair.first, pair.second): pair for pair in people.agreement}
    names = ("prototypes Eq. 2", "simclr Eq. 2", "prototypes Eq. 3", "simclr Eq. 3")
    pairs = ((names[0], names[1]), (names[2], names[3]), (names[0], names[2]), (names[1], names[3]))
    assert [round(found[pair].spearman, 2) for pair in pairs] == [0.85, 0.71, 0.73, 0.63]
    assert f"{found[pairs[0]].p:.1e}" == "9.0e-43"
    assert [round(found[pair].r_squared, 2) for pair in pairs[:2]] == [0.74, 0.57]


def test_the_released_critics_refuse_what_they_were_trained_on(people: SampleScores) -> None:
    with pytest.raises(FairshotError, match=r"simclr of published was trained on omniglot/weak/base, which holds"):
        score("human", critic="published", on="omniglot/weak/base")


def test_single_characters_are_as_diverse_as_published(people: SampleScores) -> None:
    by_class = people["human"].by_class("diversity").values()
    assert [round(found, 3) for found in (min(by_class), max(by_class))] == [0.273, 2.18]
    assert np.std(list(by_class), ddof=1) == pytest.approx(0.322, abs=0.002)
