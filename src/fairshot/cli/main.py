"""The command line: parsed arguments to calls, no logic. Heavy modules are imported by the command that needs them."""

import argparse
import importlib
import os
import re
import sys
from collections.abc import Sequence

import fairshot
from fairshot.cli.options import Parser
from fairshot.runtime.errors import FairshotError, unknown
from fairshot.runtime.files import disk_is_full
from fairshot.runtime.visible_text import visible

COMMANDS = (
    *("demo", "ls", "data", "train", "embed", "evaluate", "probe", "cscc", "audit", "diagnose", "predict", "score"),
    *("compare", "ranks", "selection", "check", "verify", "generate", "report", "run", "gather", "cache"),
)


def make_parser() -> Parser:
    """All commands and options."""
    parser = Parser(prog="fairshot", description=(fairshot.__doc__ or "").partition("\n")[0])
    parser.add_argument("--version", action="version", version=f"fairshot {fairshot.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    for name in COMMANDS:
        importlib.import_module(f"fairshot.cli.{name}").add_options(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; bad input gives one line and exit code 2."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    # How long a waiting thread spins before it sleeps: at once, and training is a third slower; for long, and it is
    # far slower still where another program has the cores.
    if "OMP_WAIT_POLICY" not in os.environ:
        os.environ.setdefault("GOMP_SPINCOUNT", "20000")
    parsed: argparse.Namespace | None = None
    try:
        first = next((word for word in arguments if not word.startswith("-")), None)
        parser = make_parser()
        if first is not None and first not in COMMANDS:
            raise unknown("command", first, COMMANDS)
        parsed = parser.parse_args(arguments)
        if parsed.command is None:
            parser.print_help()
            return 0
        return importlib.import_module(f"fairshot.cli.{parsed.command}").run(parsed) or 0
    except FairshotError as error:
        print(f"fairshot: {_with_dashes(str(error), parsed)}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:  # a full disk, a name that is too long
        if error.filename is None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        used = visible(str(error.filename or "what was printed"))
        said = "the disk is full: make room and give the same command again" if disk_is_full(error) else error.strerror
        print(f"fairshot: {used} could not be written: {said}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("fairshot: interrupted; with --out the same command resumes where it stopped", file=sys.stderr)
        return 130


def _with_dashes(message: str, parsed: argparse.Namespace | None) -> str:
    """Errors speak of fields; where they are options of the command, they are written as options: --recipe 84.

    A list of what there is stays as it is: `skip_small` among the settings of a task is no option.
    """
    message, listed, names = message.partition("there are: ")
    for name in vars(parsed) if parsed else ():
        option = f"--{name.replace('_', '-')}"
        message = re.sub(rf"(?<![\w:,.-]){name}=(?=[^\s,;])", f"{option} ", message)
        message = re.sub(rf"(?<![\w:,.-]){name}\b", option, message) if "_" in name else message
    return message + listed + names
