"""The command line: pleasant when things are right, one clear line and exit code 2 when they are not."""

import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from fairshot.cli.main import COMMANDS, main
from fairshot.runtime.errors import FairshotError
from fairshot.specs.registry import names


@pytest.fixture
def work(tmp_path: Path, data_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's folder: images by class, embeddings, learners of their own, and some broken things."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    for number in range(6):
        for image in range(8):
            _save_image(tmp_path / "birds" / f"bird{number}" / f"track{image // 2}_{image}.png", rng, 12)
    labels = np.repeat(np.arange(8), 10)
    vectors = 3 * rng.normal(size=(8, 5))[labels] + rng.normal(size=(80, 5))
    np.savez("good.npz", X=vectors, y=labels)
    np.savez("nan.npz", X=np.where(np.arange(80)[:, None] == 33, np.nan, vectors), y=labels)
    np.savez("short.npz", X=vectors, y=labels[:-1])
    np.savez("noy.npz", X=vectors)
    np.savez("small.npz", X=vectors[:71], y=np.append(labels[:70], 7))
    Path("text.npz").write_text("hello")
    Path("mine.py").write_text(
        "from sklearn.naive_bayes import GaussianNB\nbayes = GaussianNB()\n"
        "def last(x, y, q):\n    return y[-1:].repeat(len(q))\n"
        "def encode(images):\n    return images.reshape(len(images), -1)[:, :3]\n"
        "number = 5\n"
    )
    Path("broken.py").write_text("import nowhere_to_be_found\n")
    return tmp_path


def _save_image(path: Path, rng: np.random.Generator, size: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(rng.integers(0, 255, (size, size), dtype=np.uint8)).save(path)


def _break_omniglot(folder: Path) -> None:
    (folder / "omniglot").mkdir()
    (folder / "omniglot" / "images_background.zip").write_bytes(b"PK\x03\x04 cut off")
    (folder / "omniglot" / "images_evaluation.zip").write_bytes(b"PK\x03\x04 cut off")


def _disguise_omniglot(folder: Path) -> None:
    (folder / "omniglot").mkdir()
    for name in ("background", "evaluation"):
        (folder / "omniglot" / f"images_{name}.zip").write_text("<!DOCTYPE html><html>Sign in</html>")


def _climbing_omniglot(folder: Path) -> None:
    (folder / "omniglot").mkdir()
    for name in ("background", "evaluation"):
        with zipfile.ZipFile(folder / "omniglot" / f"images_{name}.zip", "w") as archive:
            archive.writestr("../../evil.png", b"")


BAD = [
    (
        "evaluate array:good.npz --task meta_dataset --way 3",
        "way was given, and meta_dataset has its own: leave it out",
    ),
    (
        "evaluate array:good.npz --task uniform:foo=1",
        "unknown setting of uniform 'foo': there are: dirichlet, disjoint, query, shot, skip_small, unknown, way",
    ),
    (
        "evaluate array:good.npz --way 5 --unknown 9 --query 5",
        "way is 5 with 9 unknown classes, and good has 8 classes: lower way or unknown",
    ),
    (
        "evaluate array:good.npz --learner a=ridge a=prototypes",
        "two learners are called a: give them names of their own, as in 'other=prototypes'",
    ),
    ("evaluate array:good.npz --learner mine.py", "mine.py is a file: say which learner in it, as in mine.py:NAME"),
    (
        "evaluate array:good.npz --learner runs/lost",
        "there is no run runs/lost: train one with 'fairshot train ... --out runs/lost'",
    ),
    ("evaluate array:good.npz --recipe 0", "the recipe 0 asks for images of 0 pixels: give at least 1"),
    (
        "evaluate array:good.npz --format csv --json",
        "argument --json: not allowed with argument --format; see 'fairshot evaluate --help'",
    ),
    (
        "data show folder:birds --sheet sheet.txt",
        "sheet.txt is not named like a picture: let it end in .png, .jpg, .jpeg or .webp",
    ),
    (
        "evaluate array:good.npz --task meta_dataset --dirichlet 2",
        "the task meta_dataset knows no dirichlet: leave it out, or use the task uniform",
    ),
    (
        "evaluate array:good.npz --task closed --unknown 2",
        "the task closed knows no unknown: leave it out, or use the task uniform",
    ),
    (
        "evaluate array:good.npz --metric auroc --query 5",
        "auroc measures how well known classes are distinguished from unknown ones, and there are none: let unknown be 5",
    ),
    (
        "evaluate array:good.npz --until-halfwidth 0 --query 5",
        "a half-width of 0 points makes no sense: ask for one between 0 and 100, such as 0.5",
    ),
    ("evaluat good.npz", "unknown command 'evaluat': did you mean 'evaluate'?"),
    ("evaluate", "the following arguments are required: what; see 'fairshot evaluate --help'"),
    (
        "evaluate omniglot/lake/novel",
        "omniglot is not here: no images_background in {data}/omniglot; run 'fairshot data get omniglot', or let "
        "FAIRSHOT_DATA list the folder that holds omniglot/",
    ),
    ("evaluate omniglott", "unknown source 'omniglott': did you mean 'omniglot'?"),
    ("evaluate omniglot/laek/novel", "unknown split of omniglot 'laek': did you mean 'lake'?"),
    ("evaluate omniglto/laek/novel", "unknown source 'omniglto': did you mean 'omniglot'?"),
    ("evaluate omniglot/lake/test", "unknown part 'test': there are: base, base_heldout, novel, val"),
    (
        "evaluate omniglot/lake/novel/more",
        "cannot read 'omniglot/lake/novel/more': write SOURCE, SOURCE/SPLIT or SOURCE/SPLIT/PART",
    ),
    ("evaluate array:good.npz --recipe omniglot-evil", "unknown recipe 'omniglot-evil': did you mean 'omniglot-eval'?"),
    (
        "evaluate array:good.npz --recipe 28",
        "the recipe 28 is for images, and array:good.npz holds feature vectors: leave it out",
    ),
    ("evaluate array:good.npz --way 0 --query 5", "way is 0: it must be at least 2"),
    ("evaluate array:good.npz --way 9 --query 5", "way is 9, and good has 8 classes: lower way"),
    (
        "evaluate array:good.npz --way five",
        "argument --way: 'five' is not a whole number; see 'fairshot evaluate --help'",
    ),
    ("evaluate array:good.npz --shot 0 --query 5", "shot is 0: it must be at least 1"),
    (
        "evaluate array:good.npz",
        "1-shot 15-query needs 16 images per class, and all 8 classes of good have fewer ('0' has 10): lower shot or "
        "query",
    ),
    (
        "evaluate array:small.npz --query 5",
        "1-shot 5-query needs 6 images per class, and 1 of the 8 classes of small has fewer ('7' has 1): lower shot or "
        "query, or leave such classes out with --skip-small",
    ),
    ("evaluate array:good.npz --query 5 --episodes 0", "0 episodes were asked for: ask for at least 1"),
    ("evaluate array:good.npz --query 5 --disjoint drawer", "unknown attribute 'drawer': there are: none"),
    ("evaluate array:good.npz --task unifrom", "unknown task 'unifrom': did you mean 'uniform'?"),
    ("evaluate array:good.npz --metric accurcy", "unknown metric 'accurcy': did you mean 'accuracy'?"),
    ("evaluate array:good.npz --learner prototype", "unknown learner 'prototype': did you mean 'prototypes'?"),
    ("evaluate array:good.npz --learner neighbours:n=3", "unknown setting of neighbours 'n': there are: k, metric"),
    ("evaluate array:good.npz --learner neighbours:k=x", "k of neighbours is 'x': give a value of type int"),
    (
        "evaluate array:good.npz --learner neighbours:metric=cosin",
        "unknown metric of neighbours 'cosin': did you mean 'cosine'?",
    ),
    ("evaluate array:good.npz --learner yours.py:f", "there is no file yours.py: write path.py:name"),
    ("evaluate array:good.npz --learner mine.py:lost", "unknown name in mine.py 'lost': did you mean 'last'?"),
    (
        "evaluate array:good.npz --learner mine.py:number",
        "mine.py:number is neither a scikit-learn estimator, nor f(support_x, support_y, query_x), nor an encoder "
        "f(images), nor a Classifier",
    ),
    (
        "evaluate array:good.npz --learner broken.py:f",
        "broken.py cannot be imported (ModuleNotFoundError: No module named 'nowhere_to_be_found')",
    ),
    (
        "evaluate array:good.npz --query 5 --learner hausdorff",
        "hausdorff reads images, and good holds feature vectors: choose a learner that reads both, such as prototypes",
    ),
    (
        "evaluate array:good.npz --backend cluster",
        "argument --backend: invalid choice: 'cluster' (choose from 'auto', 'serial', 'threads', 'local', 'ray'); see 'fairshot evaluate "
        "--help'",
    ),
    (
        "evaluate array:good.npz --query 5 --plot a.svg",
        "--plot draws the score against at least 3 numbers of shots, and 1 was given: ask for --shot 1,2,5,10",
    ),
    (
        "evaluate array:good.npz --query 5 --shot 1,2,5 --plot a.pdf",
        "--plot draws .svg, .png and .html files, and a.pdf is none of them: name it a.svg",
    ),
    ("evaluate array:lost.npz", "there is no file lost.npz: give an .npz file with X and y"),
    (
        "evaluate array:nan.npz",
        "X has NaN or infinite values, first in row 33: remove or repair these rows",
    ),
    ("evaluate array:short.npz", "X has 80 rows and y has shape (79,): give one label per row"),
    ("evaluate array:noy.npz", "noy.npz holds X: it needs X and y"),
    ("evaluate folder:lost", "there is no folder lost: give a folder of class folders with images"),
    (
        "evaluate folder:birds --groups track",
        "the pattern 'track' has no group: put the part that names the group in (brackets)",
    ),
    ("evaluate glyphs:alphabet=3", "unknown setting of glyphs 'alphabet': did you mean 'alphabets'?"),
    (
        "evaluate array:good.npz --part novel",
        "a part of array:good.npz needs a split: add one, such as random",
    ),
    ("check", "the following arguments are required: learner; see 'fairshot check --help'"),
    ("check prototype", "unknown learner 'prototype': did you mean 'prototypes'?"),
    ("check prototypes --on glyph", "unknown source 'glyph': did you mean 'glyphs'?"),
    (
        "check prototypes --on array:good.npz --part novel",
        "a part of array:good.npz needs a split: add one, such as random",
    ),
    ("check prototypes --on array:good.npz --episodes 0", "0 episodes were asked for: ask for at least 1"),
    ("check prototypes --on array:good.npz --way 1", "way is 1: it must be at least 2"),
    ("check prototypes --on array:good.npz --way 9", "way is 9, and good has 8 classes: lower way"),
    ("check prototypes --on array:good.npz --task unifrom", "unknown task 'unifrom': did you mean 'uniform'?"),
    (
        "check hausdorff --on array:good.npz",
        "hausdorff reads images, and good holds feature vectors: choose a learner that reads both, such as prototypes",
    ),
    ("diagnose", "the following arguments are required: what; see 'fairshot diagnose --help'"),
    ("diagnose array:good.npz --learner prototype", "unknown learner 'prototype': did you mean 'prototypes'?"),
    ("diagnose array:good.npz --query 5 --episodes 0", "0 episodes were asked for: ask for at least 1"),
    (
        "diagnose array:good.npz --query 5 --searched -1",
        "-1 episodes with searched support were asked for: ask for at least 0",
    ),
    (
        "diagnose array:good.npz --searched some",
        "argument --searched: 'some' is not a whole number; see 'fairshot diagnose --help'",
    ),
    (
        "diagnose array:good.npz --query 5 --learner hausdorff",
        "hausdorff reads images, and good holds feature vectors: choose a learner that reads both, such as prototypes",
    ),
    (
        "diagnose array:good.npz --metric ece",
        "unrecognized arguments: --metric ece; see 'fairshot --help'",
    ),
    ("ls learner", "unknown kind 'learner': did you mean 'learners'?"),
    ("run lake_run", "unknown study 'lake_run': did you mean 'lake_runs'?"),
    ("data get glyphs", "glyphs has no archives to fetch: it is made here or read from your own files"),
    (
        "data import omniglot good.npz",
        "good.npz has sha256 {sha}..., which is none of the official archives' (images_background.zip, "
        "images_evaluation.zip): fetch it again, or list its folder in FAIRSHOT_DATA to use it as it is",
    ),
    (
        "data show array:good.npz --sheet a.png",
        "good holds feature vectors: there is nothing to see on a contact sheet",
    ),
]


@pytest.mark.parametrize(("command", "message"), BAD, ids=[command for command, _ in BAD])
def test_bad_input_gives_one_clear_line(
    command: str, message: str, work: Path, data_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from fairshot.runtime.download import sha256

    before = _everything(work)
    assert main([*command.split(), *(["--out", "result"] if command.startswith("evaluate") else [])]) == 2
    out, err = capsys.readouterr()
    assert err == f"fairshot: {message.format(data=data_folder, sha=sha256(Path('good.npz'))[:16])}\n"
    assert out == ""
    assert _everything(work) == before


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (
            _break_omniglot,
            "{data}/omniglot/images_background.zip is not a complete archive (File is not a zip file): fetch it again",
        ),
        (
            _disguise_omniglot,
            "{data}/omniglot/images_background.zip is a web page, not an archive: the address it came from no longer "
            "serves the data",
        ),
        (
            _climbing_omniglot,
            "{data}/omniglot/images_background.zip holds an entry that climbs out of its folder ('../../evil.png'): do "
            "not use this archive",
        ),
    ],
)
def test_damaged_archives_give_one_clear_line(
    spoil, message: str, work: Path, data_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(data_folder)
    assert main(["evaluate", "omniglot/lake/novel"]) == 2
    assert capsys.readouterr().err == f"fairshot: {message.format(data=data_folder)}\n"


def test_a_corrupt_image_is_named_and_nothing_is_cached(
    work: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRSHOT_CACHE", str(work / "cache"))
    (work / "birds" / "bird3" / "track9_9.png").write_bytes(b"\x89PNG\r\n\x1a\n broken")
    assert main(["evaluate", "folder:birds", "--query", "3"]) == 2
    assert capsys.readouterr().err == (
        "fairshot: cannot read birds/bird3/track9_9.png as an image: mend or remove it, or leave it out with --skip-bad\n"
    )
    assert not [file for file in (work / "cache").rglob("*") if file.is_file()]


def test_a_folder_that_cannot_be_written_gives_one_clear_line(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (work / "occupied").write_text("a file")
    assert main(["evaluate", "array:good.npz", "--query", "3", "--out", "occupied/here"]) == 2
    assert capsys.readouterr().err == (
        "fairshot: cannot write to occupied/here/scores (Not a directory): choose a folder you can write to\n"
    )


def _everything(folder: Path) -> dict[str, bytes]:
    return {
        str(file): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file() and "__pycache__" not in str(file)
    }


def test_embeddings_are_evaluated_with_ones_own_learners(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    learners = ["mine.py:bayes", "mine.py:last", "mine.py:encode", "neighbours:k=3@mine.py:encode", "ridge"]
    command = ["evaluate", "array:good.npz", "--learner", *learners, "--way", "3", "--shot", "2", "--query", "4"]
    assert main([*command, "--episodes", "50", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    values = {row["learner"]: row["value"] for row in rows}
    assert list(values) == learners
    assert abs(values["mine.py:last"] - 1 / 3) < 0.01
    assert min(values[name] for name in learners if name != "mine.py:last") > 0.5


def test_a_clean_learner_passes_and_a_leaking_one_fails(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("leak.py").write_text(
        "import numpy as np\ndef together(x, y, q):\n    q = q - q.mean(0)\n"
        "    return np.stack([-((q - x[y == c].mean(0)) ** 2).sum(1) for c in range(y.max() + 1)], 1)\n"
    )
    assert main(["check", "mine.py:bayes", "--on", "array:good.npz"]) == 0
    assert capsys.readouterr().out.startswith("No leak found by 19 checks; 2 could not be applied.\n")
    assert main(["check", "leak.py:together", "--on", "array:good.npz"]) == 1
    out = capsys.readouterr().out
    smaller = "(good is too small for 5-way 1-shot 15-query)"
    lines = out.splitlines()
    assert lines[0] == "The learner leaks (one_query): its numbers cannot be trusted."
    assert " ".join(lines[1:3]) == f"leak.py:together on good, 5-way 1-shot 9-query, 8 episodes {smaller}"
    assert main(["check", "leak.py:together", "--on", "array:good.npz", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["leaks"], found["learner"], found["task"]) == (1, "leak.py:together", "5-way 1-shot 9-query")
    assert found["smaller"] == "good is too small for 5-way 1-shot 15-query"
    assert {row["check"]: row["outcome"] for row in found["findings"]}["one_query"] == "leak"


def test_a_check_asks_the_task_of_an_evaluation_on_a_few_glyphs(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "prototypes", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["task"], found["smaller"], found["episodes"]) == ("5-way 1-shot 15-query", "", 8)
    assert found["source"]["name"] == "glyphs/parents/novel"
    assert {row["outcome"] for row in found["findings"]} == {"ok", "not applicable"}  # nothing was trained
    assert main(["check", "prototypes", "--json", "--way", "10", "--shot", "2"]) == 0
    assert json.loads(capsys.readouterr().out)["task"] == "10-way 2-shot 15-query"


def test_groups_are_kept_apart_or_found(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["check", "prototypes", "--on", "folder:birds", "--groups", "(track[0-9]+)_", "--way", "3"]
    assert main(command) == 0
    assert main([*command, "--disjoint", "none"]) == 1
    assert "The data leaks (groups): numbers on it are wrong by as much" in capsys.readouterr().out


def test_a_diagnosis_for_machines(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = "diagnose array:good.npz --learner prototypes mine.py:bayes --way 3 --shot 1,2 --query 4 --episodes 30"
    assert main([*command.split(), "--searched", "2", "--seed", "5", "--json"]) == 0
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert err == ""
    assert list(found) == ["schema", "fairshot", "command", "seed", "source", "episodes_key", "rows"]
    assert (found["schema"], found["seed"], found["source"]["name"], found["episodes_key"]) == (1, 5, "good", None)
    assert [(row["learner"], row["task"]) for row in found["rows"]] == [
        (learner, f"3-way {shot}-shot 4-query") for learner in ("prototypes", "mine.py:bayes") for shot in (1, 2)
    ]
    row = found["rows"][0]
    assert {"part": "good", "metric": "accuracy", "episodes": 30}.items() <= row.items()
    assert row["intervals"]["episodes"][0] < row["value"] < row["intervals"]["episodes"][1]
    assert row["tails"]["worst_twentieth"] <= row["tails"]["worst_tenth"] <= row["value"]
    assert row["tails"]["profile"]["0.0"] == 1
    assert len(row["classes"]["rows"]) == 8
    assert {"name", "value", "low", "high", "shrunken", "meetings", "queries"} == set(row["classes"]["rows"][0])
    assert row["support"]["worst"] <= row["support"]["drawn"] <= row["support"]["best"]
    assert "not the true extremes" in row["support"]["method"]
    assert len(row["calibration"]["table"]) == 10
    assert row["geometry"]["images"] == 80
    assert row["times"]["images"] == 80


def test_a_diagnosis_for_people(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main("diagnose folder:birds --way 3 --query 3 --episodes 20 --searched 0 --groups (track[0-9]+)_".split()) == 0
    )
    out = capsys.readouterr().out
    assert all(len(line) <= 80 for line in out.splitlines())
    assert re.match(
        r"prototypes: [\d.]+% right on average, [\d.]+% in the worst tenth of the episodes\n\(3-way 1-shot ", out
    )
    assert "Support images" not in out
    assert "Calibration: is it right as often as it says?" in out


def test_groups_in_file_names_are_kept_apart(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = [
        "evaluate",
        "folder:birds",
        "--groups",
        "(track[0-9]+)_",
        "--way",
        "3",
        "--query",
        "3",
        "--episodes",
        "5",
    ]
    assert main([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"][0]["task"] == "3-way 1-shot 3-query, groups apart"
    assert main([*command, "--dirichlet", "2"]) == 2  # unbalanced queries must not quietly bring groups together
    assert capsys.readouterr().err == (
        "fairshot: queries cannot be unbalanced and share no group with the support at once: leave out dirichlet, or "
        "let disjoint be none\n"
    )


def test_every_shot_and_way_is_a_column(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = "evaluate array:good.npz --way 2,3 --shot 1,2 --query 3 --episodes 5 --json".split()
    assert main(command) == 0
    tasks = [row["task"] for row in json.loads(capsys.readouterr().out)["rows"]]
    assert tasks == [f"{way}-way {shot}-shot 3-query" for way in (2, 3) for shot in (1, 2)]


def test_three_shots_are_a_curve_with_a_sentence(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = "evaluate array:good.npz --query 4 --shot 1,2,5 --episodes 200".split()
    assert main([*command, "--json", "--plot", "shots.svg"]) == 0
    (curve,) = json.loads(capsys.readouterr().out)["shots"]
    assert [point["shot"] for point in curve["points"]] == [1, 2, 5]
    assert (curve["learner"], curve["family"]) == ("prototypes", "5-way 4-query")
    assert curve["gains"][0]["paired"]
    assert ElementTree.parse("shots.svg").getroot().tag == "{http://www.w3.org/2000/svg}svg"
    assert main(command) == 0
    shown = capsys.readouterr().out
    assert "prototypes, 5-way 4-query: accuracy in percent" in shown
    told = curve["sentence"].removeprefix("prototypes: ")
    words = " ".join(shown.split())
    assert words.count(f"prototypes, 5-way 4-query: {told}") == 1
    assert words.count(told) == 1, "the sentence comes once"


def test_the_table_says_what_the_brackets_mean(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main("evaluate array:good.npz --way 3 --query 3 --episodes 20 --out kept".split()) == 0
    out = capsys.readouterr().out
    assert "Usual CI: more episodes of the same images, which is what papers print." in " ".join(out.split())
    assert "Saved to kept" in out
    assert json.loads(Path("kept/result.json").read_text())["rows"][0]["episodes"] == 20


def test_a_random_split_of_ones_own_data(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = "evaluate array:good.npz --split random-3 --part base --way 2 --query 3 --episodes 5 --json".split()
    assert main(command) == 0
    assert json.loads(capsys.readouterr().out)["source"]["name"] == "good/random-3/base"


@pytest.mark.parametrize(
    "command", ["--help", "ls", "ls learners", "--version", *(f"{name} --help" for name in COMMANDS)]
)
def test_light_commands_do_not_import_torch(command: str) -> None:
    code = f"import sys, fairshot.cli.main\ntry: fairshot.cli.main.main({command.split()!r})\nexcept SystemExit: pass\nassert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_ls_names_every_instance(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ls"]) == 0
    out = capsys.readouterr().out
    for kind in ("sources", "tasks", "learners", "metrics", "checks", "studies"):
        for name in names(kind):
            assert f"  {name} " in out
    assert "omniglot/vinyals-alphabets" in out


def test_python_dash_m_works() -> None:
    answer = subprocess.run(
        [sys.executable, "-m", "fairshot", "ls", "nothing"], capture_output=True, text=True, check=False
    )
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith("fairshot: unknown kind 'nothing': there are: ")


@pytest.mark.parametrize("command", ["evaluate", "diagnose", "predict", "check"])
def test_whatever_takes_a_learner_tells_how_to_name_a_trained_one(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    assert "NAME@WEIGHTS, a run's folder" in " ".join(capsys.readouterr().out.split())


def test_bad_files_are_left_out_and_named_in_the_result(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (work / "birds" / "bird3" / "track9_9.png").write_bytes(b"broken")
    command = ["evaluate", "folder:birds", "--query", "3", "--episodes", "20", "--skip-bad", "--json"]
    assert main(command) == 0
    notes = json.loads(capsys.readouterr().out)["notes"]
    count = len(list((work / "birds").glob("*/*.png")))
    assert f"1 of {count} files in birds cannot be read: bird3/track9_9.png (no image); it was left out" in notes
    assert main(["data", "show", "glyphs", "--skip-bad"]) == 2
    assert capsys.readouterr().err == (
        "fairshot: --skip-bad is for folder:PATH, and glyphs is read whole or not at all\n"
    )


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        ("images of 2 sizes: give recipe=84 to resize them", "images of 2 sizes: give --recipe 84 to resize them"),
        ("mend it, or leave it out with skip_bad", "mend it, or leave it out with --skip-bad"),
        ("the learner x:recipe=84 and t.csv:label=a stay", "the learner x:recipe=84 and t.csv:label=a stay"),
        ("lower way", "lower way"),
    ],
)
def test_errors_speak_of_fields_and_the_command_line_adds_the_dashes(
    error: str, shown: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*given: object, **named: object) -> None:
        raise FairshotError(error)

    monkeypatch.setattr("fairshot.evaluation.evaluate.evaluate", fail)
    assert main(["evaluate", "glyphs"]) == 2
    assert capsys.readouterr().err == f"fairshot: {shown}\n"


def test_a_contact_sheet_goes_into_a_new_folder_too(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.savez(work / "pictures.npz", X=np.zeros((4, 8, 8), np.uint8), y=[0, 0, 1, 1])
    assert main(["data", "show", "array:pictures.npz", "--sheet", "new/folder/sheet.png"]) == 0
    assert (work / "new/folder/sheet.png").is_file()
    assert capsys.readouterr().err == ""
