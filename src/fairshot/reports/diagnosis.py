"""A diagnosis in the terminal: a block for each learner and task, every line in plain words."""

import json
from collections.abc import Sequence
from dataclasses import asdict

from rich.console import Console
from rich.table import Table
from rich.text import Text

import fairshot
from fairshot.evaluation.diagnosis import Calibration, Diagnosis
from fairshot.runtime.words import count_of, plain, signed
from fairshot.sources.source import Source
from fairshot.statistics.geometry import Geometry
from fairshot.statistics.per_class import Rate, Rates
from fairshot.statistics.tails import Tails

BAR = 24  # characters of a full bar
SHOWN = 3  # classes and pairs at either end


def render_diagnosis(diagnoses: Sequence[Diagnosis], console: Console | None = None) -> None:
    """Everything that was found out, one learner and task after the other."""
    console = console or Console(emoji=False)
    for number, diagnosis in enumerate(diagnoses):
        if number:
            console.print()
        title = f"{diagnosis.learner}: {diagnosis.task}, {count_of(diagnosis.episodes, 'episode')} of {diagnosis.part}"
        console.print(title, style="bold", markup=False, highlight=False, soft_wrap=True)
        for heading, content in _sections(diagnosis):
            console.print(f"\n{heading}", style="bold", markup=False, highlight=False)
            for item in content:
                if isinstance(item, Table):
                    console.print(item)
                else:
                    console.print(f"  {item}", markup=False, highlight=False, soft_wrap=True)


def _sections(diagnosis: Diagnosis) -> list[tuple[str, list[str | Table]]]:
    sections: list[tuple[str, list[str | Table]]] = [
        ("Episodes: how bad are the bad ones?", _tails(diagnosis.value, diagnosis.tails)),
        ("Classes: which are hard?", _classes(diagnosis.classes, fixed=diagnosis.fixed)),
        ("Support images: how much hangs on them?", _support(diagnosis)),
        ("Calibration: is it right as often as it says?", _calibration(diagnosis.calibration)),
        ("Embedding: do classes lie apart, and are there hubs?", _geometry(diagnosis.geometry)),
        ("Wall time on this machine", _times(diagnosis)),
    ]
    if diagnosis.confused:
        sections.insert(
            2, ("Pairs: which classes are taken for each other?", [_rate_table("pair", diagnosis.confused)])
        )
    if diagnosis.notes:
        sections.append(("Notes", [f"{note[:1].upper()}{note[1:]}." for note in diagnosis.notes]))
    return [(heading, content) for heading, content in sections if content]


def _tails(value: float, tails: Tails) -> list[str | Table]:
    middle = ", ".join(f"{100 * level:g}%: {100 * score:.0f}%" for level, score in tails.quantiles.items())
    rarely = 100 * tails.quantiles[0.05]
    table = _plain("accuracy of at least", "episodes", "")
    for least, share in _changing(tails.profile):
        table.add_row(f"{100 * least:.0f}%", _percent(share), _bar(share))
    return [
        f"Mean accuracy {_percent(value)}.",
        f"Mean of the worst tenth of the episodes {_percent(tails.worst_tenth)} (CVaR at 10%), "
        f"of the worst twentieth {_percent(tails.worst_twentieth)}.",
        f"At least one episode in twenty gets {rarely:.0f}% or less; all such quantiles: {middle}.",
        table,
    ]


def _changing(profile: dict[float, float]) -> list[tuple[float, float]]:
    """Every tenth of the profile, from the last score that all episodes reach to the first that none does."""
    steps = [(least, share) for least, share in profile.items() if round(20 * least) % 2 == 0]
    first = max(at for at, (_, share) in enumerate(steps) if share == 1)
    last = next((at for at, (_, share) in enumerate(steps) if share == 0), len(steps) - 1)
    return steps[first : last + 1]


def _classes(classes: Rates, *, fixed: bool) -> list[str | Table]:
    rows = classes.rows
    ends = rows if len(rows) <= 2 * SHOWN else (*rows[:SHOWN], *rows[-SHOWN:])
    lines: list[str | Table] = [_rate_table("class", ends)]
    if len(rows) > len(ends):
        lines.insert(0, f"The {SHOWN} worst and the {SHOWN} best of {len(rows)} classes:")
    others = "others made like the episodes of this fixed list" if fixed else "more episodes of the same images"
    lines += [
        f"95% intervals for {others}, each for a class that was named beforehand.",
        "The worst of many looks worse than it is, because bad luck put it there too: 'expected' is drawn to the mean",
        "by the share of noise, and is what to trust.",
    ]
    if classes.deviation is not None and classes.noise is not None:
        differ = plain(100 * classes.deviation)
        spread = f"Beyond noise, classes differ by {differ} points (standard deviation)"
        known = f"{spread}; {100 * classes.noise:.0f}% of the variance seen is noise."
        lines.append("Classes do not differ beyond noise." if differ == "0.0" else known)
    return lines


def _rate_table(what: str, rates: Sequence[Rate]) -> Table:
    value = "right" if what == "class" else "confused"
    table = _plain(value, "95% interval", "expected", "episodes", "queries", first=what)
    for rate in rates:
        interval = "-" if rate.low is None or rate.high is None else f"{100 * rate.low:.1f}–{100 * rate.high:.1f}"
        expected = "-" if rate.shrunken is None else _percent(rate.shrunken)
        numbers = _percent(rate.value), interval, expected, f"{rate.meetings:,}", f"{rate.queries:,}"
        table.add_row(Text(rate.name), *numbers)  # as it is: a name in brackets would be taken for a style
    return table


def _support(diagnosis: Diagnosis) -> list[str | Table]:
    found = diagnosis.support
    if found is None:
        return []
    if found.candidates == 0:
        return ["Support and queries take all images of the classes, so none is left to exchange: lower --query."]
    return [
        f"Episodes: {found.episodes}, each with other support images for the same queries; "
        f"{found.candidates:.3g} could be tried for each image.",
        f"Worst found {_percent(found.worst)}, as drawn {_percent(found.drawn)}, best found {_percent(found.best)}.",
        "Found by a search, not the true extremes, which may lie further out.",
    ]


def _calibration(calibration: Calibration) -> list[str | Table]:
    table = _plain("it says", "is right", "", "queries")
    for row in calibration.table:
        if row.stated is not None and row.right is not None:
            table.add_row(_percent(row.stated), _percent(row.right), _bar(row.right), f"{row.queries:,}")
    pooled, twin = _points(calibration.pooled_ece), _points(calibration.pooled_ece_of_calibrated)
    alone, twin_alone = _points(calibration.ece), _points(calibration.ece_of_calibrated)
    return [
        table,
        f"Gap between the two over all queries (ECE): {pooled} points; {twin} if it were calibrated.",
        f"Mean gap of single episodes: {alone} points; {twin_alone} if calibrated, since episodes have few queries.",
        f"Brier score {calibration.brier:.3f} (0 is best, 2 is worst).",
    ]


def _geometry(geometry: Geometry) -> list[str | Table]:
    held = f"{count_of(geometry.images, 'image')} of {count_of(geometry.classes, 'class')}"
    size = f"{held}, {count_of(geometry.features, 'number')} each"
    lines: list[str | Table] = [f"{size}, by Euclidean distance."]
    if geometry.between is not None:
        lines.append(f"Between classes lie {_percent(geometry.between)} of the variance (0%: classes do not differ).")
    if geometry.silhouette is not None:
        lines.append(
            f"Silhouette {signed(geometry.silhouette, 2)} (+1: classes far apart, 0: they touch, below: they mix)."
        )
    lines.append(f"Hubness {plain(geometry.hubness)} (0: none; above 1: some images are near neighbours of very many).")
    lines.append(
        f"One image is among the {geometry.neighbours} nearest of {count_of(geometry.largest_hub, 'other')}; "
        f"{_percent(geometry.anti_hubs)} of the images are so of none."
    )
    return lines


def _times(diagnosis: Diagnosis) -> list[str | Table]:
    times = diagnosis.times
    image = f"{_seconds(times.image_seconds)} to read and embed an image ({count_of(times.images, 'image')})"
    return [f"{image}, {_seconds(times.episode_seconds)} to learn and answer an episode (one thread)."]


def _plain(*headings: str, first: str | None = None) -> Table:
    """A table without lines; the first column may hold names."""
    table = Table(box=None, padding=(0, 2), collapse_padding=True)
    if first is not None:
        table.add_column(first, overflow="fold")
    for heading in headings:
        table.add_column(heading, justify="right" if heading else "left", no_wrap=True)
    return table


def _percent(share: float) -> str:
    return f"{plain(100 * share)}%"


def _points(share: float) -> str:
    return plain(100 * share)


def _bar(share: float) -> str:
    return "█" * round(BAR * share) + "░" * (BAR - round(BAR * share))


def _seconds(seconds: float) -> str:
    if seconds >= 1:
        return f"{seconds:.1f} s"
    return f"{1e3 * seconds:.1f} ms" if seconds >= 1e-3 else f"{1e6 * seconds:.0f} µs"


def diagnoses_json(diagnoses: Sequence[Diagnosis], part: Source, *, seed: int, command: list[str]) -> str:
    """The same for machines, with every class."""
    source = {"name": part.name, "fingerprint": part.fingerprint, "recipe": part.recipe.name}
    keys = sorted({diagnosis.episodes_key for diagnosis in diagnoses})
    whole = {
        "schema": 1,
        "fairshot": fairshot.__version__,
        "command": command,
        "seed": seed,
        "source": source,
        "episodes_key": keys[0] if len(keys) == 1 else None,
        "rows": [asdict(diagnosis) for diagnosis in diagnoses],
    }
    return json.dumps(whole, indent=1, allow_nan=False)
