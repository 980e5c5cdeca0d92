"""Runs the notebooks of docs/tutorials and stores what their cells print: `python docs/notebooks.py [NAME ...]`.

Cells run in this process, one notebook after the other, each in a scratch folder: five kernels would take longer to
start than the notebooks to run.
"""

import ast
import contextlib
import io
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "tutorials"


def run_notebook(path: Path) -> dict[str, Any]:
    """The notebook with new outputs; raises what a cell raises."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    names: dict[str, Any] = {"__name__": "__main__"}
    count = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            cell["execution_count"] = count
            cell["outputs"] = _outputs("".join(cell["source"]), names, f"{path.name}, cell {count}")
    return notebook


def _outputs(source: str, names: dict[str, Any], where: str) -> list[dict[str, Any]]:
    """What a cell prints, and the value of its last line where that is an expression."""
    tree, value, printed = ast.parse(source), None, io.StringIO()
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
        exec(compile(tree, where, "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), where, "eval"), names)
    text = printed.getvalue() + (f"{value!r}\n" if value is not None else "")
    lines = text.splitlines(keepends=True)
    return [{"output_type": "stream", "name": "stdout", "text": lines}] if lines else []


@contextlib.contextmanager
def scratch_folder() -> Any:
    """A folder that is gone afterwards, as the working folder."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def main(names: list[str]) -> None:
    """Writes every notebook, or those named, with new outputs."""
    for path in [FOLDER / f"{name}.ipynb" for name in names] or sorted(FOLDER.glob("*.ipynb")):
        with scratch_folder():
            notebook = run_notebook(path)
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(f"{path.name}: {sum(bool(cell.get('outputs')) for cell in notebook['cells'])} cells with outputs")


if __name__ == "__main__":
    main(sys.argv[1:])
