"""Shards: one result made by several commands that share nothing but a folder.

All answers are cut into chunks, each named by what it answers (learner, weights, task, seed, data, version) and by its
episodes. Shard 3 of 40 makes every 40th chunk from the third on; a chunk that is there is not made again. What belongs
together stands in one plan, which the first of them writes and all others must agree with.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import zip_longest
from pathlib import Path
from typing import Any

import fairshot
from fairshot.results.schema import CHECKSUM, SourceName, without_checksum
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import alone, complete_file
from fairshot.runtime.fingerprints import fingerprint
from fairshot.tables.words import count_of

FOLDER, PLAN, GATHER = "shards", "plan.json", "gather"
LEAST, MOST = 64, 256  # episodes of a chunk, and chunks of one learner on one task: few files, and enough to share


@dataclass(frozen=True)
class Chunk:
    """Some episodes of what is answered under one key."""

    key: str
    episodes: range


@dataclass(frozen=True)
class Piece:
    """All that is answered under one key: by whom, what, and how many episodes."""

    learner: str
    task: str
    key: str
    count: int

    @property
    def chunks(self) -> list[Chunk]:
        """Its chunks, which depend on nothing but the number of episodes."""
        length = LEAST * max(1, -(-self.count // (LEAST * MOST)))
        return [
            Chunk(self.key, range(start, min(start + length, self.count))) for start in range(0, self.count, length)
        ]


@dataclass(frozen=True)
class Plan:
    """What all shards of a result have in common."""

    of: int
    source: SourceName
    seed: int
    pieces: tuple[Piece, ...]
    command: tuple[str, ...] = ()
    version: str = field(default_factory=lambda: fairshot.__version__)

    @cached_property
    def chunks(self) -> list[Chunk]:
        """Every chunk, in the order in which shards take them."""
        return [chunk for piece in self.pieces for chunk in piece.chunks]

    def shard_of(self, place: int) -> int:
        """Which shard makes the chunk at a place."""
        return place % self.of + 1

    def refuse_other(self, wanted: "Plan", folder: Path) -> None:
        """Raises where shards of two plans would be mixed."""
        there: tuple[Any, ...]
        for there, here, words in (
            ((self.version,), (wanted.version,), "made by fairshot {}, this is {}"),
            (self.source.identity, wanted.source.identity, "of the data {}, this is {}"),
            ((self.seed,), (wanted.seed,), "of seed {}, this is {}"),
            (self._asked, wanted._asked, "that answer {}, this asks for {}"),
            ((self.of,), (wanted.of or self.of,), "of {} in all, this is one of {}"),
        ):
            if there != here:
                differ = [pair for pair in zip_longest(there, here, fillvalue="nothing more") if pair[0] != pair[1]]
                told = words.format(*differ[0])
                raise FairshotError(
                    f"{folder} holds shards {told}: give the same command to every machine, or another folder"
                )

    @property
    def _asked(self) -> tuple[str, ...]:
        return tuple(f"{piece.learner} on {piece.task} ({piece.count}, {piece.key[:8]})" for piece in self.pieces)

    def as_text(self) -> str:
        """The JSON object that is kept."""
        source = self.source.model_dump()
        pieces = [vars(piece) for piece in self.pieces]
        content = {"of": self.of, "fairshot": self.version, "source": source, "seed": self.seed, "pieces": pieces}
        content["command"] = list(self.command)
        return json.dumps({**content, CHECKSUM: fingerprint(content)}, indent=1) + "\n"


@dataclass(frozen=True)
class Shards:
    """The folder of all shards of a result; chunks are .npz files, whatever an answer is made of."""

    path: Path

    @property
    def plan(self) -> Plan:
        """What is kept of what belongs together."""
        file = self.path / FOLDER / PLAN
        if not file.exists():
            raise FairshotError(f"{self.path} holds no shards: make them with --shard 1/N --out {self.path}")
        try:
            kept = without_checksum(json.loads(file.read_text()))
            pieces = tuple(Piece(**piece) for piece in kept["pieces"])
            source, version = SourceName(**kept["source"]), str(kept["fairshot"])
            return Plan(int(kept["of"]), source, int(kept["seed"]), pieces, tuple(kept["command"]), version)
        except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError, FairshotError) as error:
            raise FairshotError(f"{file} is damaged: remove it, and the next shard writes it anew") from error

    def claim(self, wanted: Plan) -> Plan:
        """Keeps the plan, or raises if the folder is that of another one."""
        file = self.path / FOLDER / PLAN
        with alone(file):
            if file.exists():
                self.plan.refuse_other(wanted, self.path)
            else:
                with complete_file(file) as unfinished:
                    unfinished.write_text(wanted.as_text())
        return self.plan

    def file(self, chunk: Chunk) -> Path:
        """Where a chunk is kept."""
        if not re.fullmatch(r"[\w-]+", chunk.key):
            raise FairshotError(f"{self.path / FOLDER / PLAN} names a file that no command keeps: do not use it")
        return self.path / FOLDER / chunk.key / f"{chunk.episodes.start}-{chunk.episodes.stop}.npz"


def parse_shard(text: str) -> tuple[int, int]:
    """`3/40` as a number and how many there are."""
    match = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text)
    number, of = (int(match[1]), int(match[2])) if match else (0, 0)
    if not 1 <= number <= of:
        raise FairshotError(f"shard {text} makes no sense: write 1/40, 2/40 ... 40/40")
    return number, of


def without_shard(command: Sequence[str]) -> tuple[str, ...]:
    """A command as it would be typed for all shards at once."""
    words = list(command)
    places = [place for place, word in enumerate(words) if word == "--shard"]
    for place in reversed(places):
        del words[place : place + 2]
    return tuple(word for word in words if not word.startswith("--shard="))


def missing_shards(path: Path, plan: Plan, missing: Sequence[int]) -> FairshotError:
    """The error for chunks that are not there: which shards make them, and by which command."""
    numbers = sorted({plan.shard_of(place) for place in missing})
    typed = " ".join(plan.command) or "the same call"
    commands = [f"{typed} --shard {number}/{plan.of}" for number in numbers[:3]]
    more = f" and {len(numbers) - 3} more ({', '.join(map(str, numbers[3:]))})" if len(numbers) > 3 else ""
    lacking = f"{count_of(len(missing), 'chunk')} of {len(plan.chunks)} are missing or damaged in {path}"
    return FairshotError(f"{lacking}: run {'; '.join(commands)}{more}")
