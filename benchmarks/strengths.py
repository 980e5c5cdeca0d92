"""Which strength suits ridge, logistic and svm: `python benchmarks/strengths.py [--json]`.

Tried on base and val classes alone, so that no novel part has a say: pixels and a network's vectors of drawn glyphs,
pixels of CIFAR-FS and their 64 first principal components (of the base classes). A row is a learner with one strength,
its accuracy on each kind of features (the mean over 1 and 5 shots of 5 classes and 5 shots of 16), and the mean of all.
"""

import argparse
import json
from collections.abc import Iterator

import numpy as np

from fairshot.evaluation.evaluate import evaluate
from fairshot.learners.learner import Classifier
from fairshot.runtime.errors import FairshotError
from fairshot.sources.array import from_arrays
from fairshot.sources.source import Source
from fairshot.specs.data import find_split
from fairshot.specs.learners import find_learner
from fairshot.tasks.uniform import Uniform

NETWORK = "prototypes@omniglot-lake"
TASKS = [Uniform(way=5, shot=1, query=5), Uniform(way=5, shot=5, query=5), Uniform(way=16, shot=5, query=5)]
TRIED = {
    "ridge:strength": ((0.01, 0.1, 0.3, 1.0, 3.0, 10.0, 100.0), 400),
    "logistic:c": ((0.1, 1.0, 10.0, 100.0, 1000.0), 40),
    "svm:c": ((0.01, 0.1, 1.0, 10.0, 100.0), 60),
}  # strengths, and episodes of each task


def components(base: Source, val: Source, count: int = 64) -> Source:
    """The val images by their first principal components on the base classes."""
    shown = base.read(slice(0, None, 7)).reshape(-1, int(np.prod(base.read(slice(0, 1)).shape))).astype(np.float64)
    centre = shown.mean(axis=0)
    axes = np.linalg.eigh(np.cov(shown, rowvar=False))[1][:, ::-1][:, :count]
    vectors = (val.read(slice(None)).reshape(len(val), -1) - centre) @ axes
    return from_arrays(vectors.astype(np.float32), val.class_ids, name="components")


def worlds() -> Iterator[tuple[str, Source, str]]:
    """Features by name: where they come from, and what stands behind the head."""
    glyphs = find_split("glyphs", "parents", recipe="28").val
    yield "glyphs, pixels", glyphs, ""
    prepared = find_split("glyphs", "parents", recipe=find_learner(NETWORK).trained_recipe).val
    yield f"glyphs, {NETWORK}", prepared, f"@{NETWORK}"
    try:
        photos = find_split("cifar100", "cifar-fs")
    except FairshotError:
        return  # the data is not there
    yield "CIFAR-FS, pixels", photos.val, ""
    yield "CIFAR-FS, components", components(photos.base, photos.val), ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    as_json = parser.parse_args().json
    known = list(worlds())
    for setting, (strengths, episodes) in TRIED.items():
        for strength in strengths:
            row: dict[str, str | float] = {"learner": f"{setting}={strength:g}"}
            for name, part, behind in known:
                learner: Classifier = find_learner(f"{setting}={strength}{behind}")
                found = evaluate(part, {"it": learner}, TASKS, episodes=episodes).rows
                row[name] = round(100 * float(np.mean([each.number for each in found])), 1)
            row["mean"] = round(float(np.mean([row[name] for name, _, _ in known])), 2)
            print(json.dumps(row) if as_json else ", ".join(f"{key} {value}" for key, value in row.items()), flush=True)


if __name__ == "__main__":
    main()
