"""Tables of a LaTeX document, for the package booktabs; letters beyond Latin ones need XeLaTeX or LuaLaTeX."""

from collections.abc import Sequence

from fairshot.runtime.visible_text import visible
from fairshot.tables.quantities import Shown, show_table
from fairshot.tables.table import Table

SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "[": "{[}",  # after the end of a row it would be read as a length
    "]": "{]}",
    "*": "{*}",
    "±": r"$\pm$",
    "ρ": r"$\rho$",
    "²": r"\textsuperscript{2}",
    "–": "--",
}


def to_latex(tables: Sequence[Table]) -> str:
    """One `table` environment for each table, with its title as the caption and its notes below."""
    return "\n".join(_environment(table) for table in tables)


def escape(text: str) -> str:
    """Words that mean themselves, whatever they are made of."""
    return "".join(SPECIAL.get(letter, letter) for letter in visible(text))


def _environment(table: Table) -> str:
    shown = show_table(table)
    lines = [r"\begin{table}", r"\centering"]
    lines += [rf"\caption{{{escape(table.title)}}}"] if table.title else []
    lines += [rf"\begin{{tabular}}{{{''.join('r' if numeric else 'l' for numeric in shown.numeric)}}}", r"\toprule"]
    lines += [_row([escape(heading) for heading in shown.headings]), r"\midrule"]
    lines += [_row([_cell(text, shown, place) for place, text in enumerate(row)]) for row in shown.rows]
    lines += [r"\bottomrule", r"\end{tabular}"]
    lines += [rf"\par\smallskip {escape(note)}" for note in table.notes]
    return "\n".join([*lines, r"\end{table}", ""])


def _row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def _cell(text: str, shown: Shown, place: int) -> str:
    if shown.code[place] and text:
        return rf"\texttt{{{escape(text)}}}"
    if shown.strong[place] and text:
        value, _, interval = text.partition(" ")
        return rf"\textbf{{{escape(value)}}} {escape(interval)}".strip()
    return escape(text)
