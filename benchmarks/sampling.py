"""How fast episodes are described (classes, shots, queries; no images), beside a plain loop over episodes.

    python benchmarks/sampling.py [--json]

Meta-Dataset's episodes of the test classes of its specifications, where FAIRSHOT_DATA has meta_dataset_splits/specs.
Both sides follow the released rules; mean way and support show that they agree.
"""

import json
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from plain_sampling import describe_plainly

from fairshot.runtime.data import data_folders
from fairshot.runtime.seeds import Stream
from fairshot.tasks.episodes import PAD
from fairshot.tasks.hierarchy import Hierarchy, eligible_nodes
from fairshot.tasks.meta_dataset import MetaDataset
from fairshot.tasks.task import BLOCK
from fairshot.tasks.variable import Description

REPEATS, BLOCKS, PLAIN_EPISODES = 3, 40, 4000

Describe = Callable[[Stream, int], Description]
Case = tuple[Describe, np.ndarray, list[np.ndarray], bool]


def find_specification(name: str) -> dict | None:
    for folder in data_folders():
        path = Path(folder) / "meta_dataset_splits" / "specs" / f"{name}_dataset_spec.json"
        if path.exists():
            return json.loads(path.read_text())
    return None


def flat(spec: dict) -> Case:
    """Classes drawn from all test classes."""
    sizes = [spec["images_per_class"][str(number)] for number in range(len(spec["images_per_class"]))]
    counts = np.array(sizes[-spec["classes_per_split"]["TEST"] :])
    parents = np.zeros(len(counts), dtype=np.int64)
    return partial(MetaDataset().describe, counts, parents), counts, [np.arange(len(counts))], True


def within_alphabets(spec: dict) -> Case:
    """Characters drawn within one of the test alphabets, which are the last ones."""
    alphabets = list(spec["classes_per_superclass"].values())[-spec["superclasses_per_split"]["TEST"] :]
    parents = np.repeat(np.arange(len(alphabets)), alphabets)
    counts = np.full(len(parents), 20)
    homes = [np.flatnonzero(parents == parent) for parent in range(len(alphabets))]
    return partial(MetaDataset(bilevel=True).describe, counts, parents), counts, homes, True


def below_nodes(spec: dict) -> Case:
    """The classes below a node of WordNet."""
    images = spec["images_per_class"]["TEST"]
    names = tuple(sorted(node["wn_id"] for node in spec["split_subgraphs"]["TEST"] if not node["children_ids"]))
    counts = np.array([images[name] for name in names])
    nodes = eligible_nodes(names, "released")
    homes = np.split(nodes.rows, nodes.starts[1:])
    return partial(Hierarchy().describe, counts, names), counts, homes, False


CASES: dict[str, Callable[[dict], Case]] = {
    "omniglot": within_alphabets,
    "aircraft": flat,
    "quickdraw": flat,
    "fungi": flat,
    "ilsvrc_2012": below_nodes,
}


def best_rate(work: Callable[[], np.ndarray]) -> tuple[float, np.ndarray]:
    """Descriptions per second in the best of some repeats, and the mean way and support."""
    work()
    seconds = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        found = work()
        seconds.append(time.perf_counter() - start)
    return len(found) / min(seconds), found.mean(axis=0)


def describe_blocks(describe: Describe) -> np.ndarray:
    plans = [describe(Stream(0, "episodes", block), BLOCK) for block in range(BLOCKS)]
    return np.concatenate([np.stack([(plan.rows != PAD).sum(1), plan.shots.sum(1)], axis=1) for plan in plans])


def measure(name: str, case: Case) -> dict[str, float | str]:
    describe, counts, homes, uniform_way = case
    ours, our_means = best_rate(lambda: describe_blocks(describe))
    plain, plain_means = best_rate(
        lambda: describe_plainly(counts, homes, uniform_way=uniform_way, episodes=PLAIN_EPISODES)
    )
    return {
        "specification": name,
        "fairshot descriptions/s": round(ours),
        "plain loop descriptions/s": round(plain),
        "ratio": round(ours / plain, 1),
        "fairshot way and support": " and ".join(f"{mean:.1f}" for mean in our_means),
        "plain way and support": " and ".join(f"{mean:.1f}" for mean in plain_means),
    }


def main() -> None:
    for name, make in CASES.items():
        spec = find_specification(name)
        if spec is None:
            print(f"no meta_dataset_splits/specs/{name}_dataset_spec.json in FAIRSHOT_DATA", file=sys.stderr)
            continue
        row = measure(name, make(spec))
        print(json.dumps(row) if "--json" in sys.argv else ", ".join(f"{key} {value}" for key, value in row.items()))


if __name__ == "__main__":
    main()
