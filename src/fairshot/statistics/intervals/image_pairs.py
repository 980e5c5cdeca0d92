"""What pairs of images do to the mean together: the part that a jackknife over single images counts twice.

Three kinds of pairs: a query with a support image, two support images of different classes, two of the same class. Each
is the squared norm of a table of sums over episodes, with what single images do taken out of its rows and columns,
minus the sum of the episodes' own squares. Equations (D16) to (D18) of docs/derivation.md.
"""

import numpy as np
from jaxtyping import Float
from scipy import sparse

from fairshot.statistics.answers import Answers
from fairshot.statistics.intervals.expectation import centred_queries

SPARSE_SHARE = 0.005  # of all products: with more of them, a plain product of full tables is faster

PerMember = Float[np.ndarray, " member"]


def pair_variance(answers: Answers, most: int) -> float:
    """The variance of the mean that is due to pairs of images, from the first `most` episodes (D17)."""
    answers = answers.first(most)
    return _Pairs(answers).variance() if answers.episodes > 1 else 0.0


class _Pairs:
    """The tables of (D16), whose rows are episodes and whose columns are images."""

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        layout, member = answers.layout, answers.query_member
        self.class_size = layout.counts[answers.class_row].astype(np.float64)
        share = answers.weight / np.maximum(answers.queries, 1)
        query_parts = share[member] * centred_queries(answers)
        member_parts = np.bincount(member, query_parts, len(self.class_size))
        self.centred_scores = np.bincount(answers.episode, member_parts, answers.episodes)
        shape = (answers.episodes, len(layout.image_ids))
        support_place = (answers.episode[answers.support_member], answers.support_image)
        self.queries = sparse.csr_matrix((query_parts, (answers.episode[member], answers.query_image)), shape)
        self.support = sparse.csr_matrix((np.ones(len(answers.support_image)), support_place), shape)
        # The squared lengths of one episode's rows within a class, its mean taken out: q and s of (D17).
        squares = np.bincount(member, query_parts**2, len(self.class_size))
        self.query_squares = squares - member_parts**2 / self.class_size
        self.support_squares = answers.shots * (1 - answers.shots / self.class_size)

    def variance(self) -> float:
        """All three kinds of pairs (D17)."""
        episode, episodes = self.answers.episode, self.answers.episodes
        query_squares = np.bincount(episode, self.query_squares, episodes)
        support_squares = np.bincount(episode, self.support_squares, episodes)
        same_class = np.bincount(episode, self.support_squares**2, episodes)
        weighted_support = sparse.diags(self.centred_scores) @ self.support
        total = sum(self._norms(self.queries, self.support)) - (query_squares * support_squares).sum()
        different = self._norms(self.support, weighted_support)[1]
        total += 0.5 * (different - (self.centred_scores**2 * (support_squares**2 - same_class)).sum())
        if self.answers.shots.max() > 1:
            total += self._same_class(weighted_support)
        return float(total / episodes / (episodes - 1))

    def _norms(self, left: sparse.csr_matrix, right: sparse.csr_matrix) -> tuple[float, float]:
        """Squared norms of left'right, rows and columns centred in every block of two classes, equal and different.

        The norm of a centred block is the sum of its squares less those of its row means and column means, plus that of
        its mean, so that the centred table is never made.
        """
        owner, counts = self.answers.layout.owner, self.answers.layout.counts
        image = np.arange(len(owner))
        label = sparse.csr_matrix((np.ones(len(owner)), (image, owner)), (len(owner), len(counts)))
        turned = left.T.tocsr()
        row_sums = (turned @ (right @ label)).toarray()
        column_sums = ((left @ label).T @ right).toarray()
        blocks = np.add.reduceat(row_sums, np.cumsum(counts) - counts, axis=0) ** 2 / counts[:, None] / counts
        rows = (np.einsum("ij,ij->j", row_sums, row_sums) / counts).sum()
        columns = (np.einsum("ij,ij->i", column_sums, column_sums) / counts).sum()
        own_rows, own_columns = row_sums[image, owner] ** 2, column_sums[owner, image] ** 2
        equal = blocks.trace() - ((own_rows + own_columns) / counts[owner]).sum()
        every = blocks.sum() - rows - columns
        inside, outside = self._squares(left, right, turned)
        return float(equal + inside), float(every - equal + outside)

    def _squares(
        self, left: sparse.csr_matrix, right: sparse.csr_matrix, turned: sparse.csr_matrix
    ) -> tuple[float, float]:
        """Sums of squares of left'right inside the blocks of equal classes, and outside; `turned` is left'."""
        owner = self.answers.layout.owner
        products = float((np.diff(left.indptr) * np.diff(right.indptr)).sum())
        if products > SPARSE_SHARE * len(owner) ** 2 * left.shape[0]:
            full = (left.toarray().T @ right.toarray()) ** 2
            starts = np.cumsum(self.answers.layout.counts) - self.answers.layout.counts
            inside = np.add.reduceat(np.add.reduceat(full, starts, axis=0), starts, axis=1).trace()
            return float(inside), float(full.sum() - inside)
        table = turned @ right
        same = np.repeat(owner, np.diff(table.indptr)) == owner[table.indices]
        outside, inside = np.bincount(same.astype(np.int8), table.data**2, 2)
        return float(inside), float(outside)

    def _same_class(self, weighted_support: sparse.csr_matrix) -> float:
        """Two support images of one class: mean and single effects are taken out of the pairs of different images."""
        owner, n = self.answers.layout.owner, self.answers.layout.counts.astype(np.float64)
        table = (self.support.T @ weighted_support).tocoo()
        pair = (owner[table.row] == owner[table.col]) & (table.row != table.col)
        row_sums = np.bincount(table.row[pair], table.data[pair], len(owner))
        mean = np.bincount(owner, row_sums, len(n)) / (n * (n - 1))
        single = (row_sums - ((n - 1) * mean)[owner]) / (n[owner] - 2)
        square = 0.5 * (table.data[pair] ** 2).sum()
        square -= (n * (n - 1) / 2 * mean**2).sum() + ((n - 2)[owner] * single**2).sum()
        return float(square - (self.centred_scores[self.answers.episode] ** 2 * self._same_class_squares()).sum())

    def _same_class_squares(self) -> PerMember:
        """The same for one episode that shows S of the n images of a class: z of (D18)."""
        n, shots = self.class_size, self.answers.shots
        mean = shots * (shots - 1) / (n * (n - 1))
        shown, hidden = (shots - 1 - (n - 1) * mean) / (n - 2), -(n - 1) * mean / (n - 2)
        singles = shots * shown**2 + (n - shots) * hidden**2
        return shots * (shots - 1) / 2 - n * (n - 1) / 2 * mean**2 - (n - 2) * singles
