"""Kills and damaged files for half an hour: `make faults`, or `python -m tests.faults.campaign --minutes 30`.

200 kills at random moments of every long command, and 2,000 damaged inputs, as far as the time reaches; half of it is
for each. Counts are printed as lines of JSON, which `--out FILE` also keeps; it fails where there was a fault.
"""

import argparse
import json
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.faults.child import warm_up
from tests.faults.inputs import judged, make_files
from tests.faults.kills import Counts, killed, long_commands, make_world, often_saved
from tests.paths import ROOT

ROUND = 35  # damaged files between two looks at the clock
FEWER = {"evaluate in processes": 4}  # a command whose processes take seconds to start gets a part of the kills


def main() -> int:
    """Prints the counts; 1 if there was a fault."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--inputs", type=int, default=2000)
    parser.add_argument("--only", nargs="+", default=[], metavar="COMMAND", help="kill these alone")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    started, faults, lines = time.monotonic(), list[str](), list[str]()
    warm_up()
    with tempfile.TemporaryDirectory(prefix="faults-") as place:
        for row, found in campaign(Path(place), asked):
            lines.append(json.dumps(row))
            faults += found
            print(lines[-1], *found, sep="\n", flush=True)
    rows = [json.loads(line) for line in lines]
    whole = {
        "campaign": f"seed {asked.seed}",
        "minutes": round((time.monotonic() - started) / 60, 1),
        **{name: sum(row.get(name, 0) for row in rows) for name in ("kills", "files", "orphans", "faults")},
        "commit": subprocess.run(
            ["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True, check=False
        ).stdout.strip(),
    }
    lines.append(json.dumps(whole))
    print(lines[-1])
    if asked.out:
        asked.out.write_text("\n".join(lines) + "\n")
    return int(bool(faults))


def campaign(place: Path, asked: argparse.Namespace) -> Iterator[tuple[dict[str, Any], list[str]]]:
    """A row for each command and for each kind of file, with the faults behind it."""
    seconds = 60 * asked.minutes / 2
    for name, counts in _kills(place, asked, seconds).items():
        row = {"killed": name, "kills": counts.kills, "ended before": counts.late, "given again": counts.ended}
        yield {**row, "orphans": counts.orphans, "faults": len(counts.faults)}, counts.faults
    for name, outcome in _inputs(place, asked.inputs, asked.seed, seconds).items():
        row = {"damaged": name, "files": outcome.inputs, "read": outcome.accepted, "refused": outcome.refused}
        yield {**row, "faults": len(outcome.faults)}, outcome.faults


def _kills(place: Path, asked: argparse.Namespace, seconds: float) -> dict[str, Counts]:
    (place / "world").mkdir()
    make_world(place / "world")
    commands = [long for long in long_commands(place / "world") if not asked.only or long.name in asked.only]
    until = time.monotonic() + seconds
    weights = {long.name: 1 / FEWER.get(long.name, 1) for long in commands}
    found, left = {}, asked.kills
    with often_saved():
        for number, long in enumerate(commands):
            waiting = sum(weights[other.name] for other in commands[number:])
            share, now = weights[long.name] / waiting, time.monotonic()
            counts = killed(
                long, place / f"kills{number}", round(left * share), asked.seed, now + max(0.0, until - now) * share
            )
            found[long.name], left = counts, left - counts.kills
    return found


def _inputs(place: Path, count: int, seed: int, seconds: float) -> dict[str, Any]:
    kinds, until = make_files(place / "whole"), time.monotonic() + seconds
    found: dict[str, Any] = {}
    for first in range(0, count, ROUND):
        if time.monotonic() > until:
            break
        round_seed = 1000 * seed + first // ROUND
        for name, more in judged(kinds, place / "whole", place / "work", min(ROUND, count - first), round_seed).items():
            outcome = found.setdefault(name, more)
            if outcome is not more:
                outcome.inputs += more.inputs
                outcome.accepted += more.accepted
                outcome.refused += more.refused
                outcome.faults += more.faults
    return found


if __name__ == "__main__":
    raise SystemExit(main())
