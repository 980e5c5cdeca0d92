"""The question stays as it was: a learner that writes into its batch changes what the next one sees."""

import torch

from fairshot.checks.check import Case, LearnerCheck, copy_batch, select_episodes, tables
from fairshot.checks.finding import Outcome

FEW = 2  # episodes


class InPlace(LearnerCheck):
    """Looks at the batch before and after."""

    def look(self, case: Case) -> tuple[Outcome, str]:
        """Asks once and compares the batch with what it was."""
        batch = select_episodes(case.batch, slice(FEW))
        given, kept = copy_batch(batch), tables(batch)
        case.answer(given)
        written = [name for name, table in tables(given).items() if not torch.equal(table, kept[name])]
        if written:
            return "leak", f"the learner writes into {', '.join(written)} of its batch"
        return "ok", "the batch is only read"
