"""Every renderer shows the same typed table, and no name can break any of them."""

import csv
import html.parser
import io
import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.text import Text

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.visible_text import visible
from fairshot.tables.render import to_csv, to_frame, to_html, to_latex, to_markdown, to_text
from fairshot.tables.table import Column, Quantity, Table
from fairshot.tables.tabular import Tabular
from fairshot.tables.terminal import _folded

NASTY = [
    "runs/[a]/proto",
    "[bold]x[/bold]",
    "a & b",
    "<script>alert(1)</script>",
    "a|b",
    "back\\slash",
    "\\|",
    "`code`",
    "=1+1",
    "+1",
    "-1",
    "@sum",
    "\x1b[31mred\x1b[0m",
    "bell\x07",
    "two\nlines",
    "tab\tbed",
    "\u202eevil",
    ":smile:",
    "👩\u200d🔬 lab",
    "$x_1^2$",
    "100%",
    "#1",
    "~home",
    "{}",
    "**bold**",
    "_it_",
    "",
    " ",
    "\r",
    '"quoted"',
    "a,b;c",
]
names = st.one_of(st.sampled_from(NASTY), st.text(max_size=30))


def make_table(*learners: str) -> Table:
    columns = [Column(name="learner", code=True), Column(name="accuracy", strong=True), Column(name="gain")]
    rows = [
        [
            name,
            Quantity(value=0.9563, unit="share", low=0.949, high=0.961, quoted=True),
            Quantity(value=-0.013, unit="points"),
        ]
        for name in learners
    ]
    return Table(title="Accuracies", columns=columns, rows=rows, notes=["So."])


def test_a_terminal_table() -> None:
    assert to_text([make_table("prototypes", "ridge")], summary="Prototypes win.", width=60).splitlines() == [
        "Prototypes win.",
        "",
        "Accuracies",
        "learner            accuracy, %  gain, points",
        "────────────────────────────────────────────",
        "prototypes  95.6 [94.9, 96.1]*          -1.3",
        "ridge       95.6 [94.9, 96.1]*          -1.3",
        "*: the interval to quote.",
        "So.",
    ]


def test_a_markdown_table() -> None:
    assert to_markdown([make_table("a|b", "ridge")]) == (
        "**Accuracies**\n\n"
        "| learner | accuracy, % | gain, points |\n"
        "|---|---:|---:|\n"
        "| <code>a&#124;b</code> | **95.6** [94.9, 96.1]\\* | -1.3 |\n"
        "| `ridge` | **95.6** [94.9, 96.1]\\* | -1.3 |\n\n"
        "\\*: the interval to quote.\n\nSo.\n"
    )


def test_a_latex_table_is_booktabs() -> None:
    assert to_latex([make_table("meta_ridge")]) == (
        "\\begin{table}\n\\centering\n\\caption{Accuracies}\n\\begin{tabular}{lrr}\n\\toprule\n"
        "learner & accuracy, \\% & gain, points \\\\\n\\midrule\n"
        "\\texttt{meta\\_ridge} & \\textbf{95.6} {[}94.9, 96.1{]}{*} & -1.3 \\\\\n"
        "\\bottomrule\n\\end{tabular}\n\\par\\smallskip So.\n\\end{table}\n"
    )


def test_comma_separated_values_are_fractions_in_full() -> None:
    assert (
        to_csv([make_table("ridge")])
        == "learner,accuracy,accuracy.low,accuracy.high,gain\nridge,0.9563,0.949,0.961,-0.013\n"
    )
    both = to_csv([make_table("a"), make_table("b").model_copy(update={"title": "=Other"})])
    assert [line.split(",")[:2] for line in both.splitlines()] == [
        ["table", "learner"],
        ["Accuracies", "a"],
        ["'=Other", "b"],
    ]
    other = Table(title="Others", columns=[Column(name="x")], rows=[[1]])
    assert to_csv([make_table("a"), other]).splitlines()[-4:] == ["", "Others", "x", "1"]


def test_a_data_frame_has_numbers_and_ends() -> None:
    frame = to_frame(make_table("a", "b"))
    assert list(frame.columns) == ["learner", "accuracy", "accuracy.low", "accuracy.high", "gain"]
    assert frame["accuracy.low"].tolist() == [0.949, 0.949]
    assert frame["learner"].tolist() == ["a", "b"]


def test_columns_of_one_name_stay_apart_and_intervals_alone_have_ends_only() -> None:
    columns = [Column(name="published"), Column(name="published"), Column(name="new classes")]
    table = Table(columns=columns, rows=[[0.5, None, Quantity(value=None, low=0.0, high=1.0, unit="share")]])
    assert list(to_frame(table).columns) == ["published", "published (2)", "new classes.low", "new classes.high"]
    assert "[0.0, 100.0]" in to_text([table])


def test_without_pandas_it_is_said_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(FairshotError) as caught:
        to_frame(make_table("a"))
    assert str(caught.value) == "a data frame was asked for, and pandas is not installed: pip install pandas"


@given(st.lists(names, min_size=1, max_size=4), st.integers(20, 120))
def test_a_terminal_table_fits_and_numbers_stay_whole(learners: list[str], width: int) -> None:
    text = to_text([make_table(*learners)], width=width)
    lines = text.splitlines()
    assert all(visible(letter) == letter for letter in text if letter != "\n")
    assert "\x1b" not in text
    assert all(cell_len(line) <= width for line in lines)
    assert text.count("95.6 [94.9, 96.1]*") == len(learners)


@given(st.lists(names, min_size=1, max_size=4))
def test_rich_takes_names_as_they_are(learners: list[str]) -> None:
    text = to_text([make_table(*learners)], width=200)
    assert Text(text).plain == text
    for name in learners:
        assert " ".join(visible(name).split()) in " ".join(text.split())


@given(st.lists(names, min_size=1, max_size=4))
def test_markdown_has_the_right_number_of_cells(learners: list[str]) -> None:
    table = make_table(*learners).model_copy(update={"title": "", "notes": []})
    table = Table(columns=[Column(name=learners[0]), *table.columns[1:]], rows=table.rows)
    lines = to_markdown([table]).split("\n\n")[0].splitlines()
    assert len(lines) == 2 + len(learners)
    assert all(line.count("|") == 4 for line in lines)
    assert all(not re.search(r"<(?!code>|/code>)", line) for line in lines)


@given(st.lists(names, min_size=1, max_size=4))
def test_latex_has_balanced_braces_and_the_right_number_of_cells(learners: list[str]) -> None:
    text = to_latex([make_table(*learners)])
    rows = text.split("\\midrule\n")[1].split("\\bottomrule")[0].splitlines()
    assert len(rows) == len(learners)
    for row in rows:
        plain = re.sub(r"\\[\\{}$&#%_]", "", row)
        assert plain.count("&") == 2
        assert plain.count("{") == plain.count("}")
        assert not re.search(r"[$#%_^~]", plain.replace(r"$\pm$", "").replace(r"$\rho$", ""))


class Cells(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@given(st.lists(names, min_size=1, max_size=4))
def test_html_is_escaped(learners: list[str]) -> None:
    parser = Cells()
    parser.feed(to_html([make_table(*learners)], summary=learners[0]))
    assert parser.tags.count("td") == 3 * len(learners)
    assert set(parser.tags) <= {"p", "table", "caption", "div", "thead", "tbody", "tr", "th", "td", "code", "b"}
    for name in learners:
        assert visible(name) in "".join(parser.words)


@given(st.lists(names, min_size=1, max_size=4))
def test_comma_separated_values_come_back(learners: list[str]) -> None:
    rows = list(csv.reader(io.StringIO(to_csv([make_table(*learners)]))))
    for name, row in zip(learners, rows[1:], strict=True):
        guard = "'" if visible(name).lstrip()[:1] in ("=", "+", "-", "@") and name.strip() else ""
        assert row[0] == guard + visible(name)
        assert [float(value) for value in row[1:]] == [0.9563, 0.949, 0.961, -0.013]


def test_control_characters_are_shown() -> None:
    assert visible("a\x1b[31m\nb\u202e") == r"a\x1b[31m\nb\u202e"
    assert visible("ρ R² é 漢 👍") == "ρ R² é 漢 👍"


def wide_table(count: int) -> Table:
    columns = [Column(name="learner"), *(Column(name=f"a task of number {number}") for number in range(count))]
    cells = [Quantity(value=0.5, unit="share", low=0.4, high=0.6) for _ in range(count)]
    return Table(columns=columns, rows=[["prototypes@omniglot-vinyals-and-more", *cells]])


def test_what_finds_no_room_is_named() -> None:
    text = to_text([wide_table(6)], width=80)
    assert all(cell_len(line) <= 80 for line in text.splitlines())
    assert text.count("50.0 [40.0, 60.0]") == 3
    assert " ".join(text.split()).endswith(
        "Not shown for lack of room: a task of number 3, %; a task of number 4, %; a task of number 5, %. "
        "--format csv has all columns."
    )
    assert "Not shown" not in to_text([wide_table(3)], width=80)


def test_a_very_narrow_terminal_lists_the_cells() -> None:
    lines = to_text([wide_table(2)], width=20).splitlines()
    assert lines.count("  50.0 [40.0, 60.0]") == 2


class Answer(Tabular):
    def tables(self) -> list[Table]:
        return [make_table("ridge")]

    def summary(self) -> str:
        return "Ridge."


def test_what_is_tabular_shows_itself_everywhere() -> None:
    answer = Answer()
    assert str(answer) == to_text([make_table("ridge")], summary="Ridge.", width=80)
    assert answer.to_markdown().startswith("Ridge.\n\n**Accuracies**")
    assert answer.to_latex() == to_latex([make_table("ridge")])
    assert answer.to_csv() == to_csv([make_table("ridge")])
    assert answer._repr_html_() == to_html([make_table("ridge")], summary="Ridge.")
    assert len(answer.to_frame()) == 1


@pytest.mark.parametrize(
    ("name", "width", "lines"),
    [
        ("prototypes:metric=centred", 22, ["prototypes:metric=", "centred"]),
        ("ridge@efficientnet-lite0", 20, ["ridge@efficientnet-", "lite0"]),
        ("x" * 25, 10, ["x" * 10, "x" * 10, "x" * 5]),
    ],
)
def test_long_names_are_broken_behind_a_sign(name: str, width: int, lines: list[str]) -> None:
    assert _folded(name, width) == lines


@given(st.text("ab@:=-_ ", max_size=60), st.integers(1, 20))
def test_a_folded_name_loses_nothing(name: str, width: int) -> None:
    lines = _folded(name, width)
    assert "".join(lines).replace(" ", "") == name.replace(" ", "")
    assert all(len(line) <= width for line in lines)
