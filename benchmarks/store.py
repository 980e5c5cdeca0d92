"""A source larger than memory: written, killed, resumed and evaluated, with the anonymous memory that each takes.

    python benchmarks/store.py [--images 1000000] [--episodes 300] [--folder FOLDER]

Synthetic colour images of 84 x 84 pixels, a thousand of a class, 21 GB for a million of them. The process that writes
them is killed when four tenths are written; a second one goes on, and says how many images it made. A third one
evaluates prototypes of average colours in Meta-Dataset's episodes, which read the rows they need. RssAnon is the most
memory of its own that a process was seen with; pages of the mapped file are no part of it. The folder is deleted at the
end.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np

from fairshot.sources.image_file import JOURNAL, write_images
from fairshot.sources.source import Source
from fairshot.sources.store import load_once

PIXELS, SQUARES = 84, 7
OF_A_CLASS, FEWEST = 1000, 20  # images of a class, and classes, of which there are enough for episodes
KILLED_AT = 0.4  # of the images


def make(images: int, made: list[int]) -> Source:
    """Noise over the colours of a class, seven by seven squares of them."""
    of_a_class = min(OF_A_CLASS, images // FEWEST)
    classes = -(-images // of_a_class)
    colours = np.random.default_rng(0).integers(0, 64, (classes, 3, SQUARES, SQUARES), dtype=np.uint8)

    def read(start: int, stop: int) -> np.ndarray:
        noise = np.random.default_rng(start).integers(0, 192, (stop - start, 3, PIXELS, PIXELS), dtype=np.uint8)
        own = colours[np.arange(start, stop) // of_a_class]
        made[0] += stop - start
        return noise + np.repeat(np.repeat(own, PIXELS // SQUARES, axis=2), PIXELS // SQUARES, axis=3)

    def build(folder: Path) -> Source:
        shape = (images, 3, PIXELS, PIXELS)
        store = write_images(folder, shape, read, plan=f"synthetic {images}", what="synthetic")
        names = tuple(f"class{number:04d}" for number in range(classes))
        return Source.create("synthetic", store, np.arange(images) // of_a_class, class_names=names)

    return load_once("synthetic", images, build)


def average_colours(images: np.ndarray) -> np.ndarray:
    side = PIXELS // SQUARES
    return images.reshape(len(images), 3, SQUARES, side, SQUARES, side).mean(axis=(3, 5)).reshape(len(images), -1)


def own_memory() -> int:
    """Bytes of anonymous memory of this process."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("RssAnon"))


class Peak(threading.Thread):
    """The most anonymous memory that was seen, looked at fifty times a second."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.bytes = 0
        self.start()

    def run(self) -> None:
        while True:
            self.bytes = max(self.bytes, own_memory())
            time.sleep(0.02)


def write(images: int) -> dict[str, float]:
    peak, start, made = Peak(), time.perf_counter(), [0]
    make(images, made)
    return {"images made": made[0], "seconds": round(time.perf_counter() - start, 1), "RssAnon MB": peak.bytes // 10**6}


def evaluate(images: int, episodes: int) -> dict[str, float]:
    import fairshot as fs

    peak, start = Peak(), time.perf_counter()
    source = make(images, [0])
    evaluation = fs.evaluate(source, {"colours": average_colours}, fs.tasks.MetaDataset(), episodes=episodes)
    return {
        "episodes": episodes,
        "accuracy": round(evaluation["colours"].value, 3),
        "seconds": round(time.perf_counter() - start, 1),
        "RssAnon MB": peak.bytes // 10**6,
    }


def start(arguments: argparse.Namespace, stage: str) -> subprocess.Popen[str]:
    words = [sys.executable, __file__, "--images", str(arguments.images), "--episodes", str(arguments.episodes)]
    environment = {**os.environ, "FAIRSHOT_CACHE": str(arguments.folder)}
    return subprocess.Popen([*words, "--stage", stage], env=environment, stdout=subprocess.PIPE, text=True)


def kill_on_the_way(arguments: argparse.Namespace) -> None:
    """Starts to write, and kills the process when enough parts are noted."""
    process, noted = start(arguments, "write"), 0
    enough = KILLED_AT * arguments.images * 3 * PIXELS**2 / (1 << 24)
    while process.poll() is None and noted < max(1, enough):
        time.sleep(0.02)
        noted = sum(len(path.read_text().splitlines()) - 1 for path in arguments.folder.rglob(JOURNAL))
    process.send_signal(signal.SIGKILL)
    process.communicate()
    print(json.dumps({"stage": "killed", "parts of 16 MB noted": noted}), flush=True)


def run_stage(arguments: argparse.Namespace, stage: str) -> None:
    answer, _ = start(arguments, stage).communicate()
    print(json.dumps({"stage": stage} | json.loads(answer)), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--images", type=int, default=1_000_000)
    parser.add_argument("--episodes", type=int, default=300)
    parser.add_argument("--folder", type=Path, default=Path("store-benchmark"))
    parser.add_argument("--stage", choices=["write", "evaluate"], help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.stage == "write":
        print(json.dumps(write(arguments.images)))
    elif arguments.stage == "evaluate":
        print(json.dumps(evaluate(arguments.images, arguments.episodes)))
    else:
        try:
            kill_on_the_way(arguments)
            run_stage(arguments, "write")
            run_stage(arguments, "evaluate")
        finally:
            shutil.rmtree(arguments.folder, ignore_errors=True)


if __name__ == "__main__":
    main()
