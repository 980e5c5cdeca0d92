"""Results from elsewhere in every layout: read exactly, refused clearly, and without torch."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import fairshot as fs
from fairshot.leaderboards.files import read_leaderboard

RIGHT = {"one": [1, 1, 0, 1, 1, 0, 1, 1], "two": [1, 0, 0, 1, 0, 0, 1, 0]}
P = stats.ttest_rel(RIGHT["one"], RIGHT["two"]).pvalue


def write_lm_eval(folder: Path) -> Path:
    """As the harness 0.4 writes it, with two filters and two metrics."""
    for model, right in RIGHT.items():
        path = folder / f"org__{model}" / "samples_gsm8k_2026-01-31T10-20-30.123456.jsonl"
        path.parent.mkdir(parents=True)
        lines = [
            {
                "doc_id": number,
                "doc": {"question": f"q{number}", "topic": f"t{number // 2}"},
                "target": "7",
                "arguments": {"gen_args_0": {"arg_0": "..."}},
                "resps": [["7"]],
                "filtered_resps": ["7"],
                "filter": name,
                "metrics": ["exact_match", "length"],
                "doc_hash": "ab",
                "prompt_hash": "cd",
                "target_hash": "ef",
                "exact_match": float(score if name == "strict-match" else 1),
                "length": 3.0,
            }
            for number, score in enumerate(right)
            for name in ("strict-match", "flexible-extract")
        ]
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def write_inspect(folder: Path, *, archive: bool) -> list[Path]:
    """As Inspect writes it: one JSON, or a zip of a header and samples."""
    paths = []
    for model, right in RIGHT.items():
        letters = ["C" if score else "I" for score in right]
        samples = [
            {"id": number + 1, "epoch": 1, "input": "", "target": "", "scores": {"match": {"value": letter}}}
            for number, letter in enumerate(letters)
        ]
        header = {"version": 2, "status": "success", "eval": {"task": "arith", "model": f"api/{model}", "run_id": "r"}}
        path = folder / f"{model}.{'eval' if archive else 'json'}"
        if archive:
            with zipfile.ZipFile(path, "w") as made:
                made.writestr("_journal/start.json", "{}")
                made.writestr("header.json", json.dumps(header))
                for sample in samples:
                    made.writestr(f"samples/{sample['id']}_epoch_1.json", json.dumps(sample))
        else:
            path.write_text(json.dumps(header | {"samples": samples}))
        paths.append(path)
    return paths


MTEB = {"m/one": [0.71, 0.62, 0.80], "m/two": [0.68, 0.60, 0.79]}


def write_mteb(folder: Path, *, old: bool = False) -> Path:
    """As MTEB writes it, with a subset in two languages; before 1.11 splits stood at the top."""
    for model, scores in MTEB.items():
        home = folder / model.replace("/", "__") / "0123abcd"
        home.mkdir(parents=True)
        (home / "model_meta.json").write_text(json.dumps({"name": model}))
        for number, score in enumerate(scores):
            subsets = [
                {"main_score": score + move, "hf_subset": s, "accuracy": 0.5} for s, move in (("en", 0.1), ("de", -0.1))
            ]
            new = {"task_name": f"T{number}", "mteb_version": "1.14.5", "scores": {"test": subsets, "dev": subsets[:1]}}
            first = {
                "mteb_dataset_name": f"T{number}",
                "mteb_version": "1.0",
                "test": {s["hf_subset"]: s for s in subsets},
            }
            (home / f"T{number}.json").write_text(json.dumps(first if old else new))
    return folder


def test_samples_of_lm_evaluation_harness(tmp_path: Path) -> None:
    compared = fs.compare(write_lm_eval(tmp_path))
    pair = compared["org__one", "org__two"]
    assert pair.task == "gsm8k"
    assert pair.differences["items"].p_value == pytest.approx(P)
    assert any("strict-match are compared; also there: flexible-extract" in note for note in compared.notes)
    grouped = fs.compare(tmp_path, columns={"group": "doc.topic", "metric": "exact_match", "filter": "strict-match"})
    assert grouped.pairs[0].units["groups"] == 4
    assert grouped.notes == ()
    assert fs.compare(tmp_path, columns={"filter": "flexible-extract"}).pairs[0].value == 0
    with pytest.raises(fs.FairshotError, match=r"unknown metric of .*: did you mean 'length'"):
        fs.compare(tmp_path, columns={"metric": "lenght"})


@pytest.mark.parametrize("archive", [True, False])
def test_logs_of_inspect(tmp_path: Path, archive: bool) -> None:
    pair = fs.compare(write_inspect(tmp_path, archive=archive))["api/one", "api/two"]
    assert (pair.task, pair.unit) == ("arith", "items")
    assert pair.differences["items"].p_value == pytest.approx(P)
    assert fs.compare(tmp_path).pairs[0].value == pair.value, "a folder of logs"


@pytest.mark.parametrize("old", [True, False])
def test_results_of_mteb_speak_of_data_sets_alone(tmp_path: Path, old: bool) -> None:
    pair = fs.compare(write_mteb(tmp_path, old=old))["m/one", "m/two"]
    assert list(pair.differences) == ["data sets"]
    assert pair.differences["data sets"].p_value == pytest.approx(stats.ttest_rel(*MTEB.values()).pvalue)


def test_the_first_versions_of_tools_are_read_too(tmp_path: Path) -> None:
    """The harness wrote one list, Inspect a start and no header, and MTEB 0.0.2 the task in the file's name alone."""
    new, archives, first = tmp_path / "new", tmp_path / "inspect", tmp_path / "mteb"
    write_lm_eval(new)
    for path in sorted(new.rglob("*.jsonl")):
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        old = [
            {key: line[key] for key in line if key != "metrics"} for line in lines if line["filter"] != "strict-match"
        ]
        path.with_suffix(".json").write_text(json.dumps([{**line, "filter": "none"} for line in old]))
        path.unlink()
    assert fs.compare(new).pairs[0].task == "gsm8k"
    archives.mkdir()
    for model, right in RIGHT.items():
        with zipfile.ZipFile(archives / f"{model}.eval", "w") as made:
            made.writestr("start.json", json.dumps({"version": 2, "eval": {"task": "arith", "model": model}}))
            for number, score in enumerate(right):
                value = {"exact": "yes" if score else "no", "other": 0.5} if number else float("nan")
                sample = {"id": number, "epoch": 1, "scores": {"match": {"value": value}}}
                made.writestr(f"samples/{number}_epoch_1.json", json.dumps(sample))
    pair = fs.compare(archives, columns={"scorer": "match.exact"})["one", "two"]
    expected = stats.ttest_rel(RIGHT["one"][1:], RIGHT["two"][1:]).pvalue
    assert pair.differences["items"].p_value == pytest.approx(expected), "a sample with NaN was not scored"
    for model, scores in MTEB.items():
        home = first / model.replace("/", "__")
        home.mkdir(parents=True)
        for number, score in enumerate(scores):
            split = {"en": {"main_score": score}, "evaluation_time": 3.5}
            document = {"test": split, "dataset_version": None, "mteb_version": "0.0.2"}
            (home / f"T{number}.json").write_text(json.dumps(document))
    assert fs.compare(first)["m/one", "m/two"].value == pytest.approx(np.mean(MTEB["m/one"]) - np.mean(MTEB["m/two"]))


def test_scores_of_episodes(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    one, other = rng.random(20), rng.random(20)
    np.save(tmp_path / "one.npy", 100 * one)
    (tmp_path / "two.txt").write_text("\n".join(str(100 * value) for value in other))
    np.savez(tmp_path / "both.npz", one=one, two=other)
    (tmp_path / "both.csv").write_text("one,two\n" + "".join(f"{a},{b}\n" for a, b in zip(one, other, strict=True)))
    (tmp_path / "both.json").write_text(json.dumps({"one": one.tolist(), "two": other.tolist()}))
    known = stats.ttest_rel(one, other)
    for given in (["one.npy", "two.txt"], ["both.npz"], ["both.csv"], ["both.json"]):
        compared = fs.compare([tmp_path / name for name in given])
        assert list(compared.pairs[0].differences) == ["episodes"]
        assert compared.pairs[0].differences["episodes"].p_value == pytest.approx(known.pvalue)
        assert compared.pairs[0].value == pytest.approx((one - other).mean())
        assert "intervals are for more episodes of the same images" in compared.notes[0]


def test_rows_in_every_form(tmp_path: Path) -> None:
    import pandas

    rows = [{"model": m, "id": n, "correct": bool(s)} for m, right in RIGHT.items() for n, s in enumerate(right)]
    frame = pandas.DataFrame(rows)
    frame.to_csv(tmp_path / "r.csv", index=False)
    frame.to_csv(tmp_path / "r.tsv", index=False, sep="\t")
    frame.to_parquet(tmp_path / "r.parquet")
    frame.to_json(tmp_path / "r.jsonl", orient="records", lines=True)
    frame.to_json(tmp_path / "r.json", orient="records")
    given = [rows, frame, *(tmp_path / f"r.{ending}" for ending in ("csv", "tsv", "parquet", "jsonl", "json"))]
    for one in given:
        assert fs.compare(one)["one", "two"].differences["items"].p_value == pytest.approx(P)
    named = fs.compare(
        frame.rename(columns={"model": "who", "correct": "f1"}), columns={"method": "who", "score": "f1"}
    )
    assert named.pairs[0].value == fs.compare(rows).pairs[0].value


def test_a_small_text_data_set_runs_through() -> None:
    """Spam or not, by two plain classifiers; messages of one thread belong together."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import MultinomialNB

    rng = np.random.default_rng(0)
    words = [["win", "prize", "free", "now", "hello"], ["meeting", "agenda", "hello", "notes", "now"]]
    labels = rng.integers(0, 2, 160)
    texts = [" ".join(rng.choice(words[label], 4)) for label in labels]
    X = TfidfVectorizer().fit_transform(texts).toarray()
    rows = []
    for name, model in (("nb", MultinomialNB()), ("logistic", LogisticRegression())):
        right = model.fit(X[:40], labels[:40]).predict(X[40:]) == labels[40:]
        rows += [
            {"method": name, "item": i, "correct": r, "class": c, "group": i // 3}
            for i, (r, c) in enumerate(zip(right, labels[40:], strict=True))
        ]
    pair = fs.compare(rows)["nb", "logistic"]
    assert pair.units == {"items": 120, "runs": 1, "groups": 40, "classes": 2}
    assert pair.differences["groups"].p_value is not None


def test_no_torch_on_this_path(tmp_path: Path) -> None:
    rows = ["method,item,correct", *(f"{m},{n},{s}" for m, right in RIGHT.items() for n, s in enumerate(right))]
    (tmp_path / "r.csv").write_text("\n".join(rows))
    code = (
        "import sys; from fairshot.cli.main import main; assert main(sys.argv[1:]) == 0; "
        "print(sorted({'torch', 'pandas'} & set(sys.modules)))"
    )
    for command in ("compare", "ranks", "selection"):
        call = [sys.executable, "-c", code, command, str(tmp_path / "r.csv")]
        answer = subprocess.run(call, capture_output=True, text=True, check=True).stdout
        assert answer.splitlines()[-1] == "[]", command


MISTAKES = {
    "the rows has no column item, but method, score: call it item, or say which it is, item=COLUMN": [
        {"method": "a", "score": 1}
    ],
    "row 2 of the rows has 'good' in column 'score': give a number, true or false": [
        {"method": "a", "item": 1, "score": 1},
        {"method": "a", "item": 2, "score": "good"},
    ],
    "what was given has two scores of a on item 1: name the run in a column run, or the data set in a column dataset": [
        {"method": "a", "item": 1, "score": 1},
        {"method": "a", "item": 1, "score": 0},
    ],
    "what was given gives item 1 the group 'x' and the group 'y': give every item one": [
        {"method": "a", "item": 1, "score": 1, "group": "x"},
        {"method": "b", "item": 1, "score": 0, "group": "y"},
    ],
    "the rows has the columns model and learner: say which is the method, method=COLUMN": [
        {"model": "a", "learner": "b", "item": 1, "score": 1}
    ],
}


@pytest.mark.parametrize(("message", "rows"), MISTAKES.items(), ids=list(MISTAKES))
def test_bad_rows_get_one_clear_line(message: str, rows: list[dict[str, object]]) -> None:
    with pytest.raises(fs.FairshotError) as error:
        fs.compare(rows)
    assert str(error.value) == message


def test_bad_files_get_one_clear_line(tmp_path: Path) -> None:
    for name, content, message in (
        ("a.json", "{", "cannot read .*a.json as JSON"),
        ("b.json", '{"x": 1}', "b.json is no result that can be read"),
        ("c.eval", "no zip", "cannot read .*c.eval as a log of Inspect"),
        ("d.csv", "method,item,score\na,1", "line 2 of .*d.csv has not a value for each of its 3 columns"),
        ("e.jsonl", "[1]\n", "line 1 of .*e.jsonl is no JSON object"),
        ("f.txt", "a b", "cannot read .*f.txt as scores of episodes"),
        ("g.parquet", "x", "cannot read .*g.parquet as Parquet"),
    ):
        (tmp_path / name).write_text(content)
        with pytest.raises(fs.FairshotError, match=message):
            read_leaderboard([tmp_path / name])
    with pytest.raises(fs.FairshotError, match=r"there is no file nowhere\.csv"):
        fs.compare("nowhere.csv")
