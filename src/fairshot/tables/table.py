"""A Table: typed cells under named columns. Nothing in it is formatted; the renderers of this folder do that.

Every object that a verb gives makes tables of this kind; terminal, Markdown, LaTeX, CSV, HTML and data frames all come
from them.
"""

from collections.abc import Callable
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, model_serializer

Unit = Literal["", "share", "points", "ratio", "seconds", "count", "p"]
"""What a number counts. A share lies between 0 and 1 and is shown in percent; points are a difference of two shares."""


class _Brief(BaseModel):
    """A value whose JSON has only what was said of it: a table has hundreds of them."""

    model_config = ConfigDict(frozen=True)

    @model_serializer(mode="wrap")
    def _without_defaults(self, serialize: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        fields = type(self).model_fields
        return {name: value for name, value in serialize(self).items() if value != fields[name].default}


class Quantity(_Brief):
    """A number with its unit and, where they are known, the ends of its interval.

    Without a value it is an interval alone; without both it is shown as N/A, and `why` says why.
    """

    value: float | None
    unit: Unit = ""
    low: float | None = None
    high: float | None = None
    population: str = ""
    """What the interval is for: other classes, other images, more episodes."""
    quoted: bool = False
    """Whether this interval is the one that a reader should quote."""
    digits: int | None = None
    """Decimals to show; None: what is usual for the unit."""
    why: str = ""
    """Why there is no value or no interval."""
    signed: bool | None = None
    """Whether a number above nothing gets a plus; None: what is usual for the unit, so points do."""
    deviation: float | None = None
    """The standard deviation of what the value is the mean of."""
    mark: str = ""
    """A sign behind the number, which a note below the table explains."""
    bound: Literal["", ">", "<"] = ""
    """Whether the value is only known to lie above or below this number."""


Cell = Quantity | str | bool | int | float | None


class Column(_Brief):
    """The name of a column, and how its cells stand out."""

    name: str
    code: bool = False
    """Whether its words are names of learners, which Markdown sets as code."""
    strong: bool = False
    """Whether its values are what the table is about, which Markdown sets in bold."""
    unit_in_heading: bool = True
    """Whether the heading names the unit that all cells share; otherwise the title or a note does."""
    about: str = ""
    """What the column says, in a sentence for the foot of the table."""


def plain_columns(*names: str) -> list[Column]:
    """Plain columns of these names."""
    return [Column(name=name) for name in names]


class Table(BaseModel):
    """Rows of cells under columns, with a title and notes."""

    title: str = ""
    columns: list[Column]
    rows: list[list[Cell]]
    notes: list[str] = []

    def column(self, name: str) -> list[Cell]:
        """The cells below a name, the first such column's if there are several."""
        place = [column.name for column in self.columns].index(name)
        return [row[place] for row in self.rows]
