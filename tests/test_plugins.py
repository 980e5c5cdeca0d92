"""Adding a measure, a metric, a generator, a study or a section of a page is adding one file, here in a plugin."""

import json
from pathlib import Path

import pytest

from fairshot.cli.main import main

METRIC = '''
"""The share of episodes without any error."""
from typing import ClassVar
from dataclasses import dataclass
import fairshot as fs

@dataclass(frozen=True)
class Flawless(fs.metrics.Metric):
    """All or nothing."""
    higher_is_better: ClassVar[bool] = True
    fraction: ClassVar[bool] = True

    def score(self, judged):
        return (judged.correct | ~judged.known).all(axis=1).astype(float)
'''
STUDY = '''
"""A table of a plugin."""
from fairshot.studies.study import TableStudy
from fairshot.tasks.uniform import Uniform

STUDY = TableStudy(title="Mine", paper="none", what="glyphs:alphabets=2,characters=6,drawers=4", recipe="16",
              learners=("prototypes",), tasks=(Uniform(way=3, shot=1, query=2),), episodes=10)
'''
SECTION = '''
"""A section of a plugin."""
from fairshot.reports.pages.section import PageSection

class Greeting(PageSection):
    """Says hello."""
    place = 5
    heading = "Greeting"

    def body(self, result):
        return "<p>hello from a plugin</p>"
'''
GENERATOR = '''
"""The exemplar with less ink."""
from dataclasses import dataclass
import numpy as np
import fairshot as fs

@dataclass(frozen=True)
class Faint(fs.generators.Generator):
    """Copies that lose some ink."""

    def generate(self, exemplars, count, seed):
        kept = np.random.default_rng(seed).random((len(exemplars), count, *exemplars.shape[1:])) < 0.9
        return exemplars[:, None] * kept
'''
MEASURE = '''
"""How much of an image is ink."""
import fairshot as fs

class InkShare(fs.scoring.Measure):
    """Ink over all pixels."""
    about = "share of pixels that are ink"
    unit = "share"

    def by_class(self, evidence):
        return evidence.view.mean_by_class(evidence.view.ink.mean(axis=(1, 2)))
'''
FILES = {
    "generators/faint.py": GENERATOR,
    "scoring/measures/ink_share.py": MEASURE,
} | {"metrics/flawless.py": METRIC, "studies/mine.py": STUDY, "reports/pages/greeting.py": SECTION}
GLYPHS = ["glyphs:alphabets=2,characters=6,drawers=4", "--recipe", "16", "--way", "3", "--query", "2"]


@pytest.fixture(autouse=True)
def _plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in FILES.items():
        path = tmp_path / "plugin" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.setenv("FAIRSHOT_PLUGINS", str(tmp_path / "plugin"))


def test_a_metric(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", *GLYPHS, "--metric", "flawless", "--episodes", "20", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)["rows"][0]
    assert row["metric"] == "flawless"
    assert 0 <= row["value"] < 1
    assert main(["ls", "metrics"]) == 0
    assert "flawless" in capsys.readouterr().out


def test_a_study(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "mine", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"][0]["learner"] == "prototypes"


def test_a_section_of_a_page(tmp_path: Path) -> None:
    assert main(["evaluate", *GLYPHS, "--episodes", "20", "--report", str(tmp_path / "page.html")]) == 0
    page = (tmp_path / "page.html").read_text()
    assert "<h2>Greeting</h2><p>hello from a plugin</p>" in page
    assert page.index("Greeting") < page.index("Provenance")


def test_a_generator_and_a_measure(capsys: pytest.CaptureFixture[str]) -> None:
    words = (
        "score faint --critic glyphs --on glyphs:alphabets=2,characters=10,drawers=5,seed=1 --count 4 --times 20 --json"
    )
    assert main(words.split()) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    ink = {row["learner"]: row["value"] for row in rows if row["metric"] == "ink_share"}
    assert 0 < ink["faint"] < ink["human"] < 1


def test_a_plugin_that_is_not_there_or_cannot_be_imported_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "plugin" / "metrics" / "flawless.py").write_text(METRIC + "\nraise ValueError('not today')\n")
    assert main(["evaluate", *GLYPHS, "--metric", "flawless"]) == 2
    assert "flawless.py cannot be imported (ValueError: not today)" in capsys.readouterr().err
    monkeypatch.setenv("FAIRSHOT_PLUGINS", "nowhere")
    assert main(["evaluate", *GLYPHS]) == 2
    wanted = "fairshot: FAIRSHOT_PLUGINS lists nowhere, which is no folder: correct it or leave it out\n"
    assert capsys.readouterr().err == wanted
