"""Results of the first schema as results of the second: `python -m fairshot.results.migration FILES` rewrites files.

The first schema kept tables of studies as text, told the preset of trained studies wrongly, and left it to readers to
parse labels. Numbers stay as they are; where only text had them they are read from it, once, here.
"""

import importlib
import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fairshot.results.first_schema import (
    Facts,
    asked_times,
    choice_losses,
    pair_rows,
    typed_tables,
    variant_differences,
)
from fairshot.runtime.errors import FairshotError

SCHEMA = 2
PRESET = re.compile(r"\bpreset (\w+)")
WITHIN_PARENT = "within-parent "
RENAMED = {"foretold": "predicted", "foretold_elsewhere": "predicted_elsewhere"}
GAP = re.compile(r", a gap of ([\d.]+), (\d+) (classes|images a class)$")
ROW_KINDS = {
    "rank": "rank",
    "snapshot": "snapshot",
    "exaggerated": "flips",
    "samples": "samples",
    "usual_width": "coverage",
}
"""By a field that only rows of that kind have."""

Document = dict[str, Any]


def migrate(document: Mapping[str, Any]) -> Document:
    """The JSON object of a result in the second schema; one that is of it already stays as it is."""
    schema = document.get("schema", 1)
    if schema > SCHEMA:
        raise FairshotError(f"a result of schema {schema} was given, and this fairshot reads 1 and 2: update fairshot")
    if schema == SCHEMA:
        return dict(document)
    facts = [Facts.model_validate(table) for table in document.get("facts", [])]
    rows = [_migrate_row(row) for row in document["rows"]]
    if any("verdict" in row for row in rows):
        rows = [row | {"kind": "forecast"} for row in rows]
    current = {"statistics": 1} | {name: value for name, value in document.items() if name != "facts"}
    current |= {"schema": SCHEMA, "rows": rows, "preset": _preset(document), "tables": typed_tables(facts)}
    if "examples" in document:
        return current | {"kind": "coverage"}
    if "critics" in document and "recogniser" not in document:
        rows = pair_rows(rows, facts, len(document.get("class_names", [])))
        return current | {"kind": "critics", "rows": rows} | asked_times(facts)
    if any(table.title == "losses" for table in facts):
        losses, differences = choice_losses(rows, facts), variant_differences(rows, facts)
        return current | {"kind": "choices", "losses": losses, "differences": differences}
    return current


def _migrate_row(row: Mapping[str, Any]) -> Document:
    current = {RENAMED.get(name, name): value for name, value in row.items()}
    task = str(row["task"])
    if task.startswith(WITHIN_PARENT):
        current["counterpart"] = task.removeprefix(WITHIN_PARENT)
    current["difference"] = str(row["metric"]).endswith(", difference")
    kind = next((kind for field, kind in ROW_KINDS.items() if field in row), None)
    if kind is None:
        return current
    current["kind"] = kind
    if kind == "snapshot":
        benchmark = task.removesuffix(str(row["part"])).removesuffix(", ")
        current["benchmark"] = benchmark
    if kind == "flips" and (told := GAP.search(task)):
        current["asked_gap"] = float(told[1]) / 100
        current["images"] = int(told[2]) if told[3] == "images a class" else None
    return current


def _preset(document: Mapping[str, Any]) -> str | None:
    """By what plans learners were trained, where some were and the whole study was run."""
    preset: str | None = document.get("preset")
    if preset != "paper":
        return preset
    told = [PRESET.search(about["about"]) for about in document.get("training", {}).values()]
    return ", ".join(dict.fromkeys(match[1] for match in told if match)) or preset


def rewrite(path: Path) -> bool:
    """Writes a file anew in the second schema, tables of studies made from its numbers; whether it changed."""
    schema = importlib.import_module("fairshot.results.schema")
    before = path.read_text()
    result = schema.parse_result(json.loads(before))
    study = _study(result.command)
    if study is not None:
        result = result.model_copy(update={"study_tables": study.tables(result)})
    if before in (result.json_text() + "\n", schema.text_with_checksum(result)):
        return False
    schema.write_result(result, path)
    return True


def _study(command: Sequence[str]) -> Any:
    """The study that a command ran, if it ran one that comes with the package."""
    if list(command[:2]) != ["fairshot", "run"] or len(command) < 3:
        return None
    registry = importlib.import_module("fairshot.specs.registry")
    return registry.find_module("studies", command[2]).STUDY if command[2] in registry.names("studies") else None


def main(files: Sequence[str]) -> int:
    """Rewrites the files and says which of them changed."""
    if not files:
        print("fairshot: no files: name results to rewrite, such as results/*.json", file=sys.stderr)
        return 2
    for file in files:
        print(f"{file}: {'rewritten' if rewrite(Path(file)) else 'as it was'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
