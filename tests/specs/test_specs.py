"""Settings of somebody's own code: `mine.py:Mine:k=3` for everything that a file can hold."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairshot as fs
from fairshot.runtime.errors import FairshotError
from fairshot.scoring.sample_sets import find_generator
from fairshot.specs.data import find_part, find_source, find_split, read_data
from fairshot.specs.generators import find_named_generator
from fairshot.specs.learners import find_learner
from fairshot.specs.metrics import as_metric
from fairshot.specs.tasks import Shape, list_tasks

CODE = """
from dataclasses import dataclass
from typing import Literal, Optional

import numpy as np
from sklearn.neighbors import KNeighborsClassifier
from torch import nn

import fairshot as fs
from fairshot.learners.classifiers.neighbours import Neighbours

rng = np.random.default_rng(0)


@dataclass(frozen=True)
class Mine(Neighbours):
    shift: float = 0.0
    mode: Literal["soft", "hard"] = "soft"
    most: Optional[int] = None


class Estimator(KNeighborsClassifier):
    pass


def vote(support_x, support_y, query_x, label=0):
    return np.full(len(query_x), label)


def make(k, weights="uniform"):
    return KNeighborsClassifier(k, weights=weights)


def encode(images, times=1):
    return images.reshape(len(images), -1) * times


class Encoder(nn.Module):
    def __init__(self, times: "Unknown" = 1):
        super().__init__()
        self.times = times

    def forward(self, images):
        return images.flatten(1) * self.times


def noise(classes=3, each: int = 4, scale: float = 1.0):
    return scale * rng.normal(size=(classes * each, 2)), np.repeat(np.arange(classes), each)


def first(source, classes=1):
    names = [source.class_names[number] for number in source.classes]
    return {"base": names[:classes], "val": names[classes : classes + 1], "novel": names[classes + 1 :]}


def grey(exemplars, count, seed, tone=0.5):
    return np.full((len(exemplars), count, *exemplars.shape[2:]), tone)


class Grey:
    def __init__(self, tone):
        self.tone = tone

    def generate(self, exemplars, count, seed):
        return grey(exemplars, count, seed, self.tone)


@dataclass(frozen=True)
class Constant(fs.metrics.Metric):
    value: float = 1.0
    twice: bool = False

    def score(self, judged):
        return np.full(len(judged.labels), self.value)


@dataclass(frozen=True)
class Side(fs.tasks.ClassTask):
    way: int = 2
    step: int = 1

    @property
    def label(self):
        return f"{self.way} by {self.step}, {self.suffix}"

    def choose(self, source, eligible, stream, episodes):
        return np.tile(eligible[: self.way * self.step : self.step], (len(episodes), 1))


FOUND = Mine(k=3)
"""


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(CODE)


def refusal(call: Callable[[], object]) -> str:
    with pytest.raises(FairshotError) as caught:
        call()
    return str(caught.value)


def learner(spec: str) -> Any:
    return find_learner(spec)


def test_a_classifier_takes_settings() -> None:
    mine = learner("mine.py:Mine:k=5,shift=0.5,mode=hard,most=7").learner
    assert (mine.k, mine.shift, mine.mode, mine.most) == (5, 0.5, "hard", 7)
    assert learner("mine.py:Mine:k=5").identity != learner("mine.py:Mine:k=3").identity


def test_an_estimator_takes_settings_by_the_types_of_its_defaults() -> None:
    assert learner("mine.py:Estimator:n_neighbors=2,weights=distance").estimator.get_params()["n_neighbors"] == 2
    made = learner("mine.py:make:k=2,weights=distance").estimator
    assert (made.n_neighbors, made.weights) == (2, "distance")


def test_functions_take_settings_as_keywords() -> None:
    vote = learner("mine.py:vote:label=1")
    assert vote.label == "mine.py:vote:label=1"
    assert vote.function(None, None, [0, 0]).tolist() == [1, 1]
    assert vote.identity != learner("mine.py:vote").identity
    images = np.ones((2, 1, 2, 2), dtype=np.float32)
    assert learner("prototypes@mine.py:encode:times=3").encode(images).max() == 3
    assert learner("mine.py:encode:times=3").encode(images).max() == 3
    assert learner("ridge@mine.py:Encoder:times=3").encode.times == 3


def test_a_learner_with_settings_is_evaluated_under_its_own_name() -> None:
    learners = ["mine.py:Mine:k=3", "Ours=mine.py:vote:label=1"]
    e = fs.evaluate("mine.py:noise:classes=4,each=6", learners, way=2, query=2, episodes=4)
    assert [row.learner for row in e.rows] == ["mine.py:Mine:k=3", "Ours"]


def test_data_and_splits_take_settings() -> None:
    source = find_source("mine.py:noise:classes=5,each=2,scale=0.0")
    assert (len(source.classes), source.name, float(np.abs(source.store).max())) == (5, "noise", 0.0)
    split = find_split("mine.py:noise:classes=6", "mine.py:first:classes=2+1")
    assert [len(part.classes) for part in (split.base, split.base_heldout, split.val, split.novel)] == [2, 2, 1, 3]


def test_generators_take_settings() -> None:
    exemplars = np.zeros((2, 1, 3, 3), dtype=np.float32)
    for spec in ("mine.py:grey:tone=0.25", "mine.py:Grey:tone=0.25"):
        generator = find_generator(spec)
        assert generator is not None
        assert np.unique(generator.generate(exemplars, 4, 0)).tolist() == [0.25]
    assert find_named_generator("mine.py:Grey:tone=0.25") is None


def test_a_metric_takes_settings() -> None:
    metric: Any = as_metric("mine.py:Constant:value=0.5,twice=True")
    assert (metric.value, metric.twice) == (0.5, True)


def test_a_task_takes_settings_beside_way_and_shot() -> None:
    shape = Shape(way=(2, 3), shot=1, query=2)
    for spec in ("mine.py:Side:step=2", "mine.py:Side:step=2/skip_small=True"):
        tasks: list[Any] = list(list_tasks(spec, shape))
        assert [(task.way, task.step, task.query) for task in tasks] == [(2, 2, 2), (3, 2, 2)]
        assert tasks[0].skip_small == ("skip_small" in spec)


TAKEN = {
    "learner": (learner, "Mine", "'shfit'", "did you mean 'shift'?"),
    "function": (learner, "vote", "'k'", "there are: label, query_x, support_x, support_y"),
    "source": (find_source, "noise", "'x'", "there are: classes, each, scale"),
    "generator": (find_generator, "Grey", "'ton'", "did you mean 'tone'?"),
    "metric": (as_metric, "Constant", "'k'", "there are: twice, value"),
    "task": (list_tasks, "Side", "'stop'", "did you mean 'step'?"),
}


@pytest.mark.parametrize("kind", TAKEN)
def test_a_setting_that_is_not_taken_is_named_with_those_that_are(kind: str) -> None:
    find, name, asked, hint = TAKEN[kind]
    spec = f"mine.py:{name}:{asked.strip(chr(39))}=3"
    assert refusal(lambda: find(spec)) == f"unknown setting of mine.py:{name} {asked}: {hint}"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("mine.py:Mine:k=many", "k of mine.py:Mine is 'many': give a value of type int"),
        ("mine.py:Mine:mode=sift", "unknown mode of mine.py:Mine 'sift': did you mean 'soft'?"),
        ("mine.py:Mine:k", "the setting 'k' of mine.py:Mine has no value: write k=VALUE"),
        (
            "mine.py:FOUND:k=5",
            "mine.py:FOUND is an object, a Mine, which takes no settings: leave out k=5, or name its class",
        ),
        ("mine.py:Mine/k", "cannot read 'mine.py:Mine/k': write path.py:name or path.py:name:setting=value"),
        (
            "prototypes@",
            "cannot read 'prototypes@': write NAME, NAME@WEIGHTS, NAME@path.py:encoder or NAME@path.py:Net@WEIGHTS",
        ),
    ],
)
def test_what_cannot_be_set_is_refused(spec: str, message: str) -> None:
    assert refusal(lambda: find_learner(spec)) == message


def test_a_class_that_needs_more_says_so() -> None:
    assert refusal(lambda: find_generator("mine.py:Grey")) == (
        "mine.py:Grey cannot be made without arguments (TypeError: Grey.__init__() missing 1 required positional "
        "argument: 'tone')"
    )


@pytest.mark.parametrize(
    ("text", "source", "split", "part"),
    [
        ("glyphs", "glyphs", None, None),
        ("glyphs:alphabets=3/random-7/val", "glyphs:alphabets=3", "random-7", "val"),
        ("glyphs/lists/mine.json", "glyphs", "lists/mine.json", None),
        ("glyphs/lists/mine.csv+2/base", "glyphs", "lists/mine.csv+2", "base"),
        ("mini-imagenet/a/mine.py:f:k=3", "mini-imagenet", "a/mine.py:f:k=3", None),
        ("a/mine.py:f", "a/mine.py:f", None, None),
        ("./mine.py:f:k=3", "./mine.py:f:k=3", None, None),
        ("folder:a/b/c/d", "folder:a/b/c/d", None, None),
        ("array:a/b.csv:label=x", "array:a/b.csv:label=x", None, None),
    ],
)
def test_source_split_and_part_are_found(text: str, source: str, split: str | None, part: str | None) -> None:
    data = read_data(text)
    assert (str(data.source), data.split, data.part) == (source, split, part)


def test_evaluating_and_training_read_the_same_words_alike(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "mine.py").write_text(CODE)
    assert find_split("./deep/mine.py:noise:classes=6").name == "noise/random"
    assert find_part("./deep/mine.py:noise:classes=6").name == "noise"
    named = find_split("glyphs:alphabets=1,characters=6/deep/mine.py:first:classes=2")
    assert len(find_part("glyphs:alphabets=1,characters=6/deep/mine.py:first:classes=2/base").classes) == 2
    assert len(named.base.classes) == 2


def test_a_spec_without_a_split_names_none() -> None:
    assert refusal(lambda: find_split("glyphs")) == (
        "'glyphs' names no split: write SOURCE/SPLIT, such as omniglot/lake, or folder:PATH"
    )
    assert refusal(lambda: find_split("mine.py:noise", "lake")).startswith("unknown split of mine.py:noise 'lake'")
