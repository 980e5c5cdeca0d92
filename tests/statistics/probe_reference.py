"""The equations of probes in docs/derivation.md, (D60) to (D74), once more with plain loops."""

from math import sqrt
from statistics import fmean as mean
from statistics import variance

from fairshot.statistics.probe_answers import ProbeAnswers


class Plain:
    """One probe, as lists."""

    def __init__(self, answers: ProbeAnswers) -> None:
        layout = answers.layout
        self.C, self.T, self.k = layout.classes, answers.draws, answers.shot
        self.y = answers.correct.astype(float).tolist()
        self.owner = layout.test_class.tolist()
        self.tests = [[j for j, own in enumerate(self.owner) if own == c] for c in range(self.C)]
        self.macro = answers.metric == "macro accuracy"
        self.support = [[set(images) for images in draw] for draw in answers.support.tolist()]
        pool = layout.pool_class.tolist()
        self.n = [pool.count(c) for c in range(self.C)]
        groups = layout.pool_group.tolist()
        self.units = [
            [
                [i for i, own in enumerate(pool) if own == c and groups[i] == group]
                for group in sorted({groups[i] for i, own in enumerate(pool) if own == c})
            ]
            for c in range(self.C)
        ]
        self.test_groups = layout.test_group.tolist()
        self.B = answers.stolen.tolist()

    def g(self, c: int) -> float:
        return 1 / (self.C * len(self.tests[c])) if self.macro else 1 / len(self.owner)

    def A(self, t: int, c: int) -> float:
        return sum(self.g(c) * self.y[t][j] for j in self.tests[c])

    def a(self, t: int) -> float:
        """(D60)."""
        return sum(self.A(t, c) for c in range(self.C))

    @property
    def scores(self) -> list[float]:
        return [self.a(t) for t in range(self.T)]

    def factor(self, c: int, unit: list[int]) -> float:
        return (self.n[c] - 1) * self.n[c] / ((self.n[c] - self.k) * (self.n[c] - len(unit)))

    def pairs(self, d: list[list[float]]) -> tuple[float, float]:
        """The variance and its noise, (D63) and (D64); d by draw and class."""
        T, V, noise = self.T, 0.0, 0.0
        for c in range(self.C):
            centre = mean(d[t][c] for t in range(T))
            x = [(d[t][c] - centre) * sqrt(T / (T - 1)) for t in range(T)]
            F, total = len(self.units[c]), 0.0
            for unit in self.units[c]:
                z = [len(self.support[t][c] & set(unit)) for t in range(T)]
                psi = [self.factor(c, unit) * (z[t] - self.k * len(unit) / self.n[c]) * x[t] for t in range(T)]
                total += sum(psi[t] * psi[s] for t in range(T) for s in range(T) if s != t)
            kappa = (F - 1) / (F * T**2)
            V += T / (T - 1) * kappa * total
            noise += 2 * (kappa * T * variance(d[t][c] for t in range(T))) ** 2 * self.Q(c)
        return V, sqrt(noise)

    def Q(self, c: int) -> float:
        """(D66), as the mean square of the covariances of any two units."""
        n, total = self.n[c], 0.0
        for u in self.units[c]:
            for w in self.units[c]:
                p, q = len(u) / n, len(w) / n
                covariance = self.k * (n - self.k) / (n - 1) * (p * (u is w) - p * q)
                total += (self.factor(c, u) * self.factor(c, w) * covariance) ** 2
        return total

    @property
    def f(self) -> float:
        """(D65)."""
        shares = []
        for c in range(self.C):
            n, sizes = self.n[c], [len(unit) for unit in self.units[c]]
            same = sum(s * (s - 1) for s in sizes) / (n * (n - 1))
            shares.append(sum((s / n) ** 2 for s in sizes) / (1 / self.k + (1 - 1 / self.k) * same))
        return mean(shares)

    def labels(self) -> tuple[float, float, float]:
        """Variance, sampling and noise of (D67)."""
        T, v = self.T, variance(self.scores)
        d = [[self.A(t, c) - self.B[t][c] for c in range(self.C)] for t in range(T)]
        ratio = self.f / (1 - self.f)
        most = ratio * max(v, sum(variance(d[t][c] for t in range(T)) for c in range(self.C)))
        prior = (ratio * v) ** 2 / 12
        split, split_noise = self.pairs(d)
        whole, whole_noise = self.pairs([[self.a(t)] * self.C for t in range(T)])
        w_whole, w_split = prior / (prior + whole_noise**2), prior / (prior + split_noise**2)
        V = w_whole * min(max(whole, 0), most) + (1 - w_whole) * w_split * min(max(split, 0), most)
        sampling = v / T + (1 - w_whole) * (1 - w_split) * ratio * v / 2
        noise = sqrt((w_whole * whole_noise) ** 2 + (1 - w_whole) ** 2 * w_split * split_noise**2)
        return V, sampling, min(noise, 0.5 * (V + sampling))

    def test(self) -> float:
        """(D68)."""
        means = [mean(self.y[t][j] for t in range(self.T)) for j in range(len(self.owner))]
        V = 0.0
        for c in range(self.C):
            centre = mean(means[j] for j in self.tests[c])
            groups = sorted({self.test_groups[j] for j in self.tests[c]})
            h = [
                sum(self.g(c) * (means[j] - centre) for j in self.tests[c] if self.test_groups[j] == group)
                for group in groups
            ]
            V += len(h) / (len(h) - 1) * sum(one**2 for one in h)
        return V

    def together(self) -> float:
        """(D69)."""
        total, T = 0.0, self.T
        for c in range(self.C):
            tests = self.tests[c]
            row = [mean(self.y[t][j] for j in tests) for t in range(T)]
            column = {j: mean(self.y[t][j] for t in range(T)) for j in tests}
            centre = mean(row)
            squares = sum((self.y[t][j] - row[t] - column[j] + centre) ** 2 for t in range(T) for j in tests)
            total += self.g(c) ** 2 * len(tests) * squares / ((T - 1) * (len(tests) - 1))
        return total

    def both(self) -> float:
        """The total of (D70)."""
        V, sampling, _ = self.labels()
        L, test = V + sampling, self.test()
        return max(L + test - self.together() * L / variance(self.scores), L, test)

    def pairs_of_classes(self, S: list[list[float]]) -> float:
        """V_pairs of (D73)."""
        C = self.C
        R = {(c, d): S[c][d] + S[d][c] for c in range(C) for d in range(C) if c != d}
        a = mean(R.values())
        b = [(sum(R[c, d] for d in range(C) if d != c) - (C - 1) * a) / (C - 2) for c in range(C)]
        return (C - 1) / (C - 3) * sum((R[c, d] - a - b[c] - b[d]) ** 2 for c in range(C) for d in range(c))

    def classes(self) -> float:
        """(D71) and (D72)."""
        m = mean(self.scores)
        without = [
            (m - mean(self.A(t, c) for t in range(self.T)) + mean(self.B[t][c] for t in range(self.T)))
            / (1 - self.g(c) * len(self.tests[c]))
            for c in range(self.C)
        ]
        return (self.C - 1) / self.C * sum((one - mean(without)) ** 2 for one in without)

    def one_class(self, c: int) -> float:
        """(D74)."""
        shares = [mean(self.y[t][j] for j in self.tests[c]) for t in range(self.T)]
        means = [mean(self.y[t][j] for t in range(self.T)) for j in self.tests[c]]
        return variance(shares) * (1 / self.T + self.f / (1 - self.f)) + variance(means) / len(means)
