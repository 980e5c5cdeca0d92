"""What a command found out, for machines: one JSON object with a fixed schema."""

import importlib
import json
from pathlib import Path
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SerializeAsAny

import fairshot
from fairshot.results.migration import SCHEMA, migrate
from fairshot.runtime.checksums import DamagedError
from fairshot.runtime.errors import FairshotError, unknown
from fairshot.runtime.files import complete_file
from fairshot.runtime.fingerprints import fingerprint
from fairshot.sources.source import Source
from fairshot.tables.table import Table
from fairshot.tables.words import plain

LIMITED, CHECKSUM = "limited to", "checksum"
# Modules whose rows and results have kinds of their own.
KINDS = (
    *("fairshot.results.study_rows", "fairshot.results.source_rows", "fairshot.results.probe_rows"),
    "fairshot.results.choice_rows",
)
STATISTICS = 2
"""Raised whenever the same scores would give other intervals or forecasts.

2: families of classes, classes made of one another, hopeless classes, predictive forecasts of flips.
"""


class Row(BaseModel):
    """One learner on one task: a value with its intervals, each for a population of its own."""

    model_config = ConfigDict(extra="allow")
    kinds: ClassVar[dict[str, type["Row"]]] = {}

    kind: str = "score"
    """Which class of row this is: rows of studies have more fields than these."""
    learner: str
    settings: dict[str, Any] = {}
    task: str
    family: str = ""
    """The task without its number of shots: rows of one family differ in shots alone."""
    counterpart: str = ""
    """Of a task within parents: the label of the same task with any classes together."""
    shot: int | None = None
    part: str
    metric: str
    episodes: int
    episodes_key: str
    scores_key: str = ""
    """Names the file of this row's scores in the folder of the result."""
    value: float | None
    """None: the learner cannot serve the task, and the notes say why."""
    intervals: dict[str, tuple[float, float] | None]
    headline: str = ""
    """The population whose interval should be quoted; results of the first version of the statistics do not say."""
    against: str = ""
    """Of a ratio of two learners: the one that stands below the line."""
    difference: bool = False
    """Whether the value is what one learner scores more than another, in which case it may lie below 0."""
    per_query: bool = True
    """Whether the score is a share of queries, each judged by itself; otherwise episodes are taken as a whole."""
    higher_is_better: bool = True
    sequential: bool = False
    """Whether the number of episodes was chosen while looking at the scores; intervals then allow for it."""
    runs: list[str] = []
    """The scores_keys of the training runs, or of the learner's seeds, that this row is the mean of."""
    published: float | None = None
    seconds: float | None = None
    """What an episode took, where that was measured."""
    scores: list[float] | None = None
    """The score of every episode, where the episodes are a fixed short list."""
    notes: list[str] = []
    """Why intervals are missing, or the value itself."""
    warnings: list[str] = []
    """What a reader must know of the learner before believing the value."""

    @classmethod
    def __pydantic_init_subclass__(cls, **settings: Any) -> None:
        if "kind" in cls.__annotations__:  # those without a kind of their own are read by name
            Row.kinds[cls.model_fields["kind"].default] = cls

    def __repr__(self) -> str:
        value = "no value" if self.value is None else plain(self.value, 4)
        return f"<{type(self).__name__}: {self.learner}, {self.task}: {self.metric} {value}>"

    __str__ = __repr__

    @property
    def quoted(self) -> tuple[float, float] | None:
        """The interval that should be quoted, if there is one."""
        return self.intervals.get(self.headline or "classes")

    def interval(self, population: str = "") -> tuple[float, float] | None:
        """The interval for a population, or the one to quote; None where the notes say why there is none."""
        if population and population not in self.intervals:
            raise unknown(f"population of {self.learner} on {self.task}", population, self.intervals)
        return self.intervals[population] if population else self.quoted

    @property
    def number(self) -> float:
        """The value of a row that has one."""
        assert self.value is not None
        return self.value


class ShotPoint(BaseModel):
    """The score at one number of shots."""

    shot: int
    value: float
    intervals: dict[str, tuple[float, float] | None]


class ShotGain(BaseModel):
    """How the score changes from one number of shots to the next."""

    fewer: int
    more: int
    value: float
    intervals: dict[str, tuple[float, float] | None]
    paired: list[str] = []
    """The populations whose interval comes from differences on the same queries."""


class ShotCurve(BaseModel):
    """One learner on one family of tasks: the score against the number of shots."""

    learner: str
    family: str
    metric: str
    higher_is_better: bool = True
    points: list[ShotPoint]
    gains: list[ShotGain]
    next_gain: float | None = None
    """What one shot more than the largest would better the score by, extrapolated; None where scores do not rise."""
    sentence: str = ""


def _row_of_its_kind(row: Any) -> Any:
    """The row as an object of the class that its kind names; of a kind that nobody knows, as it is."""
    if not isinstance(row, dict) or row.get("kind", "score") == "score":
        return row
    load_kinds()
    return Row.kinds.get(row["kind"], Row).model_validate(row)


def load_kinds() -> None:
    """Makes the kinds of rows and results known that studies have."""
    for module in KINDS:
        importlib.import_module(module)


class SourceName(BaseModel):
    """Which data it was, exactly."""

    name: str
    fingerprint: str
    recipe: str
    classes: int | None = None
    images: int | None = None
    """How many classes and images there are; results of the first schema do not say."""

    @classmethod
    def of(cls, part: Source) -> "SourceName":
        """The name of a part."""
        recipe, classes = part.recipe.name, len(part.classes)
        return cls(name=part.name, fingerprint=part.fingerprint, recipe=recipe, classes=classes, images=len(part))

    @property
    def identity(self) -> tuple[str, str, str]:
        """What makes data the same data."""
        return self.name, self.fingerprint, self.recipe


class Result(BaseModel):
    """The rows of one command, and all that is needed to get them again."""

    model_config = ConfigDict(extra="allow", populate_by_name=True)
    kinds: ClassVar[dict[str, type["Result"]]] = {}

    schema_: int = Field(default=SCHEMA, alias="schema")
    kind: str = "scores"
    """Which class of result this is: those of some studies have more fields than these."""
    fairshot: str = fairshot.__version__
    statistics: int = STATISTICS
    """The version of the statistics that made the intervals; files that do not say are of version 1."""
    command: list[str] = []
    seed: int
    source: SourceName
    episodes_key: str
    rows: list[Annotated[SerializeAsAny[Row], BeforeValidator(_row_of_its_kind)]]
    shots: list[ShotCurve] = []
    """A curve for each learner and family of tasks that this command gave at least three numbers of shots."""
    study_tables: list[Table] = Field(default=[], alias="tables")
    """What a study shows its readers; all of it can be made again from the other fields."""
    commit: str | None = None
    preset: str | None = None
    """Of a study: as published, the plans of what was trained, or how far it was limited."""
    seconds: float | None = None
    training: dict[str, dict[str, Any]] = {}
    """For each learner that was trained for this result: how, and how long."""
    notes: list[str] = []

    @classmethod
    def __pydantic_init_subclass__(cls, **settings: Any) -> None:
        if "kind" in cls.__annotations__:
            Result.kinds[cls.model_fields["kind"].default] = cls

    @property
    def limited(self) -> bool:
        """Whether this is less than the whole study."""
        return bool(self.preset and self.preset.startswith(LIMITED))

    def json_text(self) -> str:
        """As printed by --json and kept in result.json."""
        return self.model_dump_json(by_alias=True, indent=1)


def write_result(result: Result, path: Path) -> None:
    """Writes the JSON file, or leaves what was there."""
    with complete_file(path) as unfinished:
        unfinished.write_text(text_with_checksum(result))


def text_with_checksum(result: Result) -> str:
    """The JSON of a result with its checksum as the last field: of the values, however they are laid out."""
    text = result.json_text()
    checksum = f',\n "{CHECKSUM}": "{fingerprint(json.loads(text))}"\n}}\n'
    return text.removesuffix("}").rstrip() + checksum


def read_result(path: Path) -> Result:
    """The result in a JSON file of this schema or of an earlier one."""
    try:
        return parse_result(json.loads(path.read_text()))
    except FileNotFoundError as error:
        raise FairshotError(
            f"there is no result {path}: make one with 'fairshot evaluate ... --out {path.parent}'"
        ) from error
    except DamagedError as error:
        raise DamagedError(f"{path}: {error}; remove it, and the same command makes it anew") from error
    except (OSError, TypeError, ValueError, LookupError, AttributeError, RecursionError) as error:  # another object
        raise FairshotError(
            f"{path} is not a readable result of fairshot: remove it or choose another folder"
        ) from error


def parse_result(document: dict[str, Any]) -> Result:
    """The result in a JSON object, as an object of the class that its kind names."""
    load_kinds()
    current = migrate(without_checksum(document))
    return Result.kinds.get(current.get("kind", ""), Result).model_validate(current)


def without_checksum(document: dict[str, Any]) -> dict[str, Any]:
    """The object if it has its checksum; what was printed, and files of earlier versions, have none."""
    content = {name: value for name, value in document.items() if name != CHECKSUM}
    if document.get(CHECKSUM) not in (None, fingerprint(content)):
        raise DamagedError("its content does not have its checksum: it was damaged, or edited by hand")
    return content
