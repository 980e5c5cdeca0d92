"""The command `cache`: what lies in FAIRSHOT_CACHE, and its removal."""

import argparse
from typing import Any

from fairshot.cli.options import Parser, add_format
from fairshot.cli.output import show
from fairshot.runtime.grammar.lists import parse_words


def add_options(commands: Any) -> None:
    """The options of the command."""
    cache = commands.add_parser("cache", help="what lies in FAIRSHOT_CACHE, how large it is, and its removal")
    verbs = cache.add_subparsers(dest="verb", metavar="VERB", required=True, parser_class=Parser)
    for verb, told in (("list", "every folder with its size"), ("clean", "remove what can be made again")):
        parser = verbs.add_parser(verb, help=told)
        parser.add_argument(
            "--kind", type=parse_words, default=[], metavar="K,...", help="sources, vectors, studies ..."
        )
        parser.add_argument(
            "--unused", type=float, default=0.0, metavar="DAYS", help="only what nobody used for so long (default 0)"
        )
        if verb == "clean":
            parser.add_argument("--dry-run", action="store_true", help="only say what would be removed")
        add_format(parser)


def run(arguments: argparse.Namespace) -> None:
    """Calls the verb and prints what it gives."""
    from fairshot.results.caches import clean_caches, find_caches

    chosen = {"kinds": arguments.kind, "unused": arguments.unused}
    if arguments.verb == "clean":
        show(clean_caches(**chosen, dry_run=arguments.dry_run), arguments)
    else:
        show(find_caches(**chosen), arguments)
