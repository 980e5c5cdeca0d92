"""Learners: `NAME`, `NAME@WEIGHTS`, `NAME@path.py:encoder`, `path.py:Head@path.py:Net@WEIGHTS`."""

import re
from dataclasses import dataclass, replace

from fairshot.runtime.errors import unreadable
from fairshot.runtime.grammar.name import Code, Spec, parse_code, parse_spec

FORMS = ("NAME", "NAME@WEIGHTS", "NAME@path.py:encoder", "NAME@path.py:Net@WEIGHTS")
CODE_BEHIND = re.compile(r"(.*?\.py:[^@]*)(?:@(.*))?", re.DOTALL)


@dataclass(frozen=True)
class LearnerSpec:
    """A head, the code of somebody's own that it stands on, and weights; each may be missing."""

    head: Spec | None = None
    code: Code | None = None
    """An encoder, or the network of the weights, where it is somebody's own."""
    weights: str = ""
    """A run's folder, a file of weights, or shipped ones by name."""

    def __str__(self) -> str:
        """As it is written on a command line."""
        return join_learner(self.head, self.behind)

    @property
    def behind(self) -> str:
        """All that stands behind the head."""
        return join_learner(self.code, self.weights)

    def with_head(self, head: str) -> "LearnerSpec":
        """Another head on what stands behind this one."""
        return replace(self, head=parse_spec(head))


def join_learner(*parts: Spec | str | None) -> str:
    """A head, code and weights as they are written, of which any may be missing."""
    return "@".join(str(part) for part in parts if part)


def parse_learner(text: str) -> LearnerSpec:
    """`HEAD@CODE@WEIGHTS` taken apart; only the first `@` ends the head, and weights may have more in their name."""
    before, at, behind = text.partition("@")
    head = parse_spec(before)
    if not at:
        return LearnerSpec(head)
    if not str(head) or not behind:
        raise unreadable(text, *FORMS)
    match = CODE_BEHIND.fullmatch(behind)
    code, weights = (parse_code(match[1]), match[2] or "") if match else (None, behind)
    return LearnerSpec(head, code, weights)
