"""What a probe finds, for machines."""

from pydantic import BaseModel, Field

from fairshot.results.schema import Result, Row


class ClassRate(BaseModel):
    """How often the test images of one class are answered correctly."""

    learner: str
    shot: int
    name: str
    value: float
    interval: tuple[float, float] | None
    """For other labelled and other test images of the class."""
    test_images: int


class ProbeResult(Result):
    """The rows of a probe, the paired differences between its learners, and every class by itself."""

    kind: str = "probe"
    pool: int
    """How many images there are to draw labelled ones from."""
    test: int
    comparisons: list[Row] = Field(default=[])
    """What `learner` scores more than `against`, on the same draws and test images."""
    class_rates: list[ClassRate] = Field(default=[])
