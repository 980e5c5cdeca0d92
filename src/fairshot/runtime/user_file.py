"""What a user's own Python file has under a name: `path.py:name`."""

import hashlib
import importlib.util
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from fairshot.runtime.errors import FairshotError, unknown


def load_from_file(spec: str) -> tuple[Any, str]:
    """What a file has under a name, `path.py:name`, and the hash of the file."""
    path, _, name = spec.rpartition(":")
    file = Path(path).expanduser()
    if file.suffix != ".py" or not file.is_file():
        raise FairshotError(f"there is no file {path or spec}: write path.py:name")
    module_name = f"fairshot_user_{file.stem}"
    module_spec = importlib.util.spec_from_file_location(module_name, file)
    assert module_spec is not None
    assert module_spec.loader is not None
    module = sys.modules[module_name] = importlib.util.module_from_spec(module_spec)
    sys.path.insert(0, str(file.resolve().parent))  # as if the file were run: it may import its neighbours
    try:
        with redirect_stdout(sys.stderr):  # what it prints is no part of a result
            module_spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise FairshotError(f"{path} cannot be imported ({type(error).__name__}: {error})") from error
    finally:
        sys.path.pop(0)
        del sys.modules[module_name]  # other processes cannot import it, so it must be shipped to them by value
    if not hasattr(module, name):
        raise unknown(f"name in {path}", name, [key for key in vars(module) if not key.startswith("_")])
    return getattr(module, name), hashlib.sha256(file.read_bytes()).hexdigest()
