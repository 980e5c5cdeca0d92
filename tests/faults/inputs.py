"""Files of every kind that are read, damaged in every way: no traceback, no hang, no blow-up, nothing outside."""

import json
import os
import random
import shutil
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from PIL import Image
from safetensors.numpy import save_file

from fairshot.evaluation.evaluate import evaluate
from fairshot.learners.classifiers.prototypes import Prototypes
from fairshot.learners.training.loop import train
from fairshot.learners.training.plan import Plan
from fairshot.sources.array import from_arrays
from fairshot.sources.images.tfrecords import read_records
from tests.faults.child import GIGABYTE, Ended, command, run
from tests.sources.records import write_records

SECONDS, MEMORY = 60.0, 3 * GIGABYTE  # what one input may take; torch alone reserves one gigabyte
NASTY = (
    *(b"", b"\x00", b"\xff" * 8, b"NaN", b"-1", b"1e400", b"99999999999999999999", b"null", b"[]", b"{}", b'"'),
    *(b"../../escaped", b"/tmp/escaped", b"\x1b[2J", b"=cmd()", b"\xed\xa0\x80", b"\n" * 50, b"," * 200, b"[" * 5000),
)


@dataclass(frozen=True)
class Kind:
    """A kind of file: a whole one, and what is done with a damaged one in its place."""

    name: str
    file: Path
    work: Callable[[Path], Callable[[], object]]
    """Given the folder that holds a copy of everything."""


@dataclass
class Outcomes:
    """What came of the damaged files of a kind; every fault is a line."""

    inputs: int = 0
    accepted: int = 0
    refused: int = 0
    faults: list[str] = field(default_factory=list)


def make_files(folder: Path) -> list[Kind]:
    """Whole files of every kind below a folder."""
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(4), 6)
    X = (rng.normal(size=(4, 5))[labels] + rng.normal(size=(24, 5))).astype(np.float32)
    evaluation = evaluate(from_arrays(X, labels), way=2, query=2, episodes=20, out=folder / "result")
    evaluation.passport(folder / "passport.zip")
    np.savez(folder / "vectors.npz", X=X, y=labels)
    save_file({"X": X, "y": labels}, folder / "vectors.safetensors")
    header, rows = ",".join([*"abcde", "label"]), (",".join(map(str, [*x, y])) for x, y in zip(X, labels, strict=True))
    (folder / "vectors.csv").write_text("\n".join([header, *rows]) + "\n")
    scores = [f"{method},{item},{rng.integers(2)}" for method in ("a", "b") for item in range(12)]
    (folder / "scores.csv").write_text("\n".join(["method,item,score", *scores]) + "\n")
    for label in range(3):
        (folder / "pictures" / f"class{label}").mkdir(parents=True)
        for number in range(3):
            picture = rng.integers(0, 256, (12, 12, 3), dtype=np.uint8)
            Image.fromarray(picture).save(folder / "pictures" / f"class{label}" / f"{number}.png")
    drawings = (rng.random((24, 16, 16)) < 0.4).astype(np.uint8) * 255
    tiny = Plan(way=2, shot=1, query=1, steps=2, epoch=1, val_way=2, val_episodes=2)
    train(Prototypes(), from_arrays(drawings, labels), plan=tiny, out=folder / "run")
    np.savez(folder / "drawings.npz", X=drawings, y=labels)
    write_records(folder / "records")
    lists = {"base": ["0", "1"], "novel": ["2", "3"]}
    (folder / "split.json").write_text(json.dumps(lists))
    return list(_kinds(folder))


def _kinds(folder: Path) -> Iterator[Kind]:
    quick = ("--way", "2", "--query", "1", "--episodes", "4")

    def given(name: str, file: str, *words: str) -> Kind:
        return Kind(name, Path(file), lambda at: command(*(word.replace("HERE", str(at)) for word in words)))

    yield given("zip", "passport.zip", "verify", "HERE/passport.zip")
    yield given("PNG", "pictures/class1/1.png", "evaluate", "folder:HERE/pictures", "--recipe", "8", *quick)
    yield given("npz", "vectors.npz", "evaluate", "array:HERE/vectors.npz", *quick)
    for place in sorted((folder / "result").rglob("*.npz")):
        yield given("npz", str(place.relative_to(folder)), "verify", "HERE/result")
    yield given("JSON", "result/result.json", "verify", "HERE/result")
    yield given("JSON", "run/training.json", "ls", "runs", "HERE")
    yield given("JSON", "split.json", "data", "show", "array:HERE/vectors.npz", "--split", "HERE/split.json")
    yield given("safetensors", "vectors.safetensors", "evaluate", "array:HERE/vectors.safetensors", *quick)
    seen = ("--allow-seen", "--learner", "HERE/run")
    yield given("safetensors", "run/weights.safetensors", "evaluate", "array:HERE/drawings.npz", *seen, *quick)
    yield given("CSV", "vectors.csv", "evaluate", "array:HERE/vectors.csv", *quick)
    yield given("CSV", "scores.csv", "compare", "HERE/scores.csv")
    yield Kind("TFRecord", Path("records/1.tfrecords"), lambda at: lambda: _records(at / "records" / "1.tfrecords"))


def _records(file: Path) -> int:
    """The reader of records, as a command would end."""
    from fairshot.runtime.errors import FairshotError

    try:
        read_records(file, label=1)
    except FairshotError as error:
        print(f"fairshot: {error}")
        return 2
    return 0


def damaged(content: bytes, rng: random.Random) -> bytes:
    """The content with one to four things wrong with it."""
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(content) + 1)
        end = min(len(content), place + rng.choice((1, 2, 8, 64, 1000)))
        ways = (
            content[:place],
            content[:place] + bytes([rng.randrange(256)]) + content[place + 1 :],
            content[:place] + rng.choice(NASTY) + content[place:],
            content[:place] + rng.choice(NASTY) + content[end:],
            content[:place] + content[end:],
            content[:end] + content[place:],
            content[:place] + bytes(end - place) + content[end:],
            content[:place] + rng.randbytes(end - place) + content[end:],
            _other_value(content, rng),
        )
        content = rng.choice(ways)
    return content


def _other_value(content: bytes, rng: random.Random) -> bytes:
    """One number or text of JSON or CSV is another one; four bytes of what is neither."""
    words = content.replace(b",", b"\x00,\x00").replace(b":", b"\x00:\x00").split(b"\x00")
    if len(words) < 4:
        place = rng.randrange(len(content) + 1)
        return content[:place] + rng.choice((b"\xff\xff\xff\x7f", b"\x00\x00\x00\x00")) + content[place + 4 :]
    words[rng.randrange(len(words))] = rng.choice(NASTY)
    return b"".join(words)


def repacked(content: bytes, rng: random.Random) -> bytes:
    """A zip whose entries are damaged under right checksums of its own, or have names that lead elsewhere."""
    import io

    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as whole, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        entries = whole.namelist()
        chosen = rng.choice(entries)
        for name in entries:
            held = whole.read(name)
            way = rng.randrange(4) if name == chosen else 3
            renamed = rng.choice(("../escaped", "/tmp/escaped", "a/../../escaped", ".", "result.json", "x" * 300))
            archive.writestr(renamed if way == 0 else name, damaged(held, rng) if way in (1, 2) else held)
    return made.getvalue()


def fuzzed(kinds: list[Kind], folder: Path, work: Path, count: int, rng: random.Random) -> Iterator[tuple[Kind, Ended]]:
    """So many damaged files, one after the other, and how the command that read each ended."""
    names = list(dict.fromkeys(kind.name for kind in kinds))
    for number in range(count):
        kind = rng.choice([kind for kind in kinds if kind.name == names[number % len(names)]])
        here = work / "inner" / "here"
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(folder, here)
        content = (here / kind.file).read_bytes()
        zipped = kind.file.suffix in (".zip", ".npz") and rng.random() < 0.5
        (here / kind.file).write_bytes(repacked(content, rng) if zipped else damaged(content, rng))
        yield kind, run(_at(kind, here), work / "log", SECONDS, MEMORY)


def _at(kind: Kind, here: Path) -> Callable[[], object]:
    def work() -> object:
        os.environ["FAIRSHOT_CACHE"] = str(here.parent / "cache")
        os.chdir(here)
        return kind.work(here)()

    return work


def escaped(work: Path) -> list[str]:
    """What a command wrote outside of its places."""
    there = {path.name for path in work.iterdir()} - {"inner", "log"}
    there |= {path.name for path in (work / "inner").iterdir()} - {"here", "cache"}
    return sorted(there | {name for name in ("escaped",) if os.path.exists(f"/tmp/{name}")})


def judged(kinds: list[Kind], folder: Path, work: Path, count: int, seed: int) -> dict[str, Outcomes]:
    """What came of so many damaged files, by kind; what was not clean is kept beside the work folder."""
    found = {kind.name: Outcomes() for kind in kinds}
    for number, (kind, ended) in enumerate(fuzzed(kinds, folder, work, count, random.Random(seed))):
        outcome = found[kind.name]
        outcome.inputs += 1
        outcome.accepted += ended.clean and ended.code != 2
        outcome.refused += ended.clean and ended.code == 2
        out = escaped(work)
        if not ended.clean or out:
            shutil.copytree(work, work.parent / f"fault-{seed}-{number}", dirs_exist_ok=True)
            said = ended.said.strip().splitlines()[-1:] or [""]
            told = f"wrote {out}" if out else "hung" if ended.hung else f"ended with {ended.code}: {said[0][:200]}"
            outcome.faults.append(f"{kind.file}, input {number} of seed {seed}: {told}")
    return found
