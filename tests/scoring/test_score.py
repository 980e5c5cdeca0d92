"""What must hold for any critic, such as those of a few steps."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from fairshot.cli.main import main
from fairshot.runtime.errors import FairshotError
from fairshot.scoring.critics import Critics
from fairshot.scoring.measures.chords import chords_by_class
from fairshot.scoring.measures.diversity import deviation_by_class
from fairshot.scoring.measures.measure import find_measures
from fairshot.scoring.sample_scores import SampleScores
from fairshot.scoring.score import score
from fairshot.specs.data import find_part
from tests.scoring.small_world import DISTANCES, ON, PROTOCOL, value

SHARED = ("diversity", "recognizability", "copies", "originality", "chords", "vendi", "inception")


def test_copies_have_no_diversity_and_are_always_recognised(found: SampleScores) -> None:
    assert value(found, "copy", "diversity") == 0
    assert value(found, "copy", "chords") == 0
    assert value(found, "copy", "recognizability") == 1
    assert value(found, "copy", "copies") == 1
    assert value(found, "copy", "originality") == 0
    assert value(found, "copy", "precision") == 1
    assert value(found, "copy", "recall") < 0.2


def test_strangers_are_diverse_and_hardly_recognised(found: SampleScores) -> None:
    assert value(found, "strangers", "diversity") > 0.5 * value(found, "human", "diversity")
    assert value(found, "strangers", "precision") < value(found, "fresh", "precision")
    assert value(found, "strangers", "recognizability") < 0.3
    assert value(found, "strangers", "copies") < 0.2


def test_the_true_process_is_where_people_are(found: SampleScores) -> None:
    for metric, near in (("diversity", 0.25), ("recognizability", 0.2), ("vendi", 0.2), ("originality", 0.25)):
        assert value(found, "fresh", metric) == pytest.approx(value(found, "human", metric), rel=near)
    distances = {name: value(found, name, "distance") for name in ("copy", "strangers", "fresh")}
    assert min(distances, key=lambda name: distances[name]) == "fresh"
    assert set(found.pool) == {"copy", "strangers", "fresh", "human"}


def test_every_set_has_every_measure_with_an_interval_or_a_reason(found: SampleScores) -> None:
    assert found.sets == ["copy", "strangers", "fresh", "human"]
    for name in found.sets:
        own = {row.metric for row in found.rows if row.learner == name}
        assert own == set(SHARED) if name == "human" else own >= set(find_measures()) - {"curve"}
    for row in found.rows:
        if "classes" in row.intervals:
            assert (row.intervals["classes"] is None) == bool(row.notes), row.metric
    assert len(found.by_class) == 4 * found.classes


def test_all_exemplars_are_saved_whatever_else_was_given(critics: Critics, tmp_path: Path) -> None:
    part = find_part(ON)
    some = np.flatnonzero(part.class_ids != part.classes[0])
    names = np.array(part.class_names)[part.class_ids[some]]
    np.savez(tmp_path / "some.npz", images=np.asarray(part.read(some)), labels=names)
    scores = score(tmp_path / "some.npz", critic=critics, on=ON, protocol=PROTOCOL)
    assert scores.classes == len(part.classes) - 1
    assert scores.exemplars.class_names == [part.class_names[c] for c in part.classes]
    assert len(scores.exemplars.images) == len(part.classes)


def test_people_read_from_files_are_people(found: SampleScores, critics: Critics, tmp_path: Path) -> None:
    part = find_part(ON)
    labels = np.array(part.class_names)[part.class_ids]
    np.savez(tmp_path / "people.npz", images=255 - np.asarray(part.read(slice(None))), labels=labels)
    again = score([str(tmp_path / "people.npz")], critic=critics, on=ON, protocol=replace(PROTOCOL, exemplar_asks=True))
    for metric in ("diversity", "chords", "vendi", "recognizability", "originality", "inception"):
        assert value(again, str(tmp_path / "people.npz"), metric) == value(again, "human", metric)
    for metric in ("precision", "recall", "coverage"):
        assert value(again, str(tmp_path / "people.npz"), metric) == 1
    assert value(again, str(tmp_path / "people.npz"), "frechet") == pytest.approx(0, abs=1e-6)
    assert value(again, str(tmp_path / "people.npz"), "curve") == 0
    assert value(again, "human", "diversity") == value(found, "human", "diversity")
    assert value(again, "human", "recognizability") > value(found, "human", "recognizability"), (
        "exemplars come for free"
    )
    for metric in DISTANCES:
        assert value(again, str(tmp_path / "people.npz"), metric) == 0
    assert again.verdict.startswith(f"{tmp_path / 'people.npz'} is 0.00 from people (0: as people draw; ")
    assert again.verdict.endswith("): as diverse as people and recognised as often as people.")


def test_numbers_of_people_by_hand(found: SampleScores, critics: Critics) -> None:
    part, pair = find_part(ON, recipe="diversity"), critics
    features = pair.features(np.asarray(part.read(slice(None))))
    own = {row.name: row for row in found.by_class if row.samples == "human"}
    for place, class_id in enumerate(part.classes):
        row, name = own[part.class_names[class_id]], part.class_ids == class_id
        assert row.values["diversity"] == pytest.approx(deviation_by_class(features, part.class_ids)[place])
        assert row.values["chords"] == pytest.approx(chords_by_class(features, part.class_ids)[place])
        mean = features[name].mean(0)
        nearest = np.flatnonzero(name)[np.linalg.norm(features[name] - mean, axis=1).argmin()]
        assert row.exemplar == part.image_ids[nearest]
    assert value(found, "human", "diversity") == pytest.approx(deviation_by_class(features, part.class_ids).mean())


def test_authentic_samples_class_by_class(found: SampleScores, critics: Critics) -> None:
    assert value(found, "copy", "authentic") == 0, "the exemplar is one of the real drawings"
    assert value(found, "strangers", "authentic") > value(found, "fresh", "authentic") > 0.2


def test_missing_classes_leave_the_others_to_all(found: SampleScores, critics: Critics, tmp_path: Path) -> None:
    part = find_part(ON)
    kept = np.isin(part.class_ids, part.classes[:5])
    labels = np.array(part.class_names)[part.class_ids[kept]]
    np.savez(tmp_path / "some.npz", X=np.asarray(part.read(np.flatnonzero(kept))), y=labels)
    some = score([str(tmp_path / "some.npz"), "copy"], critic=critics, on=ON, count=3, protocol=PROTOCOL)
    assert some.classes == 5
    assert some.episodes_key != found.episodes_key, "other classes meet"
    assert {row.name for row in some.by_class if row.samples == "copy"} == set(labels)
    assert any("no sample of 1 of 6 classes" in note for note in some.notes)
    with pytest.raises(FairshotError) as refused:
        score([str(tmp_path / "some.npz")], critic=critics, on=ON, protocol=replace(PROTOCOL, way=6))
    assert str(refused.value) == (
        "5 of 6 classes have samples in every set, and 6 meet in an episode: give samples of more classes, or way=4"
    )


def test_what_a_generator_prints_gives_or_ends(
    critics_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.py").write_text(
        "import sys\nimport numpy as np\nprint('hello')\n"
        "def few(exemplars, count, seed):\n"
        "    print('drawing')\n"
        "    return np.repeat(exemplars, 3, axis=1)\n"
        "def ending(exemplars, count, seed):\n"
        "    sys.exit(3)\n"
        "class Made:\n"
        "    def __init__(self):\n"
        "        print('made')\n"
        "    def generate(self, exemplars, count, seed):\n"
        "        return np.repeat(exemplars, count, axis=1)\n"
    )
    (tmp_path / "copy").mkdir()
    monkeypatch.chdir(tmp_path)
    asked = ["--critic", str(critics_folder), "--on", ON, "--way", "4", "--times", "20", "--count", "4"]
    assert (
        main(["score", "mine.py:few", "mine.py:Made", "copy", *asked, "--json", "--save-exemplars", "shown.npz"]) == 0
    )
    told = capsys.readouterr()
    notes = json.loads(told.out)["notes"]
    assert {"hello", "drawing", "made"} <= set(told.err.split())
    assert "mine.py:few gave 3 images per class, and was asked for 4" in notes
    assert "copy is what fairshot calls so: write ./copy for the folder or file of that name" in notes
    assert "The exemplars of 6 classes are in shown.npz." in told.err
    shown, part = np.load("shown.npz"), find_part(ON, recipe="diversity")
    assert shown["labels"].tolist() == [part.class_names[c] for c in part.classes]
    exemplars = [each["exemplar"] for each in json.loads(told.out)["by_class"] if each["samples"] == "human"]
    assert np.array_equal(shown["images"], part.store[exemplars])
    assert main(["score", "mine.py:ending", *asked]) == 2
    assert "mine.py:ending failed as generate(exemplars, count, seed)" in capsys.readouterr().err


def test_a_distance_does_not_depend_on_the_company(found: SampleScores, critics: Critics) -> None:
    for company in (["copy"], ["copy", "noise"], ["warped", "copy", "strangers"]):
        other = score(company, critic=critics, on=ON, count=10, protocol=PROTOCOL)
        for metric in DISTANCES:
            assert value(other, "copy", metric) == value(found, "copy", metric)
            assert other.row("copy", metric) == found.row("copy", metric)


def test_distances_are_those_of_the_points(found: SampleScores) -> None:
    human = found.pool["human"]
    for name in ("copy", "strangers", "fresh"):
        own = found.pool[name]
        wanted = np.hypot(own[0] / human[0] - 1, (own[1] - 1 / 4) / (human[1] - 1 / 4) - 1)
        assert value(found, name, "distance") == pytest.approx(wanted)
        assert value(found, name, "class_distance") >= wanted - 1e-9, "no class is nearer than the mean, on average"


def test_people_who_are_recognised_by_chance_have_no_distances(
    critics: Critics, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fairshot.scoring.human_distance.LEAST_ABOVE_CHANCE", 0.99)
    far = score(["copy", "noise"], critic=critics, on=ON, count=4, protocol=PROTOCOL)
    assert far.row("copy", "distance") is None
    assert not any(each.metric in DISTANCES for each in far.differences)
    assert far.verdict.startswith("How far samples are from people cannot be told: people's drawings are recognised ")
    assert str(far).startswith("How far samples are from people cannot be told: ")


def test_one_class_alone_cannot_be_judged(critics: Critics, tmp_path: Path) -> None:
    part = find_part(ON)
    np.savez(tmp_path / "one.npz", X=np.asarray(part.read(slice(0, 5))), y=np.zeros(5, dtype=int))
    with pytest.raises(FairshotError) as refused:
        score([str(tmp_path / "one.npz")], critic=critics, on=ON, protocol=PROTOCOL)
    assert str(refused.value) == (
        "1 of 6 classes have samples in every set, and 4 meet in an episode: give samples of more classes"
    )


def test_the_command(
    critics_folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked = [
        "score",
        "copy",
        "warped",
        "--critic",
        str(critics_folder),
        "--on",
        ON,
        "--way",
        "4",
        "--times",
        "20",
        "--count",
        "4",
    ]
    monkeypatch.setattr("sys.argv", ["fairshot", *asked, "--json"])
    assert main([*asked, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["schema"] == 2
    assert told["command"] == ["fairshot", *asked, "--json"]
    assert {row["metric"] for row in told["rows"]} <= set(find_measures())
    assert told["critics"]["simclr"]["network"] == "critic"
    assert set(told["pool"]) == {"copy", "warped", "human"}
    folder = tmp_path / "new" / "pictures"
    assert main([*asked, "--pictures", str(folder)]) == 0
    names = [
        "plane",
        "originality",
        "originality-ranks",
        "tsne",
        "tsne-prototypes",
    ]
    kinds = ("concepts-simclr", "concepts-prototypes", "sheet")
    names += [f"{kind}{ending}" for ending in ("", "-copy", "-warped") for kind in kinds]
    said = " ".join(capsys.readouterr().out.split())
    assert said.endswith(f"Pictures in {folder}: {', '.join(f'{name}.svg' for name in names)}.")
    assert {path.name for path in folder.iterdir()} == {f"{name}.svg" for name in names}
    assert main([*asked, "--pictures", str(folder / "plane.svg")]) == 2
    assert main(["score", "nobody", "--critic", str(critics_folder), "--on", ON]) == 2
    assert "there are no samples nobody" in capsys.readouterr().err
