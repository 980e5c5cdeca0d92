"""The equations of docs/derivation.md once more, with dictionaries and plain loops: slow, and easy to compare with the page."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from math import comb, exp, log, sqrt
from statistics import fmean as mean
from statistics import median, variance

from scipy import stats

from fairshot.statistics.answers import Answers

Effects = dict[int, list[float]]
"""For each unit, one number for each episode."""


@dataclass
class Membership:
    """One class in one episode."""

    support: list[int] = field(default_factory=list)
    queries: dict[int, float] = field(default_factory=dict)
    """The correctness of each query image."""


@dataclass
class World:
    """Everything that the equations speak about."""

    episodes: list[dict[int, Membership]]
    images: dict[int, list[int]]
    """The images of each class."""
    parent: dict[int, int]
    unit: dict[int, int]
    group: dict[int, int]
    whole: list[float] | None = None
    """Scores of episodes that can only be taken as a whole."""

    @property
    def scores(self) -> list[float]:
        return [score(episode) for episode in self.episodes] if self.whole is None else self.whole


@dataclass
class Result:
    """What a spread holds."""

    value: float
    variance: float
    sampling: float
    noise: float
    unit_degrees: float
    episodes: int


def world_of(answers: Answers) -> World:
    """The same answers, as dictionaries."""
    layout = answers.layout
    episodes: list[dict[int, Membership]] = [{} for _ in range(answers.episodes)]
    members = []
    for t, c in zip(answers.episode.tolist(), answers.class_row.tolist(), strict=True):
        episodes[t][c] = Membership()
        members.append(episodes[t][c])
    for row, image in zip(answers.support_member.tolist(), answers.support_image.tolist(), strict=True):
        members[row].support.append(image)
    rows = zip(answers.query_member.tolist(), answers.query_image.tolist(), answers.correct.tolist(), strict=True)
    for row, image, correct in rows:
        members[row].queries[image] = correct
    images: dict[int, list[int]] = {c: [] for c in range(len(layout.counts))}
    for image, c in enumerate(layout.owner.tolist()):
        images[c].append(image)
    parents, units = (dict(enumerate(table.tolist())) for table in (layout.parents, layout.units))
    groups = dict(enumerate(layout.groups.tolist()))
    whole = None if answers.values is None else answers.values.tolist()
    return World(episodes, images, parents, units, groups, whole)


def share(episode: dict[int, Membership], c: int) -> float:
    """w of (D1)."""
    return len(episode[c].queries) / sum(len(member.queries) for member in episode.values())


def score(episode: dict[int, Membership]) -> float:
    """s of (D1)."""
    return sum(share(episode, c) * mean(m.queries.values()) for c, m in episode.items() if m.queries)


def finish(
    world: World, psi: Effects, strata: list[list[int]], *, own: Effects | None = None, many: bool, least: int = 1
) -> Result:
    """(D2), (D5) to (D10): `own` are the terms of the episodes that a unit is in, where M is rescaled from them.

    A stratum counts as one of at least `least` units.
    """
    T = len(world.episodes)
    parts, noise, single = [], 0.0, 0.0
    for units in strata:
        F = len(units)
        kappa = (max(F, least) - 1) / max(F, least) / T**2
        D = {u: sum(psi[u]) for u in units}
        G = sum(p**2 for u in units for p in psi[u])
        terms = {u: psi[u] if own is None else own[u] for u in units}
        factor = G / max(sum(p**2 for u in units for p in terms[u]), 1e-300)  # (D7)
        M = {u: factor * sum(p**2 for p in terms[u]) for u in units}
        N = {u: factor**2 * sum(p**4 for p in terms[u]) for u in units}
        parts.append((kappa * (sum(d**2 for d in D.values()) - G), F))
        for u in units:
            if many:  # (D8)
                noise += 2 * kappa**2 * max(M[u] ** 2 - N[u], 0)
                single += kappa**2 * (D[u] ** 2 - M[u]) * M[u]
            else:  # (D9)
                noise += kappa**2 * (2 * M[u] ** 2 + 4 * max(D[u] ** 2 - M[u], 0) * M[u])
    positive = [(max(part, 0.0), F) for part, F in parts]
    doubt = sum(part**2 / max(F - 1, 1) for part, F in positive)
    f = max(sum(part for part, _ in positive) ** 2 / doubt, 1.0) if doubt else 1.0  # (D10)
    V = T / (T - 1) * sum(part for part, _ in parts)
    return Result(mean(world.scores), V, variance(world.scores) / T, sqrt(noise + 4 * max(single, 0.0)), f, T)


def levels(world: World) -> list[float]:
    """mu of (D11)."""
    ways, scores = [len(episode) for episode in world.episodes], world.scores
    return [mean(s for s, other in zip(scores, ways, strict=True) if other == way) for way in ways]


def query_parts(world: World) -> list[dict[int, float]]:
    """h of (D12), by episode and query image."""
    mu = levels(world)
    p, root = {}, {}
    for c in world.images:
        rows = [t for t, episode in enumerate(world.episodes) if c in episode and episode[c].queries]
        p[c] = mean(mean(world.episodes[t][c].queries.values()) - mu[t] for t in rows) if rows else 0.0
        root[c] = sqrt(len(rows) / max(len(rows) - 1, 1))
    parts = []
    for t, episode in enumerate(world.episodes):
        parts.append({})
        for c, member in episode.items():
            for image, y in member.queries.items():
                z = (y - mu[t] - p[c]) * root[c]
                parts[-1][image] = share(episode, c) * z / len(member.queries)
    return parts


def whole_parts(world: World) -> list[float]:
    """r of (D20)."""
    T, C = len(world.episodes), len(world.images)
    rest = [s - mu for s, mu in zip(world.scores, levels(world), strict=True)]
    if T < 5 * C:
        return [r * sqrt(T / (T - 1)) for r in rest]
    u = {}
    for c in world.images:
        rows = [rest[t] for t, episode in enumerate(world.episodes) if c in episode]
        u[c] = mean(rows) if rows else 0.0
    return [(r - sum(u[c] for c in e)) * sqrt(T / (T - C)) for r, e in zip(rest, world.episodes, strict=True)]


def image_weights(world: World) -> list[dict[int, tuple[float, dict[int, float]]]]:
    """x and y of (D14), or of (D21), by episode and class."""
    h = query_parts(world) if world.whole is None else []
    r = [sum(parts.values()) for parts in h] if world.whole is None else whole_parts(world)
    weights = []
    for t, episode in enumerate(world.episodes):
        weights.append({})
        for c, member in episode.items():
            n, S, Q = len(world.images[c]), len(member.support), len(member.queries)
            if world.whole is not None:
                x = n / (n - S - Q) * r[t]
                weights[-1][c] = x, dict.fromkeys(member.queries, x)
                continue
            h_class = sum(h[t][image] for image in member.queries)
            x = n / (n - S) * (r[t] - h_class) + n / (n - S - 1) * h_class
            weights[-1][c] = x, {image: n / (n - S - 1) * h[t][image] for image in member.queries}
    return weights


def over_images(world: World, *, pairs: bool = True) -> Result:
    """(D14) or (D21), (D15), and (D19) if `pairs`."""
    psi: Effects = {i: [] for images in world.images.values() for i in images}
    own: Effects = {i: [] for i in psi}
    for episode, weights in zip(world.episodes, image_weights(world), strict=True):
        for c, images in world.images.items():
            if c not in episode:
                continue
            x, y = weights[c]
            k = (len(episode[c].support) * x + sum(y.values())) / len(images)
            for i in images:
                term = x * (i in episode[c].support) + y.get(i, 0.0)
                psi[i].append(term - k)
                if i in episode[c].support or i in y:
                    own[i].append(term)
    result = finish(world, psi, list(world.images.values()), own=own, many=True)
    if pairs and world.whole is None:
        result.variance -= min(max(image_pairs(world), 0.0), 0.5 * max(result.variance, 0.0))  # (D19)
    return result


def centred_norm(table: dict[tuple[int, int], float], rows: list[int], columns: list[int]) -> float:
    """The squared norm of a block without the means of its rows and columns."""
    of_row = {i: mean(table.get((i, j), 0.0) for j in columns) for i in rows}
    of_column = {j: mean(table.get((i, j), 0.0) for i in rows) for j in columns}
    all_in_all = mean(of_row.values())
    return sum((table.get((i, j), 0.0) - of_row[i] - of_column[j] + all_in_all) ** 2 for i in rows for j in columns)


def left_of_fit(table: dict[tuple[int, int], float], images: list[int]) -> float:
    """left(R) of (D18)."""
    n = len(images)
    R = {(i, j): table.get((i, j), 0.0) for i in images for j in images if i != j}
    a = sum(R.values()) / (n * (n - 1))
    b = [(sum(R[i, j] for j in images if j != i) - (n - 1) * a) / (n - 2) for i in images]
    return sum(v**2 for v in R.values()) / 2 - n * (n - 1) / 2 * a**2 - (n - 2) * sum(v**2 for v in b)


def image_pairs(world: World) -> float:
    """V_2 of (D17), from the tables of (D16)."""
    T, h = len(world.episodes), query_parts(world)
    H: dict[tuple[int, int], float] = {}
    R: dict[tuple[int, int], float] = {}
    subtract, subtract_R, P = 0.0, 0.0, 0.0
    for t, episode in enumerate(world.episodes):
        r, support = sum(h[t].values()), [j for member in episode.values() for j in member.support]
        for j in support:
            for i, part in h[t].items():
                H[i, j] = H.get((i, j), 0.0) + part
            for i in support:
                R[i, j] = R.get((i, j), 0.0) + r
        q, s = [], []
        for c, member in episode.items():
            n, S, parts = len(world.images[c]), len(member.support), [h[t][i] for i in member.queries]
            q.append(sum(p**2 for p in parts) - sum(parts) ** 2 / n)
            s.append(S * (1 - S / n))
            together = {(i, j): 1.0 for i in member.support for j in member.support}
            P -= r**2 * left_of_fit(together, world.images[c])
        subtract += sum(q) * sum(s)
        subtract_R += r**2 * (sum(s) ** 2 - sum(v**2 for v in s))
    blocks = [(c, d) for c in world.images for d in world.images]
    norm = sum(centred_norm(H, world.images[c], world.images[d]) for c, d in blocks)
    norm_R = sum(centred_norm(R, world.images[c], world.images[d]) for c, d in blocks if c != d)
    P += sum(left_of_fit(R, images) for images in world.images.values())  # (D18)
    return (norm - subtract + P + (norm_R - subtract_R) / 2) / (T * (T - 1))


def over_groups(world: World) -> Result:
    """(D22) to (D24)."""
    classes: dict[int, set[int]] = {}
    for c, images in world.images.items():
        for image in images:
            classes.setdefault(world.group[image], set()).add(c)
    psi = {g: group_effects(world, g, home) for g, home in classes.items()}
    strata: dict[object, list[int]] = {}
    for g, home in classes.items():
        strata.setdefault(next(iter(home)) if len(home) == 1 else "several", []).append(g)
    return finish(world, psi, list(strata.values()), many=True, least=2)


def group_effects(world: World, g: int, home: set[int]) -> list[float]:
    """psi of one group, over all episodes."""
    rows = []  # of each episode with a class of g: whether g is in it, and (near, touched, h) of each query
    parts = query_parts(world) if world.whole is None else [dict.fromkeys((), 0.0)] * len(world.episodes)
    relevant = [t for t, episode in enumerate(world.episodes) if home & episode.keys()]
    for t in relevant:
        episode = world.episodes[t]
        shown = any(world.group[i] == g for member in episode.values() for i in member.support)
        inside = shown or any(world.group[i] == g for member in episode.values() for i in member.queries)
        queries = []
        for c, member in episode.items():
            for i in member.queries:
                touched = shown or (c in home and world.group[i] == g)
                queries.append((c in home, touched, parts[t].get(i, 0.0)))
        rows.append((inside, queries))
    if world.whole is not None:  # (D24)
        r, rho = whole_parts(world), mean(float(inside) for inside, _ in rows)
        return [(inside - rho) / (1 - rho) * r[t] for t, (inside, _) in zip(relevant, rows, strict=True)]
    rho = {}  # (D22)
    for kind in (True, False):
        touched_queries = [float(touched) for _, queries in rows for near, touched, _ in queries if near == kind]
        rho[kind] = mean(touched_queries) if touched_queries else 0.0
    return [
        sum((touched - rho[near]) / (1 - rho[near]) * h for near, touched, h in queries) for _, queries in rows
    ]  # (D23)


def left_out_weight(N: int, W: int, m: int, n: int, *, straight: bool = False) -> float:
    """w of (D26), from the chances that an episode draws so many classes of the unit; `straight` with b_2 = 0."""
    chances = {k: comb(m, k) * comb(N - m, W - k) / comb(N, W) for k in range(max(0, W + m - N), min(W, m) + 1)}

    def expected(of: Callable[[int], float]) -> float:
        return sum(chance * of(k) for k, chance in chances.items())

    e1, e2 = expected(float), expected(lambda k: comb(k, 2))
    v11, v22 = expected(lambda k: (k - e1) ** 2), expected(lambda k: (comb(k, 2) - e2) ** 2)
    v12 = expected(lambda k: (k - e1) * (comb(k, 2) - e2))
    if straight or len(chances) < 3:  # a straight line goes through both
        return -e1 / v11 * (n - e1)
    b1, b2 = (v12 * e2 - v22 * e1) / (v11 * v22 - v12**2), (v12 * e1 - v11 * e2) / (v11 * v22 - v12**2)
    return b1 * (n - e1) + b2 * (comb(n, 2) - e2)


def over_units(world: World, pool: dict[int, int], unit: dict[int, tuple[int, int]]) -> Result:
    """By a parabola, or by a straight line where that is too noisy; `unit` names the unit of each class."""
    result = over_units_by(world, pool, unit, straight=False)
    several = len(set(unit.values())) < len(unit)
    if several and result.noise > 0.5 * (max(result.variance, 0.0) + result.sampling):
        return over_units_by(world, pool, unit, straight=True)
    return result


def over_units_by(world: World, pool: dict[int, int], unit: dict[int, tuple[int, int]], *, straight: bool) -> Result:
    """(D25) to (D28)."""
    T, ways = len(world.episodes), [len(episode) for episode in world.episodes]
    homes = [pool[next(iter(episode))] for episode in world.episodes]
    size = {p: sum(q == p for q in pool.values()) for p in pool.values()}
    usable = [way <= 0.8 * size[p] for way, p in zip(ways, homes, strict=True)]
    if len(set(ways)) == 1 and not any(usable):
        usable = [way < size[p] for way, p in zip(ways, homes, strict=True)]
    names = sorted(set(unit.values()))
    m = {u: sum(v == u for v in unit.values()) for u in names}
    psi: Effects = {u: [] for u in range(len(names))}
    own: Effects = {u: [] for u in psi}
    for t, episode in enumerate(world.episodes):
        same = [s for s, w, p in zip(world.scores, ways, homes, strict=True) if (w, p) == (ways[t], homes[t])]
        N, W = size[homes[t]], ways[t]
        centred = (world.scores[t] - mean(same)) * sqrt(len(same) / max(len(same) - 1, 1))
        x = centred / (sum(usable) / T) if usable[t] else 0.0  # (D25)
        met = {u: sum(unit[c] == name for c in episode) for u, name in enumerate(names) if name[0] == homes[t]}
        weight = partial(left_out_weight, N, W, straight=straight)
        w = {u: weight(m[names[u]], n) if usable[t] else 0.0 for u, n in met.items()}
        for u, n in met.items():
            psi[u].append(x * (w[u] - mean(w.values())))  # (D26)
            own[u].append(x * (w[u] - weight(m[names[u]], 0)) if usable[t] and n else 0.0)  # (D28)
    strata = [[u for u, name in enumerate(names) if name[0] == p] for p in sorted(size)]
    return finish(world, psi, strata, own=own, many=False)


def over_classes(world: World) -> Result:
    """Units of classes, within parents if every episode is of one of several."""
    within = len(set(world.parent.values())) > 1 and all(len({world.parent[c] for c in e}) == 1 for e in world.episodes)
    pool = {c: world.parent[c] if within else 0 for c in world.images}
    result = over_units(world, pool, {c: (pool[c], world.unit[c]) for c in world.images})
    N, ways = len(world.images), {len(episode) for episode in world.episodes}
    one_by_one = not within and len(set(world.unit.values())) == N and len(ways) == 1
    if one_by_one and 2 <= max(ways) <= min(N - 4, N / 2):
        result.variance -= min(max(class_pairs(world)[1], 0.0), max(result.variance, 0.0) / 8)  # (D52)
    return result


def over_parents(world: World) -> Result:
    """(D30), or (D25) to (D28) where episodes mix parents."""
    homes = [{world.parent[c] for c in episode} for episode in world.episodes]
    if any(len(home) > 1 for home in homes):
        return over_units(world, dict.fromkeys(world.images, 0), {c: (0, world.parent[c]) for c in world.images})
    parents = sorted(set.union(*homes))
    K, m = len(parents), mean(world.scores)
    psi: Effects = {p: [] for p in parents}
    own: Effects = {p: [] for p in parents}
    for s, home in zip(world.scores, homes, strict=True):
        x = K / (K - 1) * (s - m)
        for p in parents:
            psi[p].append(x * ((p in home) - 1 / K))
            own[p] += [x * sqrt(1 - 1 / K)] if p in home else []
    result = finish(world, psi, [parents], own=own, many=False)
    result.unit_degrees = K - 1.0
    return result


def drawn_unevenly(world: World) -> bool:
    """(D29), with all classes in one pool."""
    excess, counted = 0.0, 0
    for c in world.images:
        shares = [len(episode) / len(world.images) for episode in world.episodes]
        v, times = sum(p * (1 - p) for p in shares), sum(c in episode for episode in world.episodes)
        if v > 0:
            excess, counted = excess + (times - sum(shares)) ** 2 / v - 1, counted + 1
    return excess > 8 * sqrt(2 * max(counted, 1))


def noise_of_runs(scores: list[list[float]]) -> float:
    """e^2 of (D32)."""
    R, T = len(scores), len(scores[0])
    of_run, of_episode = [mean(run) for run in scores], [mean(run[t] for run in scores) for t in range(T)]
    residuals = [scores[r][t] - of_run[r] - of_episode[t] + mean(of_run) for r in range(R) for t in range(T)]
    return sum(e**2 for e in residuals) / ((R - 1) * (T - 1))


def over_runs(scores: list[list[float]]) -> Result:
    """(D31)."""
    R, T = len(scores), len(scores[0])
    means, mean_run = [mean(run) for run in scores], [mean(run[t] for run in scores) for t in range(T)]
    shared = max(variance(mean_run) - noise_of_runs(scores) / R, 0.0)
    return Result(mean(means), variance(means) / R, shared / T, 0.0, R - 1.0, T)


def over_runs_of_both(one: list[list[float]], other: list[list[float]]) -> Result:
    """(D33)."""
    T, first, second = len(one[0]), over_runs(one), over_runs(other)
    d = [mean(run[t] for run in one) - mean(run[t] for run in other) for t in range(T)]
    V = first.variance + second.variance
    shared = max(variance(d) - noise_of_runs(one) / len(one) - noise_of_runs(other) / len(other), 0.0)
    f = V**2 / (first.variance**2 / first.unit_degrees + second.variance**2 / second.unit_degrees)
    return Result(mean(d), V, shared / T, 0.0, f, T)


def combined(worlds: list[World], weights: list[float]) -> World:
    """A weighted sum of what several runs answered."""
    episodes = []
    for same in zip(*(world.episodes for world in worlds), strict=True):
        episodes.append({})
        for c, member in same[0].items():
            queries = {i: sum(w * e[c].queries[i] for w, e in zip(weights, same, strict=True)) for i in member.queries}
            episodes[-1][c] = Membership(member.support, queries)
    return World(episodes, worlds[0].images, worlds[0].parent, worlds[0].unit, worlds[0].group)


def over_runs_and_classes(worlds: list[World]) -> Result:
    """(D34) and (D35)."""
    R = len(worlds)
    classes = over_classes(combined(worlds, [1 / R] * R))
    runs = over_runs([world.scores for world in worlds])
    departures = [over_classes(combined(worlds, [(r == q) - 1 / R for q in range(R)])).variance for r in range(R)]
    B = mean(departures) / (R - 1)
    parts = max(classes.variance, 0.0), runs.variance
    V = max(sum(parts) - max(B, 0.0), *parts)
    f = V**2 / (parts[0] ** 2 / classes.unit_degrees + parts[1] ** 2 / runs.unit_degrees)
    return Result(classes.value, V, runs.sampling, classes.noise, f, classes.episodes)


def degrees(result: Result) -> tuple[float, float]:
    """df of (D37), and the fewest there may be."""
    total, V = max(result.variance, 0.0) + result.sampling, max(result.variance, 0.0)  # (D36)
    least = max(1.0, min(5.0, result.unit_degrees, result.episodes - 1))
    doubt = result.noise**2 + 2 * V**2 / result.unit_degrees + 2 * result.sampling**2 / (result.episodes - 1)
    return max(2 * total**2 / doubt, least), least


def unseen_share(F: int) -> float:
    """p of (D42)."""
    return (1 - 0.07 ** (1 / F)) * min(1.0, max(120 - F, 0) / 60)


def interval(result: Result, level: float, *, difference: bool, worst: float | None, F: int) -> tuple[float, float]:
    """(D38), or (D39) with (D40) and (D43)."""
    m, sd = result.value, sqrt(max(result.variance, 0.0) + result.sampling)
    df, least = degrees(result)
    if difference:
        half = stats.t.ppf((1 + level) / 2, df) * sd
        return m - half, m + half
    fewer = max(min(df, 4 * m * (1 - m) * result.unit_degrees), least)
    below = above = stats.t.ppf((1 + level) / 2, fewer)
    scale = sd / (m * (1 - m))
    if worst is not None and F:
        moved = m + unseen_share(F) * (worst - m)
        reach = abs(log(m / (1 - m)) - log(moved / (1 - moved))) / scale
        if reach > below:
            other = stats.t.ppf(1 - (1 - level - stats.t.sf(reach, df)), df)
            below, above = (reach, other) if worst < m else (other, reach)
    ends = log(m / (1 - m)) - below * scale, log(m / (1 - m)) + above * scale
    return 1 / (1 + exp(-ends[0])), 1 / (1 + exp(-ends[1]))


def needed_episodes(result: Result) -> int:
    """T' of (D41)."""
    k = 0
    while True:
        a = 2 ** (-k / 2)
        if result.noise * a**0.75 <= 0.25 * (max(result.variance, result.noise) + a * result.sampling):
            return int(result.episodes / a)
        k += 1


def usual_half(scores: list[float], level: float) -> float:
    """(D3)."""
    T = len(scores)
    return stats.t.ppf((1 + level) / 2, T - 1) * sqrt(variance(scores) / T)


def sequence_half(scores: list[float], level: float) -> float:
    """(D44)."""
    T, b = len(scores), -2 * log(1 - level)
    rho2 = (b + log(b) + 1) / 1000
    return sqrt(variance(scores)) * sqrt(2 * (T * rho2 + 1) / (T**2 * rho2) * log(sqrt(T * rho2 + 1) / (1 - level)))


def inflation(scores: list[float], level: float) -> float:
    """The factor of (D45)."""
    return (sequence_half(scores, level) / usual_half(scores, level)) ** 2


def next_look(scores: list[float], wanted: float) -> int:
    """(D46)."""
    growth = min(max((sequence_half(scores, 0.95) / wanted) ** 2, 1.25), 4)
    return -int(-len(scores) * growth // 64) * 64


def p_value(result: Result) -> float:
    """(D47)."""
    total = max(result.variance, 0.0) + result.sampling
    return 2 * stats.t.sf(abs(result.value) / sqrt(total), degrees(result)[0])


def detectable(result: Result, level: float) -> tuple[float, float]:
    """Both numbers of (D48)."""
    df, total = degrees(result)[0], max(result.variance, 0.0) + result.sampling
    quantiles = stats.t.ppf((1 + level) / 2, df) + stats.t.ppf(0.8, df)
    return quantiles * sqrt(total), (quantiles * sqrt(max(result.variance, 0.0)) / result.value) ** 2


def ratio_world(top: World, bottom: World) -> World:
    """(D49)."""
    m = mean(bottom.scores)
    q = mean(top.scores) / m
    world = combined([top, bottom], [1 / m, -q / m])
    for episode in world.episodes:
        for member in episode.values():
            member.queries = {i: q + y for i, y in member.queries.items()}
    return world


def class_pairs(world: World) -> tuple[dict[tuple[int, int], float], float, float]:
    """The effects of (D51), V_pairs of (D52) and the noise of (D53)."""
    T, N, W = len(world.episodes), len(world.images), len(world.episodes[0])
    r = [(s - mean(world.scores)) * sqrt(T / (T - 1)) for s in world.scores]
    both = list(combinations(world.images, 2))
    R = {(c, d): sum(r[t] for t, e in enumerate(world.episodes) if c in e and d in e) for c, d in both}
    a = mean(R.values())
    b = {c: (sum(v for pair, v in R.items() if c in pair) - (N - 1) * a) / (N - 2) for c in world.images}
    e = {(c, d): R[c, d] - a - b[c] - b[d] for c, d in both}
    P, K = W * (W - 1) / (N * (N - 1)), (N - W) * (N - W - 1) / ((N - 2) * (N - 3))
    z = W * (W - 1) / 2 - (W * (W - 1) / 2) ** 2 / (N * (N - 1) / 2) - (W - 1) ** 2 * W * (1 - W / N) / (N - 2)
    squares = sum(v**2 for v in r)
    V = (N - 1) / (N - 3) * (sum(v**2 for v in e.values()) - z * squares) / (T * (T - 1) * K**2)
    noise = sqrt(z * squares / (N * (N - 3) / 2)) / (T * P * K)
    return {pair: v / (T * P * K) for pair, v in e.items()}, V, noise


@dataclass
class Between:
    """What a forecast knows: V, v / T, df, N and V_pairs."""

    V: float
    s: float
    df: float
    N: int
    pairs: float

    def at(self, n: float) -> float:
        """(D54)."""
        P = min(max(self.pairs, 0.0), self.V / 4)
        if P == 0 or n <= 1:
            return self.V * self.N / n
        return (self.V - P) * self.N / n + P * self.N * (self.N - 1) / (n * (n - 1))

    def scaled(self, factor: float, more: float = 0.0) -> "Between":
        return Between(factor * self.V, self.s, self.df + more, self.N, factor * self.pairs)


def reach(d: float, known: Between, n: float, tau: float) -> float:
    """(D55)."""
    w = tau**2 * known.V / (tau**2 * known.V + known.V + known.s)
    return -w * abs(d) / sqrt(w * (known.V + known.s) + known.at(n) + known.s)


def forecast(d: float, known: Between, n: float, tau: float) -> tuple[float, float, float, float]:
    """The probability of (D57) with its interval, after (D56); and (D58)."""
    if_true = stats.norm.cdf(-abs(d) / sqrt(known.at(n)))
    total = known.V + known.s
    updated = total * (known.df + d**2 / (tau**2 * known.V + total)) / (known.df + 1)
    known = known.scaled(max(updated - known.s, known.V / 10) / known.V, more=1.0)
    probability = stats.t.cdf(reach(d, known, n, tau), known.df)
    ends = [
        stats.norm.cdf(reach(d, known.scaled(known.df / stats.chi2.ppf(end, known.df)), n, tau))
        for end in (0.025, 0.975)
    ]
    return probability, min(*ends, probability), max(*ends, probability), if_true


def estimated_prior(differences: list[float], known: list[Between]) -> float:
    """tau of (D59)."""
    squares = [d**2 / (k.V + k.s) for d, k in zip(differences, known, strict=True)]
    return min(max(sqrt(max(median(squares) / 0.4549 - 1, 0.0)), 0.5), 3.0)
