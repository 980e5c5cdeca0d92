"""The verb `predict`: the same answers as by hand, honest confidence, strangers, broken files, and one clear line."""

import csv
import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from fairshot.cli.main import main
from fairshot.learners.classifiers.prototypes import Prototypes
from fairshot.learners.fitted import Fitted, Record
from fairshot.learners.foreign.code import Foreign
from fairshot.learners.learner import TaskBatch
from fairshot.learners.networks.network import make_network
from fairshot.learners.seen import remember
from fairshot.learners.training.trainable import Model
from fairshot.prediction.predict import PAIRS, most_answered, predict
from fairshot.prediction.predictions import Prediction, Predictions
from fairshot.prediction.preparation import prepare
from fairshot.prediction.temperature import confidences, fit_temperature
from fairshot.prediction.unknown_classes import Strangers, auroc, lowest_known
from fairshot.runtime.errors import FairshotError
from fairshot.sources.array import from_arrays
from fairshot.sources.glyphs.glyphs import load as load_glyphs
from fairshot.sources.images.pictures import open_images, open_support
from fairshot.sources.images.polarity import tone
from fairshot.sources.recipe import find_recipe
from fairshot.specs.data import find_part
from fairshot.specs.learners import find_learner
from fairshot.tables.table import Quantity

SHOTS = (3, 5, 4, 1)


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Drawings of four glyphs as a support of unequal shots, ten new ones of each, ten of a stranger, vectors too."""
    monkeypatch.chdir(tmp_path)
    glyphs = load_glyphs(alphabets=2, characters=3, drawers=8, takes=2)
    for number, class_id in enumerate(glyphs.classes[:5]):
        for at, drawing in enumerate(glyphs.store[glyphs.image_ids[glyphs.class_ids == class_id]][:, 0]):
            known = number < 4
            side = "new" if known and at >= 6 else "support" if known and at < SHOTS[number] else "rest"
            _save(Path(side if known else "strange") / f"glyph{number}" / f"{at}.png", drawing)
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(6), 10)
    X = 3 * rng.normal(size=(6, 5))[y] + rng.normal(size=(60, 5))
    np.savez("support.npz", X=X[::2], y=y[::2], class_names=[f"kind{k}" for k in range(6)])
    np.savez("new.npz", X=X[1::2])
    np.savez("wide.npz", X=np.ones((3, 7)))
    return tmp_path


def remarks(found: Predictions) -> tuple[str, ...]:
    """What is noted, but for the note that pixels are looked at."""
    return tuple(note for note in found.notes if "raw pixels" not in note)


def _save(path: Path, pixels: np.ndarray) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(pixels).save(path)


def _read(paths: Sequence[Path], size: int | None = None) -> np.ndarray:
    images = [Image.open(path).convert("L") for path in paths]
    return np.stack([np.asarray(i.resize((size, size), 2) if size else i).ravel() / 255 for i in images])


def test_answers_are_those_of_nearest_class_means_by_hand(work: Path) -> None:
    found = predict("new", "support", Prototypes())
    files = sorted(Path("new").rglob("*.png"))
    classes = [f"glyph{number}" for number in range(4)]
    means = np.stack([_read(sorted(Path("support", name).iterdir())).mean(0) for name in classes])
    distances = ((_read(files)[:, None] - means) ** 2).sum(2)
    order = distances.argsort(1)
    assert [row.file for row in found] == [str(file) for file in files]
    assert [row.label for row in found] == [classes[k] for k in order[:, 0]]
    assert [row.second for row in found] == [classes[k] for k in order[:, 1]]
    assert found.shots == SHOTS
    assert found.temperature is not None
    np.testing.assert_allclose(
        [row.confidence for row in found], confidences(-distances, found.temperature).max(1), rtol=1e-4
    )
    assert all(row.confidence >= row.second_confidence and not row.unknown for row in found)


def test_what_to_expect_is_what_held_out_images_get(work: Path) -> None:
    found = predict("new", "support", find_learner("neighbours")).expected
    assert found is not None
    assert found.images == 12  # the class of one image cannot hold out any
    assert found.low < found.value < found.high
    low, high = found.low, found.high
    z = 1.959964
    for end in (low, high):  # Wilson: the ends are where the observed share is just z deviations away
        assert abs(found.value - end) == pytest.approx(z * np.sqrt(end * (1 - end) / 12), rel=1e-4)


SEEN: list[tuple[list[int], int]] = []


class Watching(Prototypes):
    """Takes down how many support images a class each batch has, and how many queries."""

    def classify(self, batch: TaskBatch) -> torch.Tensor:
        SEEN.append((batch.support_labels[0].bincount().tolist(), batch.query.shape[1]))
        return super().classify(batch)


def test_one_image_of_every_class_is_held_out_at_a_time(work: Path) -> None:
    SEEN.clear()
    found = predict(
        "new.npz",
        from_arrays(np.random.default_rng(0).normal(size=(8, 5)), np.repeat([0, 1, 2], [3, 4, 1])),
        Watching(),
    )
    assert SEEN == [([2, 3, 1], 2), ([2, 3, 1], 2), ([2, 3, 1], 2), ([3, 3, 1], 1), ([3, 4, 1], 30)]
    assert found.expected is not None
    assert found.expected.images == 7


def test_copies_in_the_support_are_told() -> None:
    X = np.random.default_rng(0).normal(size=(6, 3))
    found = predict(X, from_arrays(np.tile(X, (2, 1)), np.tile([0, 0, 0, 1, 1, 1], 2)), Prototypes())
    assert remarks(found) == ("6 of 12 support images are copies of others, so what to expect is too rosy",)


def test_learners_of_every_kind_label(work: Path) -> None:
    Path("mine.py").write_text("from sklearn.naive_bayes import GaussianNB\nbayes = GaussianNB()\n")
    for name in ("neighbours:k=3", "ridge", "svm", "logistic", "mine.py:bayes", "balanced_prototypes", "chance"):
        share = None if name in ("svm", "logistic") else 0.1  # these two take long
        found = predict("new.npz", "array:support.npz", find_learner(name), unknown=share)
        assert len(found) == 30, name
        right = np.mean([row.label == f"kind{at // 5}" for at, row in enumerate(found)])
        assert right > 0.6 or name == "chance", name
        assert all(0 <= row.second_confidence <= row.confidence <= 1 for row in found), name
        told = any("looks at all images together" in note for note in found.notes)
        assert told == (name == "balanced_prototypes")
    assert found.expected is not None
    assert max(row.confidence for row in found) < 0.8, "a learner that guesses is not sure of itself"


def test_portions_change_nothing(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("prototypes", "balanced_prototypes"):
        whole = predict("new.npz", "support.npz", find_learner(name))
        monkeypatch.setattr("fairshot.prediction.predict.PORTION", 7)
        parts = predict("new.npz", "support.npz", find_learner(name))
        assert [row.label for row in parts] == [row.label for row in whole]
        np.testing.assert_allclose([r.confidence for r in parts], [r.confidence for r in whole], rtol=1e-4)


def test_a_large_support_is_not_looked_at_anew_for_every_portion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairshot.prediction.predict.PORTION", 8)
    labels = np.arange(80) % 4
    X = np.random.default_rng(0).normal(size=(80, 3)) + labels[:, None]
    asked: list[int] = []

    class Counted(Prototypes):
        def classify(self, batch: TaskBatch) -> torch.Tensor:
            asked.append(batch.query.shape[1])
            return super().classify(batch)

    predict(X.astype(np.float32), (X[::2].astype(np.float32), labels[::2]), Counted())
    assert asked[-2:] == [40, 40]  # as many as the support has
    assert [most_answered(count) for count in (2, 5000, 20_000)] == [8, 5000, PAIRS // 20_000]


def test_progress_counts_images(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairshot.prediction.predict.PORTION", 12)
    seen: list[tuple[str, int, int]] = []
    predict(
        "new.npz",
        "support.npz",
        Prototypes(),
        progress=lambda what, done, whole, mean: seen.append((what, done, whole)),
    )
    assert seen == [("labelling", 12, 30), ("labelling", 24, 30), ("labelling", 30, 30)]


def test_strangers_are_found_and_few_others_are_lost() -> None:
    rng = np.random.default_rng(1)
    centres = 4 * rng.normal(size=(12, 8))
    y = np.repeat(np.arange(10), 10)
    support = from_arrays(centres[y] + rng.normal(size=(100, 8)), y)
    known = centres[np.repeat(np.arange(10), 100)] + rng.normal(size=(1000, 8))
    strange = centres[np.repeat([10, 11], 100)] + rng.normal(size=(200, 8))
    found = predict(np.concatenate([known, strange]), support, Prototypes(), unknown=0.05)
    lost, caught = (np.mean([row.unknown for row in rows]) for rows in (found.rows[:1000], found.rows[1000:]))
    assert lost < 0.1
    assert caught > 0.9
    assert found.strangers is not None
    assert found.strangers.sureness == "logit"  # far from every class, and yet much nearer to one than to others
    assert found.strangers.found == pytest.approx(caught, abs=0.1)
    none = predict(known, support, Prototypes(), unknown=0.05, least=1.0)
    assert np.mean([row.unknown for row in none]) > 0.9


def test_too_little_support_falls_back_to_the_confidence(work: Path) -> None:
    with pytest.raises(FairshotError) as caught:
        predict("new", "support", Prototypes(), unknown=0.05)
    assert str(caught.value) == (
        "unknown=0.05 needs at least 19 support images that the others can answer, and there are 12: give more "
        "support, or say least=0.5 to go by the confidence alone"
    )
    found = predict("new", "support", Prototypes(), unknown=0.05, least=0.6)
    assert found.strangers is None
    assert {row.unknown == (row.confidence < 0.6) for row in found} == {True}
    assert remarks(found) == (
        "too few support images have others of their class for unknown=0.05, so only what has less confidence than "
        "0.6 counts as unknown",
    )


def test_one_shot_says_that_its_confidence_is_not_calibrated() -> None:
    X = np.random.default_rng(0).normal(size=(4, 3))
    found = predict(X, from_arrays(X, np.arange(4)), Prototypes())
    assert (found.expected, found.temperature) == (None, None)
    assert remarks(found) == (
        "the confidence is not calibrated but the learner's own softmax, which may be far off: 0 support images have "
        "others of their class, and 10 are needed to try it",
    )
    logits = -((X[:, None] - X) ** 2).sum(2)
    np.testing.assert_allclose([row.confidence for row in found], confidences(logits, 1.0).max(1), rtol=1e-4)
    assert [row.copy_of for row in found] == [f"row {k}" for k in range(4)]


def test_files_of_all_sizes_colours_and_depths(work: Path) -> None:
    first = Image.open("new/glyph0/6.png")
    Path("mix/deep/er").mkdir(parents=True)
    Path("mix/.hidden").mkdir()
    first.resize((210, 210)).save("mix/large.png")
    first.convert("RGB").resize((60, 90)).save("mix/deep/er/colour.jpg")
    first.save("mix/.hidden/not.png")
    Path("mix/notes.txt").write_text("no image")
    found = predict(["mix", "new/glyph1/7.png", "mix/large.png"], "support", Prototypes())
    assert [row.file for row in found] == ["mix/deep/er/colour.jpg", "mix/large.png", "new/glyph1/7.png"]
    alone = predict("new/glyph0/6.png", "support", Prototypes(), recipe="84")
    assert found[1].label == alone[0].label
    assert found.recipe == "84"
    assert remarks(found) == (
        "images differ in size, so all were resized to 84 x 84: name a recipe to have it otherwise",
        "1 image is in colour and read as grey, like the support",
    )


def test_broken_files_are_named_and_skipped(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("new/broken.png").write_text("hello")
    content = Path("new/glyph0/6.png").read_bytes()
    Path("new/cut.png").write_bytes(content[: len(content) // 2])
    Path("new/twin.png").write_bytes(Path("support/glyph2/1.png").read_bytes())
    assert main(["predict", "new", "--support", "support"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == [
        "41 images labelled by prototypes from 4 classes of 1 to 5 support images in",
        "support, recipe raw",
    ]
    assert lines[-2:] == [
        "Exact copies of support images: new/twin.png is glyph2/1.png.",
        "Warning: skipped 2 unreadable files: new/broken.png, new/cut.png.",
    ]
    assert main(["predict", "new/broken.png", "new/cut.png", "--support", "support"]) == 2
    assert capsys.readouterr().err == (
        "fairshot: none of 2 files could be read as an image, the first is new/broken.png: give files that Pillow "
        "reads, such as .png or .jpg\n"
    )


def test_all_broken_support_images_are_named_at_once(work: Path) -> None:
    half = Path("support/glyph1/half.jpg")
    _save(half, np.random.default_rng(0).integers(0, 255, (64, 64), dtype=np.uint8))
    half.write_bytes(half.read_bytes()[: half.stat().st_size // 2])
    for name in ("empty.png", "words.jpg"):
        Path("support/glyph0", name).write_text(name[:0] if name.startswith("empty") else "no picture")
    with pytest.raises(FairshotError) as caught:
        predict("new", support="support")
    assert str(caught.value) == (
        "3 of 16 files in support cannot be read: glyph0/empty.png (no image), glyph0/words.jpg (no image), "
        "glyph1/half.jpg (cannot be decoded): mend or remove them"
    )


def test_a_broken_support_image_is_named(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = Path("support/glyph0/1.png").read_bytes()
    Path("support/glyph0/1.png").write_bytes(content[: len(content) // 2])
    assert main(["predict", "new", "--support", "support"]) == 2
    assert capsys.readouterr().err == ("fairshot: cannot read support/glyph0/1.png as an image: mend or remove it\n")


def _fitted(recipe: str, size: int) -> Fitted:
    torch.manual_seed(0)
    model = Model(make_network("conv4", (1, size)), {}).eval().requires_grad_(False)
    plan = Prototypes.plan("laptop")
    return Fitted(
        Prototypes(),
        model,
        Record(
            learner="prototypes",
            settings={},
            plan=plan,
            preset="laptop",
            source="glyphs",
            recipe=recipe,
            shape=(1, size),
            classes=9,
            seed=0,
        ),
    )


def test_a_trained_learner_brings_its_own_recipe_without_rotations(work: Path) -> None:
    learner = _fitted("centroid", 28)
    for same in (learner, Foreign(learner, "")):
        prepared = prepare(open_support("support"), open_images("new"), same, recipe=None, invert="auto")
        assert prepared.images.recipe == replace(find_recipe("centroid"), rotations=(0,))
        assert prepared.notes == ()
    found = predict("new", "support", learner)
    assert (found.recipe, len(found)) == ("centroid", 40)
    assert remarks(predict("new", "support", learner, recipe="28")) == (
        "the learner was trained with the recipe centroid, not 28",
    )


@pytest.mark.parametrize("recipe", ["28", "centroid"])
def test_images_that_the_learner_was_trained_on_are_told(work: Path, recipe: str) -> None:
    glyphs = [path for path in sorted(Path("support").iterdir()) if path.name != "glyph1"]
    for path in [*glyphs, Path("new/glyph0")]:
        shutil.copytree(path, Path("learned", path.parent.name, path.name))
    learned = find_part("folder:learned", recipe=recipe)
    fitted = replace(_fitted(recipe, learned.store.shape[-1]), seen=remember(learned))
    count = len(list(Path("new").rglob("*.png")))
    rosy = "the learner was trained on 8 of 13 support images, so what to expect is too rosy"
    better = f"the learner was trained on 10 of the {count} images that were labelled, so it fares better on them than on others"
    for learner in (fitted, Foreign(fitted, "")):
        assert predict("new", "support", learner).notes[-2:] == (rosy, better)
    assert predict("new/glyph1", "support", fitted).notes[-1] == rosy
    shutil.rmtree("learned/support")
    Path("learned/support").mkdir()
    others = replace(fitted, seen=remember(find_part("folder:learned", recipe=recipe)))
    assert (
        predict("new/glyph1", "support", others).notes
        == predict("new/glyph1", "support", replace(fitted, seen=None)).notes
    )


def _negative(folder: str) -> str:
    for file in sorted(Path(folder).rglob("*.png")):
        _save(Path(f"negative-{file}"), 255 - np.asarray(Image.open(file).convert("L")))
    return f"negative-{folder}"


def test_light_on_dark_is_noticed_and_said(work: Path) -> None:
    support, new, learner = _negative("support"), _negative("new"), _fitted("centroid", 28)
    usual = predict("new", "support", learner)
    both = predict(new, support, learner)
    assert [(r.label, r.confidence) for r in both] == [(r.label, r.confidence) for r in usual]
    assert remarks(both) == (
        "support and images look light on dark, and the recipe centroid is for the opposite, so both were inverted: "
        "invert=none leaves them as they are",
    )
    assert remarks(predict(new, support, learner, invert="none")) == ()
    for first, second, advice in ((new, "support", "images"), ("new", support, "support")):
        warned = predict(first, second, learner)
        assert warned.notes[0].endswith(f", so answers will be poor: say invert={advice} if that is so")
        mended = predict(first, second, learner, invert=advice)  # type: ignore[arg-type]
        assert [(r.label, r.confidence) for r in mended] == [(r.label, r.confidence) for r in usual]


def test_without_a_recipe_for_drawings_polarity_only_has_to_agree(work: Path) -> None:
    support, new = _negative("support"), _negative("new")
    usual, both = predict("new", "support", Prototypes()), predict(new, support, Prototypes())
    assert remarks(both) == ()
    assert [row.label for row in both] == [row.label for row in usual]
    assert remarks(predict(new, "support", Prototypes())) == (
        "the images look light on dark and the support dark on light, so answers will be poor: say invert=images if "
        "that is so",
    )


def test_photographs_are_neither_dark_nor_light() -> None:
    noise = np.random.default_rng(0).integers(0, 255, (3, 20, 20), dtype=np.uint8)
    assert tone(noise) == 0
    assert tone(np.full((1, 9, 9), 7, dtype=np.uint8)) == 0


def test_temperature_makes_confidence_as_large_as_the_share_of_right_answers() -> None:
    rng = np.random.default_rng(0)
    truth = rng.normal(size=(4000, 5))
    labels = np.array([rng.choice(5, p=row) for row in confidences(truth, 1.0)])
    for scale in (1e-4, 1.0, 1e5):
        assert fit_temperature(scale * truth, labels) == pytest.approx(scale, rel=0.1)


def test_answers_that_are_all_right_do_not_make_it_certain() -> None:
    logits = 3.0 * np.eye(4)[np.arange(20) % 4]
    temperature = fit_temperature(logits, np.arange(20) % 4)
    likely = np.sort(confidences(logits, temperature)[0])[::-1]
    assert likely[0] == pytest.approx(1 - likely[1:].sum())
    assert 0.8 < likely[0] < 0.99


def test_the_threshold_is_the_conformal_quantile() -> None:
    sure = np.random.default_rng(0).permutation(np.arange(1.0, 20.0))
    assert lowest_known(sure, 0.05) == 1.0  # 20 places for a new image, one of them below all
    assert lowest_known(sure, 0.1) == 2.0
    assert lowest_known(sure, 0.999) == 19.0
    with pytest.raises(FairshotError):
        lowest_known(sure, 0.049)
    assert auroc(np.array([1.0, 2.0]), np.array([0.0, 1.0])) == 0.875


def made(rows: tuple[Prediction, ...], strangers: Strangers | None = None, least: float | None = None) -> Predictions:
    return Predictions(
        rows=rows,
        learner="mine.py:[net]",
        support="pets",
        classes=("cat", "dog"),
        shots=(1, 1),
        recipe=None,
        expected=None,
        temperature=None,
        strangers=strangers,
        least=least,
    )


def test_few_images_are_all_shown() -> None:
    rows = (
        Prediction("[a].png", "cat", 0.9, "dog", 0.1),
        Prediction("b\udcff.png", "dog", 0.6, "cat", 0.4, unknown=True),
    )
    strangers = Strangers(share=0.05, sureness="logit", threshold=1.5, auroc=0.875, found=0.5)
    text = made(rows, strangers, 0.5).to_text(width=1000)
    assert [" ".join(line.split()) for line in text.splitlines() if line.strip()] == [
        "2 images labelled by mine.py:[net] from 2 classes of 1 support image in pets",
        "What to expect is unknown, since no class has two support images.",
        "file label confidence second",
        "[a].png cat 90.0% dog 10.0%",
        "b\\udcff.png unknown (dog?) 60.0% cat 40.0%",
        "Unknown: at most 5% of the images of these classes should be called so by mistake. With classes left out of the "
        "support, 50% of their images were found (by the learner's own score, AUROC 0.88).",
        "What has less confidence than 50.0% counts as unknown.",
    ]


def test_predictions_are_indexed_and_are_tables() -> None:
    rows = (Prediction("a.png", "cat", 0.9, "dog", 0.1), Prediction("b\udcff.png", "dog", 0.6, "cat", 0.4))
    found = made(rows)
    assert found["a.png"] == found[0] == rows[0]
    assert found[:1] == rows[:1]
    assert found.labels == ["cat", "dog"]
    with pytest.raises(FairshotError, match=r"^unknown file 'c\.png': did you mean 'a\.png'\?$"):
        found["c.png"]
    table = found.tables()[0]
    assert [row[1] for row in table.rows] == ["cat", "dog"]
    assert table.rows[0][2] == Quantity(value=0.9, unit="share")
    assert json.loads(found.to_json())["rows"][0]["confidence"] == 0.9


def test_many_images_are_summed_up_and_all_are_written(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["predict", "new", "strange", "--support", "support", "--least", "0.9", "--out", "a/b.csv"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "All of them: --out FILE.csv, or --json." in lines
    with open("a/b.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    found = predict(["new", "strange"], "support", Prototypes(), least=0.9)
    assert [row["file"] for row in rows] == [row.file for row in found]
    assert [row["unknown"] for row in rows] == ["yes" if row.unknown else "no" for row in found]
    assert [float(row["confidence"]) for row in rows] == [pytest.approx(row.confidence, abs=1e-6) for row in found]
    assert main(["predict", "new", "strange", "--support", "support", "--least", "0.9", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [row["label"] for row in told["rows"]] == [row.label for row in found]
    assert (told["learner"], told["support"], told["shots"]) == ("prototypes", "support", list(SHOTS))
    assert told["expected"]["images"] == 12


BAD = [
    ("new", "the following arguments are required: --support; see 'fairshot predict --help'"),
    (
        "new --support lost",
        "there is no folder lost: give support a folder of class folders with images, or array:FILE.npz",
    ),
    ("new --support array:lost.npz", "there is no file lost.npz: give an .npz file with X and y"),
    ("new --support array:new.npz", "new.npz holds X: it needs X and y"),
    (
        "new --support empty",
        "empty holds no images in class folders: give a folder of images for each class",
    ),
    (
        "new --support strange",
        "strange has a single class, 'glyph4': give at least two classes to choose from",
    ),
    (
        "new --support support/glyph0",
        "support/glyph0/0.png is in no class folder: images belong in CLASS/ or PARENT/CLASS/",
    ),
    ("lost --support support", "there is no file or folder lost: give images"),
    ("empty --support support", "empty holds no images: give images, or a folder with images at any depth"),
    (
        "new.npz new --support support",
        "new.npz holds arrays and new does not: give images or .npz files, not both",
    ),
    (
        "new.npz --support support",
        "support holds images, and what is to be labelled are feature vectors: give both as images, or both as .npz "
        "files of the same features",
    ),
    (
        "new --support support.npz",
        "support holds feature vectors, and what is to be labelled are images: give both as images, or both as .npz "
        "files of the same features",
    ),
    (
        "wide.npz --support support.npz",
        "support holds vectors of 5 features, and those to be labelled have 7: make both with the same encoder",
    ),
    (
        "new.npz --support support.npz --learner hausdorff",
        "hausdorff reads images, and support holds feature vectors: choose a learner that reads both, such as prototypes",
    ),
    (
        "new.npz --support support.npz --recipe 28",
        "the recipe 28 is for images, and support holds feature vectors: leave it out",
    ),
    (
        "small.png new --support support --recipe raw",
        "the images have 2 sizes, from 9 x 5 to 105 x 105, and the recipe raw keeps them: use the recipe 84, or another "
        "number of pixels",
    ),
    ("new --support support --recipe centriod", "unknown recipe 'centriod': did you mean 'centroid'?"),
    ("new --support support --learner prototype", "unknown learner 'prototype': did you mean 'prototypes'?"),
    (
        "new --support support --unknown 5",
        "--unknown 5 is no share: give the share of images of known classes that may be called unknown by mistake, such "
        "as 0.05",
    ),
    (
        "new --support support --least 90",
        "--least 90 is no confidence: give one above 0 and at most 1, such as 0.5",
    ),
    ("new --support support --out a.txt", "--out writes CSV, and a.txt does not end in .csv: name it a.csv"),
]


@pytest.mark.parametrize(("command", "message"), BAD, ids=[command for command, _ in BAD])
def test_bad_input_gives_one_clear_line(
    command: str, message: str, work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("empty/folder").mkdir(parents=True)
    Image.new("L", (9, 5)).save("small.png")
    assert main(["predict", *command.split()]) == 2
    assert capsys.readouterr() == ("", f"fairshot: {message}\n")


def test_arrays_paths_and_specs_give_the_same_as_files(work: Path) -> None:
    arrays, new = dict(np.load("support.npz")), np.load("new.npz")["X"]
    usual = predict("new.npz", "support.npz", find_learner("ridge"))
    names = arrays["class_names"][arrays["y"]]
    for images, support in ((new, (arrays["X"], names)), (torch.from_numpy(new), {"X": arrays["X"], "y": names})):
        found = predict(images, support=support, learner="ridge")
        assert (found.labels, found.learner) == (usual.labels, "ridge")
        assert [row.confidence for row in found] == [row.confidence for row in usual]
    assert (
        predict([Path("new/glyph0"), "new/glyph1"], Path("support")).labels
        == predict(["new/glyph0", "new/glyph1"], "folder:support", "prototypes").labels
    )


def test_what_was_predicted_is_saved_in_the_form_that_the_ending_names(work: Path) -> None:
    found = predict("new.npz", "support.npz")
    with open(found.save("a/b.csv"), newline="") as file:
        assert [row["label"] for row in csv.DictReader(file)] == found.labels
    assert json.loads(found.save("b.json").read_text()) == json.loads(found.to_json())
    with pytest.raises(FairshotError) as caught:
        found.save("b.doc")
    assert str(caught.value) == (
        "b.doc does not say in which form to save: let it end in .json, .csv, .md, .tex, .html, .txt"
    )


def test_python_callers_are_told_as_clearly(work: Path) -> None:
    for images, support, message in (
        ([], "support", "there are no images to label: give files or folders of images"),
        (
            "new",
            replace(load_glyphs(alphabets=1, characters=2, drawers=2), recipe=find_recipe("28")),
            "glyphs went through the recipe 28 already: give it raw, and the recipe beside it",
        ),
    ):
        with pytest.raises(FairshotError) as caught:
            predict(images, support, Prototypes())
        assert str(caught.value) == message
