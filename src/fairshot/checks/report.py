"""What the verb `check` found: every finding, and whether there is a leak among them."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, overload

from fairshot.checks.finding import Finding, find_named
from fairshot.results.schema import SourceName
from fairshot.tables.document import Document


@dataclass(frozen=True, kw_only=True, repr=False)
class CheckReport(Document):
    """The findings about a learner and its data, in the order in which they were made; true if there is no leak."""

    report_module: ClassVar[str] = "fairshot.reports.checks"

    findings: tuple[Finding, ...]
    learner: str
    source: SourceName
    task: str
    smaller: str = ""
    """That the task is smaller than that of an evaluation, and why; empty if it is not."""
    episodes: int = 0
    seed: int = 0

    def in_brief(self) -> str:
        """What was checked on what."""
        return f"{self.learner} on {self.source.name}"

    @property
    def leaks(self) -> tuple[Finding, ...]:
        """Findings after which numbers cannot be trusted."""
        return tuple(finding for finding in self.findings if finding.outcome == "leak")

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """Findings that are worth a look."""
        return tuple(finding for finding in self.findings if finding.outcome == "warning")

    @property
    def passed(self) -> bool:
        """Whether there is no leak."""
        return not self.leaks

    def __bool__(self) -> bool:
        return self.passed

    def __len__(self) -> int:
        return len(self.findings)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    @overload
    def __getitem__(self, chosen: int | str) -> Finding: ...
    @overload
    def __getitem__(self, chosen: slice) -> tuple[Finding, ...]: ...
    def __getitem__(self, chosen: int | str | slice) -> Finding | tuple[Finding, ...]:
        """By place, or by the name of the check: `report["twins"]`."""
        return find_named(self.findings, chosen) if isinstance(chosen, str) else self.findings[chosen]

    def fields(self) -> dict[str, Any]:
        """The findings, and what was checked."""
        return {
            "seed": self.seed,
            "source": self.source.model_dump(),
            "learner": self.learner,
            "task": self.task,
            "smaller": self.smaller,
            "episodes": self.episodes,
            "leaks": len(self.leaks),
            "findings": [asdict(finding) for finding in self.findings],
        }
