"""Other threads: no answer may hang on how many there are, nor on who asks at the same time."""

from concurrent.futures import ThreadPoolExecutor

import torch

from fairshot.checks.answer_changes import compare_answers
from fairshot.checks.check import Case, LearnerCheck, Logits, select_episodes
from fairshot.checks.finding import Outcome

COUNT = 2  # episodes, each asked by a thread of its own at the same time


class Threads(LearnerCheck):
    """Asks a few episodes from threads of their own, which let torch use two threads each.

    A learner that evaluations never ask from several threads at once is asked by one after the other.
    """

    def look(self, case: Case) -> tuple[Outcome, str]:
        """Compares with what the main thread is told, which asks one after the other."""
        some = range(min(COUNT, len(case.episodes)))
        before = [case.ask(select_episodes(case.batch, slice(number, number + 1))) for number in some]
        with ThreadPoolExecutor(COUNT if case.learner.threads else 1) as pool:
            answers = list(pool.map(lambda number: _asked(case, number), some))
        change = compare_answers(torch.cat(before), torch.cat(answers), case.batch.query_mask[: len(some)])
        return change.outcome("when other threads ask")


def _asked(case: Case, number: int) -> Logits:
    threads = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        return case.ask(select_episodes(case.batch, slice(number, number + 1)))
    finally:
        torch.set_num_threads(threads)
