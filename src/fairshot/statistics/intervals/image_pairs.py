"""What pairs of images do to the mean together: the part that a jackknife over single images counts twice.

Three kinds of pairs: a query with a support image, two support images of different classes, two of the same class. Each
is the squared norm of a table of sums over episodes, with what single images do taken out of its rows and columns,
minus the sum of the episodes' own squares.
"""

import numpy as np
from jaxtyping import Float
from scipy import sparse

from fairshot.statistics.answers import Answers
from fairshot.statistics.intervals.expectation import centred_queries

SPARSE_SHARE = 0.005  # of all products: with more of them, a plain product of full tables is faster


def pair_variance(answers: Answers, most: int) -> float:
    """The variance of the mean that is due to pairs of images, from the first `most` episodes."""
    answers = answers.first(most)
    return _Pairs(answers).variance() if answers.episodes > 1 else 0.0


class _Pairs:
    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        layout, member = answers.layout, answers.query_member
        self.size = layout.counts[answers.class_row].astype(np.float64)
        correct = centred_queries(answers)
        self.y = (answers.weight / np.maximum(answers.queries, 1))[member] * correct
        part = np.bincount(member, self.y, len(self.size))
        self.rest = np.bincount(answers.episode, part, answers.episodes)
        shape = (answers.episodes, len(layout.image_ids))
        ones = np.ones(len(answers.support_image))
        self.queries = sparse.csr_matrix((self.y, (answers.episode[member], answers.query_image)), shape)
        self.support = sparse.csr_matrix(
            (ones, (answers.episode[answers.support_member], answers.support_image)), shape
        )
        self.query_square = np.bincount(member, self.y**2, len(self.size)) - part**2 / self.size
        self.support_square = answers.shots * (1 - answers.shots / self.size)

    def variance(self) -> float:
        """All three kinds of pairs."""
        episode, count = self.answers.episode, self.answers.episodes
        asked, shown = (np.bincount(episode, each, count) for each in (self.query_square, self.support_square))
        weighted = sparse.diags(self.rest) @ self.support
        total = sum(self._norms(self.queries, self.support)) - (asked * shown).sum()
        alone = np.bincount(episode, self.support_square**2, count)
        total += 0.5 * (self._norms(self.support, weighted)[1] - (self.rest**2 * (shown**2 - alone)).sum())
        if self.answers.shots.max() > 1:
            total += self._same_class(weighted)
        return float(total / count / (count - 1))

    def _norms(self, left: sparse.csr_matrix, right: sparse.csr_matrix) -> tuple[float, float]:
        """Squared norms of left'right, rows and columns centred in every block of two classes, equal and different."""
        owner, counts = self.answers.layout.owner, self.answers.layout.counts
        classes, images = len(counts), len(owner)
        label = sparse.csr_matrix((np.ones(images), (np.arange(images), owner)), (images, classes))
        rows = (left.T @ (right @ label)).toarray()
        columns = ((left @ label).T @ right).toarray()
        blocks = (label.T @ rows) ** 2 / counts[:, None] / counts
        rows, columns = rows**2 / counts, columns**2 / counts[:, None]
        image = np.arange(images)
        own = blocks.trace() - rows[image, owner].sum() - columns[owner, image].sum()
        both = blocks.sum() - rows.sum() - columns.sum()
        inside, outside = self._squares(left, right)
        return float(own + inside), float(both - own + outside)

    def _squares(self, left: sparse.csr_matrix, right: sparse.csr_matrix) -> tuple[float, float]:
        """Sums of squares of left'right inside the blocks of equal classes, and outside."""
        owner = self.answers.layout.owner
        steps = float((np.diff(left.indptr) * np.diff(right.indptr)).sum())
        if steps > SPARSE_SHARE * len(owner) ** 2 * left.shape[0]:
            table = (left.toarray().T @ right.toarray()) ** 2
            starts = np.cumsum(self.answers.layout.counts) - self.answers.layout.counts
            inside = np.add.reduceat(np.add.reduceat(table, starts, axis=0), starts, axis=1).trace()
            return float(inside), float(table.sum() - inside)
        found = (left.T @ right).tocsr()
        same = np.repeat(owner, np.diff(found.indptr)) == owner[found.indices]
        outside, inside = np.bincount(same.astype(np.int8), found.data**2, 2)
        return float(inside), float(outside)

    def _same_class(self, weighted: sparse.csr_matrix) -> float:
        """Two support images of one class: mean and single effects are taken out of the pairs of different images."""
        owner, n = self.answers.layout.owner, self.answers.layout.counts.astype(np.float64)
        table = (self.support.T @ weighted).tocoo()
        inside = (owner[table.row] == owner[table.col]) & (table.row != table.col)
        row = np.bincount(table.row[inside], table.data[inside], len(owner))
        mean = np.bincount(owner, row, len(n)) / (n * (n - 1))
        single = (row - ((n - 1) * mean)[owner]) / (n[owner] - 2)
        square = 0.5 * (table.data[inside] ** 2).sum()
        square -= (n * (n - 1) / 2 * mean**2).sum() + ((n - 2)[owner] * single**2).sum()
        return float(square - (self.rest[self.answers.episode] ** 2 * self._same_class_squares()).sum())

    def _same_class_squares(self) -> Float[np.ndarray, " member"]:
        """The same for one episode that shows S of the n images of a class."""
        n, shots = self.size, self.answers.shots
        mean = shots * (shots - 1) / (n * (n - 1))
        shown, hidden = (shots - 1 - (n - 1) * mean) / (n - 2), -(n - 1) * mean / (n - 2)
        singles = shots * shown**2 + (n - shots) * hidden**2
        return shots * (shots - 1) / 2 - n * (n - 1) / 2 * mean**2 - (n - 2) * singles
