"""Ranks as tables: the places that methods may have, groups that cannot be distinguished, a matrix of claims."""

from fairshot.evaluation.ranks import RankList, Ranks
from fairshot.results.population_headings import POPULATIONS
from fairshot.statistics.estimate import LEVEL
from fairshot.tables.table import Cell, Column, Quantity, Table
from fairshot.tables.words import at_level, listed, plain

WIDEST_MATRIX = 12  # methods whose matrix fits a terminal
MOST_NAMED = 6


def summary(ranks: Ranks) -> str:
    """Who may be first on each task."""
    several = len(ranks.lists) > 1
    return "\n".join(f"{one.task}: {_sentence(one)}" if several else _sentence(one) for one in ranks.lists)


def _sentence(ranked: RankList) -> str:
    about = POPULATIONS[ranked.population].heading
    best = [place.method for place in ranked.places if place.low == 1]
    if len(best) == 1:
        return f"{best[0]} is first, also for {about}, with {at_level(LEVEL)} certainty for all places at once."
    named = best if len(best) <= MOST_NAMED else [*best[:MOST_NAMED], f"{len(best) - MOST_NAMED} more"]
    return f"Any of {len(best)} may be first for {about}: {listed(named)}."


def tables(ranks: Ranks) -> list[Table]:
    """A table of places for each task, followed by the matrix where it fits."""
    shown = []
    for one in ranks.lists:
        shown.append(_places(one, _mean_places(ranks) if one.unit == "data sets" else {}))
        if 2 < len(one.places) <= WIDEST_MATRIX:
            shown.append(_matrix(one))
    notes = [*_legend(ranks), *_over_data_sets(ranks), *ranks.notes]
    return [*shown[:-1], shown[-1].model_copy(update={"notes": notes})]


def _legend(ranks: Ranks) -> list[str]:
    """What the numbers and signs mean, once for all tables."""
    abouts = [POPULATIONS[name] for name in dict.fromkeys(one.population for one in ranks.lists)]
    lines = [
        f"Places hold for {'; '.join(f'{about.heading} ({about.about})' for about in abouts)}, all at once with "
        f"{at_level(LEVEL)} probability: in brackets the best and the worst that a method may have. Methods that share "
        "a letter cannot be distinguished (Holm over all pairs). first: the probability to be truly the best, if "
        "nothing else is known."
    ]
    if any(2 < len(one.places) <= WIDEST_MATRIX for one in ranks.lists):
        lines.append("> the row is surely better than the column, < surely worse, . they cannot be distinguished.")
    return lines


def _mean_places(ranks: Ranks) -> dict[str, float]:
    if ranks.mean_ranks is None:
        return {}
    return dict(zip(ranks.methods, ranks.mean_ranks.means.tolist(), strict=True))


def _places(ranked: RankList, means: dict[str, float]) -> Table:
    about = POPULATIONS[ranked.population]
    rows: list[list[Cell]] = [
        [
            place.method,
            Quantity(value=place.place, unit="count", low=place.low, high=place.high, population=ranked.population),
            place.groups,
            None if place.first is None else Quantity(value=place.first, unit="share", digits=0),
            Quantity(value=place.behind, unit="points", digits=2, signed=False),
            *([Quantity(value=means.get(place.method))] if means else []),
        ]
        for place in ranked.places
    ]
    names = ["place", "groups", "first", "behind the best", *(["mean place"] if means else [])]
    columns = [Column(name="method", code=True), *(Column(name=name) for name in names)]
    return Table(title=f"{ranked.task}: places for {about.heading}", columns=columns, rows=rows)


def _matrix(ranked: RankList) -> Table:
    """For every two methods who is surely better."""
    names = [place.method for place in ranked.places]
    better = set(ranked.better)
    signs = {True: ">", False: "<"}
    rows: list[list[Cell]] = [
        [
            f"{number} {name}",
            *(signs[(name, other) in better] if {(name, other), (other, name)} & better else "." for other in names),
        ]
        for number, name in enumerate(names, 1)
    ]
    columns = [Column(name="row and column", code=True), *(Column(name=str(at)) for at in range(1, len(names) + 1))]
    return Table(title=f"{ranked.task}: who is better than whom", columns=columns, rows=rows)


def _over_data_sets(ranks: Ranks) -> list[str]:
    found = ranks.mean_ranks
    if found is None:
        return []
    return [
        f"Mean places over data sets: Friedman's test p = {plain(found.p_value, 3)}; after Nemenyi, mean places "
        f"further apart than {plain(found.critical, 2)} differ for other data sets (Demsar, 2006)."
    ]
