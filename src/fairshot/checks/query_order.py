"""The order of the queries: shuffled, they must get the same answers, since an order can carry the labels."""

from dataclasses import replace

from fairshot.checks.answer_changes import compare_answers
from fairshot.checks.check import Case, LearnerCheck, reorder, shuffle_places
from fairshot.checks.finding import Outcome


class QueryOrder(LearnerCheck):
    """Shuffles the queries of every episode."""

    def look(self, case: Case) -> tuple[Outcome, str]:
        """Compares each query's answer with the one it got before."""
        batch = case.batch
        order = shuffle_places(case.stream("query order"), batch.query_mask.sum(1), batch.query.shape[1])
        shuffled = replace(batch, query=reorder(batch.query, order), query_mask=reorder(batch.query_mask, order))
        answers = case.ask(shuffled)
        change = compare_answers(reorder(case.logits, order), answers, shuffled.query_mask)
        return change.outcome("when the queries are shuffled")
