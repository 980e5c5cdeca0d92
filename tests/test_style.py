"""Rules that keep the code readable, where a tool can see them."""

import ast
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.paths import ROOT

SOURCE = ROOT / "src" / "fairshot"
FILES = sorted(SOURCE.rglob("*.py"))
LONGEST_MODULE, LONGEST_FUNCTION, USUAL_FUNCTION, MOST_POSITIONAL = 350, 50, 20, 5
# Another process needs a folder to look into; everything else that is temporary replaces a file at once.
WITH_TEMPORARY_FILES = {"runtime/files.py", "checks/other_place.py"}
# What formats numbers for readers.
WITH_PERCENT = ("tables/", "reports/")
# Words of users (a task, a generator, learners), and names whose module holds just that thing.
PARTICIPLES = {
    "tasks/closed.py": "a task that users name",
    "generators/warped.py": "a generator that users name",
    "learners/clusterers/constrained.py": "a learner that users name",
    "learners/fitted.py": "holds Fitted, a trained learner",
    "learners/encoded.py": "holds Encoded, a learner behind an encoder",
    "cli/embed.py": "a command, whose name is no participle",
    "evaluation/embed.py": "a verb, whose name is no participle",
    "learners/seen.py": "holds Seen, the images that a learner was trained on",
}
NOUNS = {"clustering", "matching", "training", "finding", "embedding", "listing", "overfitting", "task_pooling"}


def name_of(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


def functions(path: Path) -> Iterator[ast.FunctionDef]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef):
            yield node


def lines_of(node: ast.FunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def test_modules_and_functions_are_short() -> None:
    sizes = [(lines_of(node), f"{name_of(path)} {node.name}") for path in FILES for node in functions(path)]
    assert [size for size in sizes if size[0] > LONGEST_FUNCTION] == []
    assert sorted(size for size, _ in sizes)[len(sizes) * 9 // 10] <= USUAL_FUNCTION
    assert [name_of(path) for path in FILES if path.read_text().count("\n") > LONGEST_MODULE] == []


def test_no_call_needs_more_than_five_arguments_in_order() -> None:
    for path in FILES:
        for node in functions(path):
            names = [a.arg for a in (*node.args.posonlyargs, *node.args.args) if a.arg not in ("self", "cls")]
            assert len(names) <= MOST_POSITIONAL, f"{name_of(path)} {node.name}"


def test_no_dataclass_needs_more_than_five_values_in_order() -> None:
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef):
                decorators = [ast.unparse(d) for d in node.decorator_list if ast.unparse(d).startswith("dataclass")]
                if decorators and "kw_only=True" not in decorators[0]:
                    annotated = [f for f in node.body if isinstance(f, ast.AnnAssign)]
                    in_order = itertools.takewhile(lambda f: ast.unparse(f.annotation) != "KW_ONLY", annotated)
                    needed = [f for f in in_order if f.value is None and "ClassVar" not in ast.unparse(f.annotation)]
                    assert len(needed) <= MOST_POSITIONAL, f"{name_of(path)} {node.name}"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_module_keeps_the_rules(path: Path) -> None:
    text, name = path.read_text(), name_of(path)
    assert "fmt: " + "skip" not in text
    assert ("tempfile" in text) == (name in WITH_TEMPORARY_FILES)
    if not name.startswith(WITH_PERCENT):
        assert re.search(r"100 \* [^\n]*[:}]|:\.\d%\}", text) is None, "percent is for tables and reports"
    participle = re.search(r"(ed|ing|en)$", path.stem) is not None and path.stem not in NOUNS
    assert not participle or name in PARTICIPLES, "modules are named by nouns"


@pytest.mark.parametrize("path", [path for path in FILES if path.name == "__init__.py"], ids=name_of)
def test_a_package_says_in_one_sentence_what_it_holds(path: Path) -> None:
    told = ast.get_docstring(ast.parse(path.read_text()))
    assert told is not None
    assert re.match(r"[A-Z].*\.$", told.splitlines()[0]), told
