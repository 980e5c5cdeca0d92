"""A trained learner is judged on images and classes that it was not trained on."""

import numpy as np

from fairshot.checks.check import Case, DataCheck
from fairshot.checks.finding import Outcome


class TrainedOn(DataCheck):
    """Compares the part with what the learner remembers of its training."""

    def look(self, case: Case) -> tuple[Outcome, str]:
        """Counts images and classes that were seen."""
        seen = case.learner.seen
        if seen is None:
            return "not applicable", "the learner says of no image that it was trained on it"
        images, classes = seen.overlap(case.part)
        total = len(np.unique(case.part.original_classes))
        if images or 0 < classes < total:
            said = f"{images:,} of {len(case.part):,} images and {classes:,} of {total:,} classes"
            return "leak", f"{said} were seen in training on {seen.part}"
        copies = seen.copies_in(case.part)
        if copies:
            of = f"{copies:,} of {len(case.part):,} images"
            return "leak", f"copies with a change of {of} were seen in training on {seen.part}"
        known = "other images of the same classes" if classes else "none of these classes"
        return "ok", f"{known} were seen in training on {seen.part}"
