"""Critics of a few steps are poor ones, but what must hold for any critic holds for them."""

import json
import shutil
from dataclasses import replace
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console
from safetensors import safe_open
from safetensors.torch import save_file
from scipy import stats

from fairshot.cli.main import main
from fairshot.learners.classifiers.prototypes import Prototypes
from fairshot.learners.classifiers.simclr import Simclr
from fairshot.learners.training.loop import train
from fairshot.learners.training.plan import Plan
from fairshot.reports.pictures import draw_pictures
from fairshot.reports.scores import render_scores
from fairshot.runtime.errors import FairshotError
from fairshot.scoring.class_values import over_class_values
from fairshot.scoring.critics import load_critics
from fairshot.scoring.measures.diversity import chords_by_class, deviation_by_class
from fairshot.scoring.measures.line_length import line_length
from fairshot.scoring.protocol import Judging
from fairshot.scoring.sample_scores import METRICS, Scored
from fairshot.scoring.sample_sets import draw_samples
from fairshot.scoring.score import judge_samples, score, show, tell
from fairshot.sources.recipe import find_recipe
from fairshot.specs.data import find_part, find_split

WORLD = "glyphs:alphabets=5,characters=6,drawers=5"
ON = f"{WORLD}/parents/novel"
JUDGING = Judging(way=4, times=40)
FAR = ("distance", "class_distance")
SHARED = ("diversity", "recognizability", "copies", "originality", "chords", "vendi", "inception")


@pytest.fixture(scope="module")
def critics(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("critics")
    base = find_split(WORLD, "parents", recipe="diversity").base
    plan = Plan(network="critic", images=16, steps=4, epoch=4, optimizer="rmsprop")
    train(Simclr(), base, plan=plan, out=folder / "simclr")
    plan = Plan(network="critic", way=5, shot=1, query=2, steps=6, epoch=6, exemplars=str(folder / "simclr"))
    train(Prototypes(), base, plan=plan, out=folder / "prototypes")
    return str(folder)


@pytest.fixture(scope="module")
def found(critics: str) -> Scored:
    return score(["copy", "strangers", "fresh", "human"], critics, on=ON, count=10, judging=JUDGING)


def value(found: Scored, samples: str, metric: str) -> float:
    row = found.row(samples, metric)
    assert row is not None
    assert row.value is not None
    return row.value


def test_copies_have_no_diversity_and_are_always_recognised(found: Scored) -> None:
    assert value(found, "copy", "diversity") == 0
    assert value(found, "copy", "chords") == 0
    assert value(found, "copy", "recognizability") == 1
    assert value(found, "copy", "copies") == 1
    assert value(found, "copy", "originality") == 0
    assert value(found, "copy", "precision") == 1
    assert value(found, "copy", "recall") < 0.2


def test_strangers_are_diverse_and_hardly_recognised(found: Scored) -> None:
    assert value(found, "strangers", "diversity") > 0.5 * value(found, "human", "diversity")
    assert value(found, "strangers", "precision") < value(found, "fresh", "precision")
    assert value(found, "strangers", "recognizability") < 0.3
    assert value(found, "strangers", "copies") < 0.2


def test_the_true_process_is_where_people_are(found: Scored) -> None:
    for metric, near in (("diversity", 0.25), ("recognizability", 0.2), ("vendi", 0.2), ("originality", 0.25)):
        assert value(found, "fresh", metric) == pytest.approx(value(found, "human", metric), rel=near)
    distances = {name: value(found, name, "distance") for name in ("copy", "strangers", "fresh")}
    assert min(distances, key=lambda name: distances[name]) == "fresh"
    assert set(found.pool) == {"copy", "strangers", "fresh", "human"}


def test_every_set_has_every_measure_with_an_interval_or_a_reason(found: Scored) -> None:
    assert found.sets == ["copy", "strangers", "fresh", "human"]
    for name in found.sets:
        own = {row.metric for row in found.rows if row.learner == name}
        assert own == set(SHARED) if name == "human" else own >= set(METRICS) - {"curve"}
    for row in found.rows:
        if "classes" in row.intervals:
            assert (row.intervals["classes"] is None) == bool(row.notes), row.metric
    assert len(found.by_class) == 4 * found.classes


def test_every_two_sets_are_compared_class_by_class(found: Scored) -> None:
    pairs = [("copy", "strangers"), ("copy", "fresh"), ("copy", "human"), ("strangers", "fresh")]
    pairs += [("strangers", "human"), ("fresh", "human")]
    told = {(each.first, each.second, each.metric): each for each in found.differences}
    wanted = [(*pair, metric) for metric in ("diversity", "recognizability") for pair in pairs]
    assert list(told) == [*wanted, *((*pair, far) for far in FAR for pair in pairs if "human" not in pair)]
    by_class = {(row.samples, metric): [] for row in found.by_class for metric in row.values}
    for row in found.by_class:
        for metric, own in row.values.items():
            by_class[row.samples, metric].append(own)
    for one, other in pairs:
        apart = told[one, other, "diversity"]
        wanted_p = stats.ttest_rel(by_class[one, "diversity"], by_class[other, "diversity"]).pvalue
        assert apart.value == pytest.approx(value(found, one, "diversity") - value(found, other, "diversity"))
        assert apart.p == pytest.approx(wanted_p)
        assert apart.holm >= apart.p
        assert told[one, other, "recognizability"].value == pytest.approx(
            value(found, one, "recognizability") - value(found, other, "recognizability"), abs=1e-3
        )
    for far in FAR:
        nearer = told["copy", "fresh", far]
        assert nearer.value > 0, "fresh drawings are nearer to people than copies"
        assert nearer.value == pytest.approx(value(found, "copy", far) - value(found, "fresh", far))
    for each in found.differences:
        assert (each.interval is None) == bool(each.note)
        assert (each.p is None) == (each.interval is None) == (each.holm is None)


def test_classes_of_one_parent_are_not_taken_for_independent(critics: str, tmp_path: Path) -> None:
    world = "glyphs:alphabets=3,characters=4,drawers=5,seed=9"
    found = score(["copy", "warped"], critics, on=world, count=5, judging=JUDGING)
    rows = {(row.learner, row.metric): row for row in found.rows}
    values = np.array([row.values["diversity"] for row in found.by_class if row.samples == "human"])
    parents = [row.name.partition("/")[0] for row in found.by_class if row.samples == "human"]
    numbers = np.unique(parents, return_inverse=True)[1]
    for population, groups in (("classes", None), ("parents", numbers)):
        wanted = over_class_values(values, bounds=(0.0, np.inf), parents=groups).interval
        assert rows["human", "diversity"].intervals[population] == pytest.approx(wanted)
    assert set(rows["human", "recognizability"].intervals) == {"classes"}, "episodes mix parents"
    told = {each.metric: each.population for each in found.differences}
    assert told == {"diversity": "parents", "recognizability": "classes", **dict.fromkeys(FAR, "parents")}
    written = StringIO()
    render_scores(found, Console(width=200, file=written))
    assert "of other parents where they count one by one" in written.getvalue()


def test_all_exemplars_are_saved_whatever_else_was_given(critics: str, tmp_path: Path) -> None:
    part = find_part(ON)
    some = np.flatnonzero(part.class_ids != part.classes[0])
    names = np.array(part.class_names)[part.class_ids[some]]
    np.savez(tmp_path / "some.npz", images=np.asarray(part.read(some)), labels=names)
    judged = judge_samples([str(tmp_path / "some.npz")], critics, on=ON, judging=JUDGING)
    told, exemplars = judged.exemplars
    assert len(judged.class_names) == len(part.classes) - 1
    assert told == [part.class_names[c] for c in part.classes]
    assert len(exemplars) == len(told)


def test_people_need_a_drawing_beside_the_exemplar(critics: str, tmp_path: Path) -> None:
    part = find_part(ON)
    rows = np.searchsorted(part.class_ids, part.classes)
    np.savez(tmp_path / "one.npz", X=np.asarray(part.read(rows)), y=np.arange(len(rows)))
    with pytest.raises(FairshotError) as refused:
        score(["copy"], critics, on=f"array:{tmp_path / 'one.npz'}", judging=JUDGING)
    assert str(refused.value) == (
        "one has a class of 1 drawings by people, and 1 of them stand for it: give 2 or more of each class"
    )


def test_critics_without_numbers_are_refused(critics: str, tmp_path: Path) -> None:
    folder = tmp_path / "broken"
    shutil.copytree(critics, folder)
    path = folder / "simclr" / "weights.safetensors"
    with safe_open(path, "pt") as file:
        told, state = file.metadata(), {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    save_file(
        {name: value * float("nan") if value.is_floating_point() else value for name, value in state.items()},
        path,
        told,
    )
    with pytest.raises(FairshotError) as refused:
        load_critics(str(folder))
    assert str(refused.value) == f"simclr of {folder} has weights that are not numbers: train it anew"


def test_names_of_sets_are_no_emoji(found: Scored, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [row.model_copy(update={"learner": f"{row.learner}:ok:"}) for row in found.rows]
    notes = ["mine.py:ok: was read"]
    render_scores(found.model_copy(update={"rows": rows, "notes": notes}))
    shown = capsys.readouterr().out
    assert "copy:ok:" in shown
    assert "Note: mine.py:ok: was read." in shown


def test_people_read_from_files_are_people(found: Scored, critics: str, tmp_path: Path) -> None:
    part = find_part(ON)
    labels = np.array(part.class_names)[part.class_ids]
    np.savez(tmp_path / "people.npz", images=255 - np.asarray(part.read(slice(None))), labels=labels)
    again = score([str(tmp_path / "people.npz")], critics, on=ON, judging=replace(JUDGING, exemplar_asks=True))
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
    for metric in FAR:
        assert value(again, str(tmp_path / "people.npz"), metric) == 0
    assert again.verdict.startswith(f"{tmp_path / 'people.npz'} is 0.00 from people (0: as people draw; ")
    assert again.verdict.endswith("): as diverse as people and recognised as often as people.")


def test_numbers_of_people_by_hand(found: Scored, critics: str) -> None:
    part, pair = find_part(ON, recipe="diversity"), load_critics(critics)
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


def test_how_much_there_is_to_draw_by_hand(found: Scored, critics: str) -> None:
    part, pair = find_part(ON, recipe="diversity"), load_critics(critics)
    images = np.asarray(part.read(slice(None)))
    own = {row.name: row.values["diversity"] for row in found.by_class if row.samples == "human"}
    diversity = [own[part.class_names[c]] for c in part.classes]
    rival = deviation_by_class(pair.features(images, "prototypes"), part.class_ids)
    much = {
        "line length": [line_length(images[part.class_ids == c, 0] > 127).mean() for c in part.classes],
        "ink": [(images[part.class_ids == c] > 127).sum() for c in part.classes],
        "strokes": part.class_attributes["strokes"][part.classes],
    }
    told = {(row.first, row.second): row.spearman for row in found.complexity}
    for name, values in much.items():
        assert told["simclr Eq. 2", name] == pytest.approx(stats.spearmanr(diversity, values)[0])
        assert told["prototypes Eq. 2", name] == pytest.approx(stats.spearmanr(rival, values)[0])
    assert len(told) == 6
    assert all(row.interval is None for row in found.complexity), "six classes are too few"


def test_authentic_samples_class_by_class(found: Scored, critics: str) -> None:
    assert value(found, "copy", "authentic") == 0, "the exemplar is one of the real drawings"
    assert value(found, "strangers", "authentic") > value(found, "fresh", "authentic") > 0.2


def test_what_is_shown_is_what_was_judged(critics: str) -> None:
    judged = judge_samples(["copy"], critics, on=ON, count=3, judging=JUDGING)
    gallery = show(judged)
    human, copies = gallery.concepts["human"]["simclr"], gallery.concepts["copy"]["simclr"]
    part = find_part(ON, recipe="diversity")
    own = {row.name: row for row in tell(judged).by_class if row.samples == "human"}
    assert [one.diversity for one in human] == sorted(row.values["diversity"] for row in own.values())
    for one in human:
        assert one.diversity == own[one.name].values["diversity"]
        exemplar = 255 - np.asarray(part.store)[own[one.name].exemplar, 0]
        assert np.array_equal(one.drawings[0], exemplar)
        assert len(one.drawings) == 10
        assert (one.drawings == 255).mean() > 0.5, "dark on light"
    for one in copies:
        assert len(one.drawings) == 4
        assert (one.drawings == one.drawings[0]).all()
    assert gallery.concepts["human"]["prototypes"][0].diversity != human[0].diversity
    assert len(gallery.neighbours.places) == 60
    assert gallery.neighbours.exemplar.sum() == 6


def test_missing_classes_leave_the_others_to_all(found: Scored, critics: str, tmp_path: Path) -> None:
    part = find_part(ON)
    kept = np.isin(part.class_ids, part.classes[:5])
    labels = np.array(part.class_names)[part.class_ids[kept]]
    np.savez(tmp_path / "some.npz", X=np.asarray(part.read(np.flatnonzero(kept))), y=labels)
    some = score([str(tmp_path / "some.npz"), "copy"], critics, on=ON, count=3, judging=JUDGING)
    assert some.classes == 5
    assert some.episodes_key != found.episodes_key, "other classes meet"
    assert {row.name for row in some.by_class if row.samples == "copy"} == set(labels)
    assert any("no sample of 1 of 6 classes" in note for note in some.notes)
    with pytest.raises(FairshotError) as refused:
        score([str(tmp_path / "some.npz")], critics, on=ON, judging=replace(JUDGING, way=6))
    assert str(refused.value) == (
        "5 of 6 classes have samples in every set, and 6 meet in an episode: give samples of more classes, or --way 4"
    )


def test_exemplars_at_random_and_somebodys_generator(critics: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "import numpy as np\n"
        "def shifted(exemplars, count, seed):\n"
        "    assert exemplars.shape[1:] == (1, 50, 50) and set(np.unique(exemplars)) == {0, 1}\n"
        "    return np.stack([np.roll(exemplars, step - 1, 3) for step in range(count)], 1)\n"
    )
    for how in ("central", "random"):
        one = score([f"{file}:shifted"], critics, on=ON, count=3, exemplars=how, judging=JUDGING)
        assert value(one, f"{file}:shifted", "copies") == 1, "a shift by a pixel is a copy still"
        assert value(one, f"{file}:shifted", "diversity") > 0
    with pytest.raises(FairshotError, match="fresh drawings can be had of glyphs alone, and these are of folder"):
        score(["fresh"], critics, on=_folder(tmp_path), judging=JUDGING)


def test_what_is_said_of_ink_is_not_said_of_yardsticks(critics: str, tmp_path: Path) -> None:
    part, recipe = find_part(ON, recipe="diversity"), find_recipe("diversity")
    shown = recipe.scale(part.read(slice(0, None, 10)))
    for spec in ("copy", "fresh"):
        drawn = [
            draw_samples(spec, part, shown, recipe, on=ON, count=2, ink=ink, seed=0).images
            for ink in ("auto", "dark", "light")
        ]
        assert np.array_equal(drawn[0], drawn[1])
        assert np.array_equal(drawn[0], drawn[2])
        assert drawn[0].mean() < 128


def test_people_with_light_ink_are_read_as_such(critics: str, tmp_path: Path) -> None:
    part, made = find_part(ON), []
    for name, images in (("dark", np.asarray(part.read(slice(None)))), ("light", 255 - part.read(slice(None)))):
        np.savez(tmp_path / f"{name}.npz", X=images, y=np.array(part.class_names)[part.class_ids])
        made.append(score(["copy", "strangers"], critics, on=f"array:{tmp_path / name}.npz", judging=JUDGING))
    dark, light = made
    for row in dark.rows:
        assert value(light, row.learner, row.metric) == pytest.approx(row.number, rel=1e-6), row.metric
    assert "the drawings of people, light, are light on dark: they were read as such" in light.notes
    assert not any("drawings of people" in note for note in dark.notes)
    assert light.source.fingerprint != dark.source.fingerprint


def test_what_a_generator_prints_gives_or_ends(
    critics: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
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
    asked = ["--critic", critics, "--on", ON, "--way", "4", "--times", "20", "--count", "4"]
    assert (
        main(["score", "mine.py:few", "mine.py:Made", "copy", *asked, "--json", "--save-exemplars", "shown.npz"]) == 0
    )
    told = capsys.readouterr()
    notes = json.loads(told.out)["notes"]
    assert {"hello", "drawing", "made"} <= set(told.err.split())
    assert "mine.py:few gave 3 images a class, and was asked for 4" in notes
    assert "copy is what fairshot calls so: write ./copy for the folder or file of that name" in notes
    assert "The exemplars of 6 classes are in shown.npz." in told.err
    shown, part = np.load("shown.npz"), find_part(ON, recipe="diversity")
    assert shown["labels"].tolist() == [part.class_names[c] for c in part.classes]
    exemplars = [each["exemplar"] for each in json.loads(told.out)["by_class"] if each["samples"] == "human"]
    assert np.array_equal(shown["images"], part.store[exemplars])
    assert main(["score", "mine.py:ending", *asked]) == 2
    assert "mine.py:ending failed as generate(exemplars, count, seed)" in capsys.readouterr().err


def test_a_distance_does_not_depend_on_the_company(found: Scored, critics: str) -> None:
    for company in (["copy"], ["copy", "noise"], ["warped", "copy", "strangers"]):
        other = score(company, critics, on=ON, count=10, judging=JUDGING)
        for metric in FAR:
            assert value(other, "copy", metric) == value(found, "copy", metric)
            assert other.row("copy", metric) == found.row("copy", metric)


def test_distances_are_those_of_the_points(found: Scored) -> None:
    human = found.pool["human"]
    for name in ("copy", "strangers", "fresh"):
        own = found.pool[name]
        wanted = np.hypot(own[0] / human[0] - 1, (own[1] - 1 / 4) / (human[1] - 1 / 4) - 1)
        assert value(found, name, "distance") == pytest.approx(wanted)
        assert value(found, name, "class_distance") >= wanted - 1e-9, "no class is nearer than the mean, on average"


def test_people_who_are_recognised_by_chance_have_no_distances(
    critics: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("fairshot.scoring.measures.human_distance.LEAST_ABOVE_CHANCE", 0.99)
    far = score(["copy", "noise"], critics, on=ON, count=4, judging=JUDGING)
    assert far.row("copy", "distance") is None
    assert not any(each.metric in FAR for each in far.differences)
    assert far.verdict.startswith("How far samples are from people cannot be told: people's drawings are recognised ")
    render_scores(far)
    assert capsys.readouterr().out.startswith("How far samples are from people cannot be told: ")


@pytest.mark.parametrize(("name", "asked", "least"), [("way", 1, 2), ("times", 0, 1), ("neighbours", -2, 1)])
def test_numbers_that_ask_for_nothing_are_refused(name: str, asked: int, least: int) -> None:
    with pytest.raises(FairshotError, match=f"--{name} is {asked}: it must be at least {least}"):
        Judging(**{name: asked})


def test_many_sets_stand_in_several_tables(found: Scored) -> None:
    rows = [
        row.model_copy(update={"learner": f"generator{number}"})
        for number in range(11)
        for row in found.rows
        if row.learner == "copy"
    ]
    written = StringIO()
    render_scores(found.model_copy(update={"rows": rows}), Console(width=100, file=written))
    lines = [line.split() for line in written.getvalue().splitlines() if line.startswith(" vendi ")]
    assert [len(line) for line in lines] == [7, 7, 3], "five sets and people"


def test_one_class_alone_cannot_be_judged(critics: str, tmp_path: Path) -> None:
    part = find_part(ON)
    np.savez(tmp_path / "one.npz", X=np.asarray(part.read(slice(0, 5))), y=np.zeros(5, dtype=int))
    with pytest.raises(FairshotError) as refused:
        score([str(tmp_path / "one.npz")], critics, on=ON, judging=JUDGING)
    assert str(refused.value) == (
        "1 of 6 classes have samples in every set, and 4 meet in an episode: give samples of more classes"
    )


def test_people_alone(critics: str) -> None:
    alone = judge_samples(["human"], critics, on=ON, judging=JUDGING)
    assert tell(alone).sets == ["human"]
    assert tell(alone).verdict == ""
    assert set(dict(draw_pictures(tell(alone), show(alone)))) == {
        "plane.svg", "tsne.svg", "concepts-simclr.svg", "concepts-prototypes.svg",
    }  # fmt: skip


def _folder(tmp_path: Path) -> str:
    from PIL import Image

    part = find_part(ON)
    for row in range(len(part)):
        folder = tmp_path / "people" / part.class_names[part.class_ids[row]]
        folder.mkdir(parents=True, exist_ok=True)
        Image.fromarray(part.store[part.image_ids[row], 0]).save(folder / f"{row}.png")
    return f"folder:{tmp_path / 'people'}"


def test_critics_that_saw_the_drawings_are_refused(critics: str) -> None:
    with pytest.raises(FairshotError, match=r"simclr of .* was trained on glyphs/parents/base, which holds .* images"):
        score(["copy"], critics, on=f"{WORLD}/parents/base", judging=JUDGING)


def test_what_is_no_pair_of_critics(critics: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FairshotError) as refused:
        load_critics(str(tmp_path))
    assert str(refused.value) == (
        f"{tmp_path} holds 0 runs of simclr: a pair of critics is a folder with one run of simclr and one of "
        f"prototypes, made by 'fairshot train ... --out {tmp_path}/simclr'"
    )
    with pytest.raises(FairshotError, match="there are no critics 'omniglot-lake': there are"):
        load_critics("omniglot-lake")
    # Of a world without its settings only the name is known, and another world has the same.
    monkeypatch.setattr(
        "fairshot.scoring.human_reference.find_part", lambda what, recipe: find_part("glyphs:alphabets=2,characters=2")
    )
    with pytest.raises(FairshotError, match="which does not tell what to compare samples with: say --on"):
        score(["copy"], critics, judging=JUDGING)


def test_shipped_critics_are_found_by_name(critics: str, monkeypatch: pytest.MonkeyPatch) -> None:
    weights = {
        f"{kind}@glyphs-critic": Path(critics) / kind / "weights.safetensors" for kind in ("simclr", "prototypes")
    }
    monkeypatch.setattr("fairshot.scoring.critics.shipped_weights", lambda: weights)
    pair = load_critics("glyphs")
    assert pair.about["simclr"]["learner"] == "simclr"
    assert pair.about["prototypes"]["learner"] == "prototypes"
    with pytest.raises(FairshotError) as refused:
        load_critics("glyph")
    assert str(refused.value) == (
        "there are no critics 'glyph': there are glyphs; or give a folder with a run of simclr and one of prototypes"
    )


def test_sets_of_different_sizes_are_noted(found: Scored, critics: str) -> None:
    few = score(["copy"], critics, on=ON, count=4, judging=JUDGING)
    assert any(note.startswith("sets differ in their images a class (copy 4, human 10)") for note in few.notes)
    assert "balls of copy reach to neighbour 3 and not 5, as a class has 4 images" in few.notes
    assert not any("sets differ" in note for note in found.notes)


def test_the_command(
    critics: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked = ["score", "copy", "warped", "--critic", critics, "--on", ON, "--way", "4", "--times", "20", "--count", "4"]
    monkeypatch.setattr("sys.argv", ["fairshot", *asked, "--json"])
    assert main([*asked, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["schema"] == 1
    assert told["command"] == ["fairshot", *asked, "--json"]
    assert {row["metric"] for row in told["rows"]} <= set(METRICS)
    assert told["critics"]["simclr"]["network"] == "critic"
    assert set(told["pool"]) == {"copy", "warped", "human"}
    folder = tmp_path / "new" / "pictures"
    assert main([*asked, "--pictures", str(folder)]) == 0
    names = ["plane", "originality", "tsne", *(f"concepts-{kind}" for kind in ("simclr", "prototypes"))]
    names += [f"concepts-{kind}-{one}" for one in ("copy", "warped") for kind in ("simclr", "prototypes")]
    said = capsys.readouterr().out.strip().splitlines()[-1]
    assert said == f"Pictures in {folder}: {', '.join(f'{name}.svg' for name in names)}."
    assert {path.name for path in folder.iterdir()} == {f"{name}.svg" for name in names}
    assert main([*asked, "--pictures", str(folder / "plane.svg")]) == 2
    assert main(["score", "nobody", "--critic", critics, "--on", ON]) == 2
    assert "there are no samples nobody" in capsys.readouterr().err


def test_the_report_has_every_number_that_counts(found: Scored) -> None:
    written = StringIO()
    render_scores(found, Console(width=120, file=written))
    text = written.getvalue()
    assert text.startswith("Of 3 sets, fresh is nearest to people by its distance of ")
    assert text.splitlines()[0] == found.verdict
    assert "6 classes of glyphs/parents/novel, recipe diversity" in text
    assert "100.0%" in text
    for metric in METRICS:
        assert metric in text
    assert "Note: the exemplar is never the human drawing that is to be recognised." in text
    assert "Spearman" in text
    apart = next(line.split() for line in text.splitlines() if line.startswith(" copy") and "human" in line)
    assert apart[:4] == ["copy", "human", f"{-value(found, 'human', 'diversity'):+.2f}", "±"]
    assert apart[4].endswith("*"), "copies do not differ, and drawings of people do"
    assert "People's classes by simclr Eq. 2 and by how much there is to draw, Spearman: line length " in text
