"""What is kept of studies of results as others report them: winners of a choice, and places on leaderboards."""

from fairshot.results.schema import Row


class InflationRow(Row):
    """The best of many candidates: `value` is by how much its score is printed too well."""

    kind: str = "inflation"
    candidates: int
    best: str
    reported: float
    """The best score on the test classes, as it is usually printed."""
    reported_interval: tuple[float, float] | None = None
    honest: float
    """Cross-fitted: chosen on four fifths of the classes and judged on the rest, on average."""
    half: float
    """Chosen on one half of the classes and judged on the other, by the same formula."""
    halves: float
    """The same by halves of the classes that were drawn, evaluated and chosen on one by one."""
    chosen_by_val: str
    val: float
    """The test score of what validation classes choose."""
    val_interval: tuple[float, float] | None = None
    mean: float
    """The mean of all candidates."""


class RankCoverageRow(Row):
    """How often rank intervals held on simulated leaderboards: `value` is the share in which all places were inside."""

    kind: str = "rank_coverage"
    repetitions: int
    methods: int
    uncorrected: float
    """The same without a correction for many pairs."""
    certain: float
    """The share of pairs that differ and are distinguished."""
    width: float
    """The mean number of places that a method may have."""
    calibration: float
    """The mean probability of being first that the truly best method was given."""
