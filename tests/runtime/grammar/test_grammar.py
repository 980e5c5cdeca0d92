"""Every kind of spec is read as it is written, no text breaks the grammar, and no other module takes specs apart."""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.grammar.data import (
    parse_data,
    parse_pixels,
    parse_rule,
    parse_share,
    parse_source,
    parse_split,
    parse_table,
    split_seed,
)
from fairshot.runtime.grammar.learner import parse_learner
from fairshot.runtime.grammar.lists import parse_counts, parse_words
from fairshot.runtime.grammar.name import parse_code, parse_spec, parse_task, split_label
from fairshot.runtime.grammar.settings import join_settings, split_settings
from tests.paths import ROOT

PACKAGE = ROOT / "src" / "fairshot"
ENDINGS = (".csv", ".parquet")


def optional(texts: st.SearchStrategy[str], before: str) -> st.SearchStrategy[str]:
    """Nothing, or a text with what stands before it."""
    return st.just("") | texts.map(lambda text: f"{before}{text}")


def joined(*texts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(*texts).map("".join)


words = st.text("abXYZ019_-", min_size=1, max_size=8)
paths = st.lists(st.text("abXYZ019_-. ", max_size=6).map("d{}".format), min_size=1, max_size=3).map("/".join)
settings = st.lists(joined(words, st.just("="), st.text("abXYZ019_-.+", max_size=8)), min_size=1, max_size=3).map(
    ",".join
)
names = joined(words, optional(settings, ":"))
codes = joined(paths.map(lambda path: f"{path}.py:"), words, optional(settings, ":"))
specs = names | codes
learners = specs | joined(specs, st.just("@"), codes | paths | joined(codes, st.just("@"), paths))
sources = names | codes | paths.map(lambda path: f"folder:{path}") | paths.map(lambda path: f"array:{path}.npz")
splits = joined(
    words | paths.map(lambda path: f"{path}.json") | joined(paths.map(lambda path: f"{path}.py:"), st.text("abz_")),
    st.sampled_from(["", "+6", "+0.25"]),
)
data = sources | joined(names, words.map("/{}".format), st.sampled_from(["", "/novel", "/base"]))
rules = st.sampled_from(["random", "parents", "by-drawer", "random-7", "parents-0", "by-drawer-12"])
tables = joined(paths, st.sampled_from(ENDINGS), optional(settings, ":"))
labels = joined(st.just("Our "), words, st.just("="), specs)
counts = st.lists(st.integers(0, 99), min_size=1).map(lambda numbers: ",".join(map(str, numbers)))


@dataclass(frozen=True)
class Kind:
    """A kind of spec: texts of it, what reads them, and what writes them again."""

    texts: st.SearchStrategy[str]
    parse: Callable[[str], Any]
    write: Callable[[Any], str] = str


def _read_table(text: str) -> Any:
    return parse_table(text, ENDINGS)


KINDS = {
    "settings": Kind(settings, split_settings, join_settings),
    "metric or generator": Kind(specs, parse_spec),
    "task": Kind(specs, parse_task),
    "code": Kind(codes, parse_code),
    "learner": Kind(learners, parse_learner),
    "label": Kind(labels, split_label),
    "source": Kind(sources, parse_source),
    "data": Kind(data, parse_data),
    "split": Kind(splits, parse_split),
    "rule": Kind(rules, parse_rule),
    "table": Kind(tables, _read_table),
    "recipe": Kind(st.integers(1, 999).map(str), parse_pixels),
    "words": Kind(st.lists(words, min_size=1).map(",".join), parse_words, ",".join),
    "counts": Kind(counts, parse_counts, lambda numbers: ",".join(map(str, numbers))),
}
ANY_TEXT = (
    st.text()
    | st.text("ab.py:@/=,+-7 \\\n")
    | st.lists(
        st.sampled_from([".py:", "a", "7", "@", ":", "/", "=", ",", "+", "-", ".json", ".csv", "folder:", "random"])
    ).map("".join)
)


@pytest.mark.parametrize("kind", KINDS)
@given(chosen=st.data())
def test_what_is_written_is_what_was_read(kind: str, chosen: st.DataObject) -> None:
    text = chosen.draw(KINDS[kind].texts)
    assert KINDS[kind].write(KINDS[kind].parse(text)) == text


@pytest.mark.parametrize("kind", KINDS)
@given(text=ANY_TEXT)
@example(text=":@w")
@example(text="random-" + "9" * 5000)
@example(text="9" * 5000)
def test_any_text_is_read_or_refused(kind: str, text: str) -> None:
    """Nothing but a FairshotError comes of it, and what was read means the same when it is written and read again."""
    try:
        read = KINDS[kind].parse(text)
    except FairshotError as error:
        refusal = error.args[0]
    else:
        assert read is None or KINDS[kind].parse(KINDS[kind].write(read)) == read
        return
    _, what, *_, advice = refusal.split("'")
    assert what in text, "a refusal quotes what it is about"
    assert advice.startswith((": write ", " is not a whole number", " holds no number"))


@given(text=ANY_TEXT)
@example(text="9" * 5000)
def test_shares_and_seeds_are_read_or_refused(text: str) -> None:
    name, seed = split_seed(text)
    assert seed is None or name
    try:
        assert isinstance(parse_share(text), int | float)
    except FairshotError as error:
        refusal = error.args[0]
    else:
        return
    assert refusal == f"'+{text}' holds out nothing: write +6 (images) or +0.2 (share of each class)"


SEPARATORS = {":", "@", "=", ",", "+", "/", ".py", ".py:"}
CUTS = {"split", "rsplit", "partition", "rpartition"}
PATTERNS = {"compile", "match", "fullmatch", "search", "split", "findall"}
CLASSES = "names of classes are PARENT/CLASS"
FILES = "names of files in an archive or a folder"
LISTS = "names of classes in a file, with commas between them"
EXCEPTIONS = {
    "checks/files.py": "the name of a part begins with the folder that its data lie in",
    "checks/parts.py": "names of parts and classes, which are no specs",
    "leaderboards/layouts/lm_eval.py": FILES,
    "leaderboards/layouts/mteb.py": FILES,
    "learners/training/record.py": "weights that come with the package are called HEAD@NAME",
    "prediction/folder_truth.py": CLASSES,
    "runtime/archives.py": "a colon in the name of an entry is a drive",
    "runtime/download.py": "the file at the end of a URL",
    "runtime/lazy.py": "module:attribute, which nobody types",
    "scoring/human_reference.py": "the name of a part in a record",
    "sources/aircraft.py": FILES,
    "sources/cifar100.py": FILES,
    "sources/folder.py": "names of classes are PARENT/CLASS, and groups are found by a pattern that somebody gives",
    "sources/ilsvrc.py": FILES,
    "sources/images/class_names.py": LISTS,
    "sources/union.py": "the name of a part begins with that of its source",
    "sources/images/part_folders.py": CLASSES,
    "sources/images/pictures.py": CLASSES,
    "sources/images/sample_files.py": CLASSES,
    "sources/meanings.py": CLASSES,
    "sources/mscoco.py": FILES,
    "sources/vgg_flower.py": FILES,
    "splits/class_lists.py": LISTS,
    "sources/omniglot.py": FILES,
    "specs/registry.py": "the first sentence of a docstring",
    "splits/definition.py": CLASSES,
    "splits/files.py": "the name of a split as its source gives it",
    "evaluation/track.py": "what a tool takes in no name",
    "splits/ilsvrc_mini.py": FILES,
    "splits/omniglot.py": CLASSES,
}
"""Modules that take apart strings which are no specs."""
TEXT_LAYERS = ("tables", "results", "reports")  # these take apart sentences, numbers and older files


def _cuts(tree: ast.Module) -> Iterator[int]:
    """The lines on which a string is cut at a sign that specs are written with, or read by a pattern."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
            if isinstance(node.left, ast.Constant) and node.left.value in SEPARATORS - {"/"}:
                yield node.lineno
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            of_re = isinstance(node.func.value, ast.Name) and node.func.value.id == "re"
            signs = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
            if (of_re and node.func.attr in PATTERNS) or (node.func.attr in CUTS and SEPARATORS & {*map(str, signs)}):
                yield node.lineno


def _modules() -> list[Path]:
    return [
        path
        for path in sorted(PACKAGE.rglob("*.py"))
        if (parts := path.relative_to(PACKAGE).parts)[0] not in TEXT_LAYERS and parts[:2] != ("runtime", "grammar")
    ]


def test_specs_are_taken_apart_in_the_grammar_alone() -> None:
    cut = {
        str(path.relative_to(PACKAGE)): lines for path in _modules() if (lines := [*_cuts(ast.parse(path.read_text()))])
    }
    found = {name: lines for name, lines in cut.items() if name not in EXCEPTIONS}
    assert not found, f"{found}: take specs apart in runtime/grammar, or give a reason in EXCEPTIONS"
    assert not EXCEPTIONS.keys() - cut.keys(), "these exceptions are not needed any more"


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ("head, _, tail = spec.partition('@')", 1),
        ("a = spec.split('/')", 1),
        ("a = '.py:' in spec", 1),
        ("a = re.fullmatch('x', spec)", 1),
        ("a = text.split()", 0),
        ("a = '.'.join(words)", 0),
        ("a = name.partition('.')", 0),
    ],
)
def test_a_cut_is_noticed(code: str, count: int) -> None:
    assert len([*_cuts(ast.parse(code))]) == count
