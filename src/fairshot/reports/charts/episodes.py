"""Episodes as pictures: a column for each class, its support above, its queries below, wrong answers marked."""

from collections.abc import Iterator, Sequence
from typing import Any

import altair as alt
from altair.typing import ChartType

from fairshot.evaluation.shown_episode import ShownEpisode
from fairshot.reports.charts.chart import table, themed
from fairshot.reports.charts.labels import short
from fairshot.reports.charts.theme import GREEN, LINE, VERMILLION
from fairshot.reports.episode_pictures import picture_address

COLUMN, ROW, PICTURE = 96, 72, 56  # pixels
HEAD, GAP = 44, 26  # above the pictures of an episode, and between support and queries
MOST_CLASSES, MOST_SUPPORT, MOST_QUERIES = 8, 3, 4
LETTERS = 13  # of a class's name above its column

Marks = list[dict[str, Any]]


def episode_chart(shown: Sequence[ShownEpisode], title: str) -> ChartType:
    """One episode below the other; a wrong answer has a cross and, where it is known, the class that was chosen."""
    pictures: Marks = []
    words: Marks = []
    lines: Marks = []
    y = 0
    for episode in shown:
        words.append({"x": 0, "y": y + 12, "text": _heading(episode), "bold": True})
        bottom = y
        for column, place in enumerate(episode.places[:MOST_CLASSES]):
            x = column * COLUMN
            words.append({"x": x, "y": y + HEAD - 10, "text": short(episode.name(place), LETTERS), "bold": False})
            cells = list(_cells(episode, place, x, y + HEAD))
            pictures += cells
            words += [{"x": x, "y": cell["y"] + PICTURE + 9, "text": cell["said"]} for cell in cells if cell["said"]]
            bottom = max([bottom, *(cell["y"] + ROW for cell in cells)])
        lines.append({"y": y + HEAD + ROW * _support_rows(episode) + GAP / 2 - 6})
        y = bottom + GAP
    columns = max(len(episode.places[:MOST_CLASSES]) for episode in shown)
    size = {"width": columns * COLUMN, "height": y}
    subtitle = "above the line: support; below: queries, green right, orange with a cross wrong"
    chart = alt.layer(*_layers(pictures, words, lines, columns * COLUMN))
    heading = alt.Title(title, subtitle=subtitle)
    return themed(chart.properties(title=heading, **size), f"Episodes of {title}: support above, queries below")


def _layers(pictures: Marks, words: Marks, lines: Marks, width: int) -> list[alt.Chart]:
    x, y = alt.X("x:Q").scale(None).axis(None), alt.Y("y:Q").scale(None).axis(None)
    base = alt.Chart(table(pictures)).encode(x=x, y=y)
    images = base.mark_image(align="left", baseline="top", width=PICTURE, height=PICTURE)
    frames = base.mark_rect(fill=None, strokeWidth=3).encode(
        x2="right:Q", y2="bottom:Q", stroke=alt.Stroke("colour:N").scale(None)
    )
    wrong = alt.Chart(table([cell for cell in pictures if cell["wrong"]])).encode(x=alt.X("right:Q").scale(None), y=y)
    crosses = wrong.mark_text(text="✕", color=VERMILLION, fontSize=15, fontWeight="bold", dx=9, dy=9)
    text = alt.Chart(table(words)).encode(x=x, y=y, text="text:N")
    return [
        images.encode(url="url:N"),
        frames,
        crosses,
        text.mark_text(align="left", baseline="middle"),
        alt.Chart(table(lines)).mark_rule(color=LINE).encode(x=alt.value(0), x2=alt.value(width), y=y),
    ]


def _cells(episode: ShownEpisode, place: int, x: int, y: int) -> Iterator[dict[str, Any]]:
    """The pictures of one class from top to bottom."""
    part = episode.part
    for row, image_id in enumerate(episode.support(place)[:MOST_SUPPORT].tolist()):
        yield _cell(picture_address(part, image_id), x, y + row * ROW, LINE)
    y += ROW * _support_rows(episode) + GAP
    for row, query in enumerate(episode.queries(place)[:MOST_QUERIES].tolist()):
        right = episode.is_right(query)
        chosen = None if right or episode.chosen is None else int(episode.chosen[query])
        said = "" if chosen is None or chosen < 0 else f"as {short(episode.name(chosen), LETTERS - 3)}"
        address = picture_address(part, int(episode.episodes.query_ids[0][query]))
        yield _cell(address, x, y + row * ROW, GREEN if right else VERMILLION, wrong=not right, said=said)


def _cell(url: str, x: int, y: int, colour: str, *, wrong: bool = False, said: str = "") -> dict[str, Any]:
    ends = {"right": x + PICTURE, "bottom": y + PICTURE}
    return {"url": url, "x": x, "y": y, **ends, "colour": colour, "wrong": wrong, "said": said}


def _support_rows(episode: ShownEpisode) -> int:
    return max(min(len(episode.support(place)), MOST_SUPPORT) for place in episode.places[:MOST_CLASSES])


def _heading(episode: ShownEpisode) -> str:
    asked = [query for place in episode.places for query in episode.queries(place).tolist()]
    return f"The {episode.word} episode: {sum(map(episode.is_right, asked))} of {len(asked)} queries right"
