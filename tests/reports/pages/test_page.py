"""The page of a result: complete without scripts, nothing loaded, every name escaped."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import fairshot as fs
from fairshot.cli.main import main
from fairshot.reports.pages.page import all_sections, make_page
from fairshot.reports.pages.tables import MOST_ROWS
from fairshot.results.evaluation import Evaluation
from fairshot.tables.table import Column, Table
from fairshot.tables.tabular import Tabular

NASTY = "<script>alert(1)</script>&"
OUTSIDE = re.compile(r"(?:src|href)=[\"'](?!data:)|url\(|@import|<link|<iframe")


def evaluation(*, images: bool = True, out: Path | None = None) -> Evaluation:
    random = np.random.default_rng(0)
    labels = np.arange(120) % 6
    pixels = (random.integers(0, 120, (120, 6, 6)) + 20 * labels[:, None, None]).astype(np.uint8)
    X = pixels if images else pixels.reshape(120, -1) / 255
    names = [NASTY, *"bcdef"]
    data = {"X": X, "y": labels, "class_names": np.array(names)}
    learners = {NASTY: "prototypes", "ridge": "ridge", "chance": "chance"}
    return fs.evaluate(data, learners, way=3, shot=[1, 2, 3], query=3, episodes=40, out=out)


@pytest.fixture(scope="module")
def page() -> str:
    return make_page(evaluation())


def body(page: str) -> str:
    """What a reader sees, without scripts and styles."""
    return re.sub(r"<(script|style)[^>]*>.*?</\1>", "", page, flags=re.DOTALL)


def test_every_section_has_something_to_say_of_an_evaluation(page: str) -> None:
    for heading in ("How sure is each number?", "Tables", "Which learners differ?", "How many shots?"):
        assert f"<h2>{heading}</h2>" in page
    for heading in ("Good and bad episodes", "Episodes", "Provenance"):
        assert f"<h2>{heading}</h2>" in page


def test_charts_are_drawn_without_scripts_and_stand_beside_their_specification(page: str) -> None:
    figures = re.findall(r'<figure class="chart">.*?</figure>', page, re.DOTALL)
    # Intervals, differences and profiles of three tasks, hard classes of two, one curve of shots.
    assert len(figures) == 12
    for one in figures:
        assert "<svg" in one
        spec = json.loads(one.partition('<script type="application/json">')[2].partition("</script>")[0])
        assert spec["$schema"].startswith("https://vega.github.io/schema/vega-lite/")


def test_nothing_is_loaded_from_anywhere(page: str) -> None:
    assert not OUTSIDE.search(body(page))
    assert "default-src 'none'" in page
    assert len(page) < 2_000_000


def test_a_class_or_learner_with_a_script_in_its_name_harms_nobody(page: str) -> None:
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;&amp;" in body(page)


def test_numbers_are_sorted_by_their_values_and_not_by_their_digits(page: str) -> None:
    values = [float(value) for value in re.findall(r'<td class="number"[^>]*data-value="([^"]+)"', page)]
    assert values
    assert all(0 <= value <= 1 for value in values)


def test_the_gallery_counts_what_was_right() -> None:
    found = evaluation()
    page = make_page(found)
    best = max((row for row in found.rows if row.task == found.rows[0].task), key=lambda row: row.value)
    scores = found.scores(best)[0]
    for word, value in (("easiest", scores.values.max()), ("hardest", scores.values.min())):
        right = round(float(value) * 9)
        assert f"The {word} episode: {right} of 9 queries shown are right" in page


def test_below_a_wrong_answer_stands_the_class_that_was_answered(page: str) -> None:
    for episode in re.findall(r'<div class="episode.*?</table>', page, re.DOTALL):
        right, asked = map(int, re.findall(r"(\d+) of (\d+) queries shown", episode)[0])
        instead = re.findall(r'<span title="[^"]+">→ ([1-3])</span>', episode)
        assert len(instead) == asked - right


def test_of_a_long_table_the_first_rows_are_shown_and_the_others_counted() -> None:
    names = [f"class {number}" for number in range(2000)]
    long = Table(columns=[Column(name="class")], rows=[[name] for name in names])

    class Long(Tabular):
        def in_brief(self) -> str:
            return "long"

        def summary(self) -> str:
            return "Long."

        def tables(self) -> list[Table]:
            return [long]

        def to_json(self, command: Sequence[str] = ()) -> str:
            return ""

    page = make_page(Long())
    assert page.count("<tr>") == 1 + MOST_ROWS
    assert "The first 100 of 2,000 rows: --format csv, or to_csv(), has them all." in page


def test_of_many_learners_the_best_are_compared() -> None:
    random = np.random.default_rng(0)
    data = {"X": random.normal(size=(60, 3)), "y": np.arange(60) % 6}
    many = {f"learner {number}": f"ridge:strength={number}" for number in range(1, 31)}
    page = make_page(fs.evaluate(data, many, way=3, shot=1, query=2, episodes=12))
    assert "Of 30 learners, the 12 with the best means are shown." in page
    assert len(page) < 2_000_000


def test_an_audit_is_a_page_with_charts_and_says_nothing_twice() -> None:
    source = "glyphs:alphabets=4,characters=6,drawers=6,takes=1"
    page = make_page(fs.audit(f"{source}/parents/novel", way=2, shot=1, query=3, recipe="14", episodes=60))
    assert page.count(' class="chart"') >= 1
    assert "####" not in page
    assert page.count("Copies and groups") == 1
    assert "fingerprint of the episodes" in page


def test_vectors_have_no_pictures() -> None:
    assert "<h2>Episodes</h2>" not in make_page(evaluation(images=False))


def test_a_report_of_several_runs_compares_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in "ab":
        evaluation(out=tmp_path / name)
    (tmp_path / "c.json").write_text(evaluation().to_json())
    page = tmp_path / "all.html"
    assert main(["report", str(tmp_path / "a"), str(tmp_path / "c.json"), "--out", str(page)]) == 0
    assert f"Saved to {page}" in capsys.readouterr().out
    text = page.read_text()
    assert text.count("<article>") == 2
    assert main(["report", str(tmp_path / "nothing"), "--out", str(page)]) == 2
    assert page.read_text() == text


def test_sections_stand_in_their_order() -> None:
    places = [section.place for section in all_sections()]
    assert places == sorted(places)
    assert len(set(places)) == len(places)
