"""A Share: the episodes that one shard of an evaluation answers, and the evaluation once all of them are there."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fairshot.evaluation.cell import PORTION, Cell
from fairshot.evaluation.scorer import use_one_thread
from fairshot.results.folder import Folder
from fairshot.results.records import Store
from fairshot.results.schema import SourceName
from fairshot.results.shards import (
    GATHER,
    Chunk,
    Piece,
    Plan,
    Shards,
    missing_shards,
    parse_shard,
    without_shard,
)
from fairshot.runtime.backends.backend import APART, Backend, Progress, ordered_map
from fairshot.runtime.errors import FairshotError
from fairshot.statistics.scores import Scores, join_scores, load_scores
from fairshot.tasks.task import BLOCK


@dataclass(frozen=True)
class Share:
    """What one shard answers of the plan of all."""

    shards: Shards
    plan: Plan
    number: int

    def answer(self, cell: Cell, backend: Backend, progress: Progress) -> str:
        """Answers what is not there yet, chunk by chunk; says how much of the learner on the task is this shard's."""
        own = [
            chunk
            for place, chunk in enumerate(self.plan.chunks)
            if chunk.key == cell.key and self.plan.shard_of(place) == self.number
        ]
        waiting = [chunk for chunk in own if kept_chunk(self.shards, chunk) is None]
        done, whole = sum(len(c.episodes) for c in own if c not in waiting), sum(len(c.episodes) for c in own)
        for chunk, scores in _answers(cell, waiting, backend):
            scores.save(self.shards.file(chunk))
            done += len(scores)
            progress(f"{cell.name}, {cell.task.label}", done, whole, float(scores.values.mean()))
        return f"its {whole:,} of {len(cell.episodes):,} episodes are answered"

    @property
    def note(self) -> str:
        """What a reader of a result without values must know."""
        whole = f"when all shards have answered theirs, fairshot gather {self.shards.path} gives the result"
        return f"this is shard {self.number} of {self.plan.of}: {whole}"


@dataclass(frozen=True)
class Gathered(Folder):
    """The folder of a result whose scores are those of its shards, and of nothing else."""

    plan: Plan

    def find_scores(self, key: str) -> Scores:
        """The scores under a key, put together."""
        parts = [kept_chunk(Shards(self.path), chunk) for chunk in self.plan.chunks if chunk.key == key]
        return join_scores([part for part in parts if part is not None])


def find_share(shard: str, out: Path | str | Store | None, wanted: Plan) -> Share | Gathered:
    """The share that is asked for, in a folder that is that of the same plan; or all, if none is missing."""
    if not isinstance(out, str | Path):
        raise FairshotError("shards meet in a folder that all machines see: name it with out")
    shards = Shards(Path(out))
    if shard == GATHER:
        plan = shards.plan
        plan.refuse_other(wanted, shards.path)
        missing = [place for place, chunk in enumerate(plan.chunks) if kept_chunk(shards, chunk) is None]
        if missing:
            raise missing_shards(shards.path, plan, missing)
        return Gathered(shards.path, plan)
    return Share(shards, shards.claim(wanted), parse_shard(shard)[0])


def plan_of(shard: str, cells: Sequence[Cell], source: SourceName, seed: int, command: Sequence[str]) -> Plan:
    """What all shards have in common."""
    for cell in cells:
        if cell.scorer.learner.identity is None:
            raise FairshotError(f"nothing names what {cell.name} is on another machine: give it by name or by file")
    pieces = tuple(Piece(cell.name, cell.task.label, cell.key, len(cell.episodes)) for cell in cells)
    of = 0 if shard == GATHER else parse_shard(shard)[1]
    return Plan(of, source, seed, pieces, without_shard(command))


def kept_chunk(shards: Shards, chunk: Chunk) -> Scores | None:
    """The scores of a chunk; none if it is not there, damaged, or has another length."""
    path = shards.file(chunk)
    try:
        scores = load_scores(path) if path.exists() else None
    except FairshotError:
        return None
    return scores if scores is not None and len(scores) == len(chunk.episodes) else None


def _answers(cell: Cell, chunks: Sequence[Chunk], backend: Backend) -> Iterator[tuple[Chunk, Scores]]:
    """The answers to chunks, each as soon as it is complete."""
    backend = "threads" if backend == "auto" and cell.scorer.learner.threads else backend
    size = PORTION if backend in ("auto", *APART) and not cell.scorer.learner.threads else BLOCK
    if backend in ("auto", *APART):
        for chunk in chunks:
            for _ in cell.portions(chunk.episodes, BLOCK):
                pass  # embeds every image now, so that other processes find it done
    portions = (portion for chunk in chunks for portion in cell.portions(chunk.episodes, size))
    count = sum(-(-len(chunk.episodes) // size) for chunk in chunks)
    answered = ordered_map(cell.scorer, portions, count=count, backend=backend, prepare=use_one_thread)
    for chunk in chunks:
        parts: list[Scores] = []
        while sum(map(len, parts)) < len(chunk.episodes):
            parts.append(next(answered))
        yield chunk, join_scores(parts)
