"""Weights as learners: with the head they were trained with or another one, and with the code they need.

Weights are data and never run code: a network or learner that is somebody's own has to be named beside them, as in
`mine.py:Net@runs/x`.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, is_dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairshot.runtime.errors import FairshotError
from fairshot.specs.foreign import load_code, make
from fairshot.specs.grammar import is_own_code, parse_spec

if TYPE_CHECKING:
    from fairshot.learners.learner import Classifier
    from fairshot.learners.networks.network import Architecture
    from fairshot.learners.training.record import Record
    from fairshot.learners.training.trainable import Trainable


@dataclass(frozen=True)
class Request:
    """Weights, and what is to stand around them."""

    weights: str
    head: str = ""
    """Another head, or the code of the learner that was trained; empty: as trained."""
    network: str = ""
    """The code of the network, where it is somebody's own."""

    @property
    def text(self) -> str:
        """As it is written on a command line."""
        return "@".join(filter(None, (self.head, self.network, self.weights)))


def load_trained(request: Request, find_head: Callable[[str, dict[str, Any]], "Classifier"]) -> "Classifier":
    """A trained learner; `find_head` gives a head by its spec, with settings that it has unless the spec says other."""
    from fairshot.learners.training.record import find_weights, read_record

    path = find_weights(request.weights, "" if is_own_code(request.head) else parse_spec(request.head).name)
    record, _ = read_record(path)
    request = _sorted_code(request, record)
    _refuse_missing_code(request, record)
    try:
        return _assemble(path, record, request, find_head)
    except FairshotError:
        raise
    except Exception as error:  # a file cut short, other shapes, settings that are no more
        raise _unusable(path, request, error) from error


def _sorted_code(request: Request, record: "Record") -> Request:
    """Code in front of weights is a network where only the network was somebody's own."""
    owns_learner, owns_network = (name in record.code for name in (record.learner, record.plan.network))
    is_network = owns_network and (not owns_learner or _same_name(request.head, record.plan.network))
    if is_own_code(request.head) and not request.network and is_network:
        return Request(request.weights, "", request.head)
    if request.network and not owns_network:
        raise FairshotError(
            f"{request.weights} was trained on {record.plan.network}, which is found by its name: write "
            f"{replace(request, network='').text}"
        )
    return request


def _refuse_missing_code(request: Request, record: "Record") -> None:
    """Raises where somebody's own code is needed and was not named; one line says what to write."""
    network = request.network or (_file_of(record.plan.network) if record.plan.network in record.code else "")
    head = request.head or (_file_of(record.learner) if record.learner in record.code else "")
    needed = Request(request.weights, head, network)
    if needed != request:
        code = " and ".join(name for name in record.code)
        raise FairshotError(
            f"{request.weights} was trained with {code}, code of somebody's own that weights do not bring along: write "
            f"{needed.text}"
        )


def _file_of(name: str) -> str:
    return name if is_own_code(name) else f"path.py:{name}"


def _same_name(spec: str, recorded: str) -> bool:
    return spec.rpartition(":")[2] == recorded.rpartition(":")[2]


def _assemble(
    path: Path, record: "Record", request: Request, find_head: Callable[[str, dict[str, Any]], "Classifier"]
) -> "Classifier":
    from fairshot.learners.fitted import load_fitted
    from fairshot.learners.networks.network import find_architecture

    hashes: dict[str, str] = {}
    if request.network:
        architecture = find_own_network(request.network)
        hashes[record.plan.network] = architecture.file or ""
    else:
        architecture = find_architecture(record.plan.network)
    if record.learner in record.code and is_own_code(request.head) and _same_name(request.head, record.learner):
        head: Classifier
        head, hashes[record.learner] = _own_head(request.head, record)
        trained = True
    else:
        trained = not request.head or parse_spec(request.head).name.replace("-", "_") == record.learner
        head = find_head(request.head or record.learner, record.settings if trained else {})
    fitted = load_fitted(path, architecture.make(record.shape), head, own=trained)
    return replace(fitted, code=hashes, warnings=tuple(_changes(record, hashes))) if hashes else fitted


def _changes(record: "Record", hashes: dict[str, str]) -> list[str]:
    """What is to be said of code that changed since the training; of code that came from no file nothing is known."""
    return [
        f"{name} is not as it was when it was trained, so these may not be the answers of what was trained"
        for name, digest in hashes.items()
        if is_own_code(name) and record.code[name] != digest
    ]


def find_own_network(spec: str) -> "Architecture":
    """A network out of somebody's file."""
    return network_from_file(*load_code(spec), spec)


def network_from_file(target: Any, digest: str, spec: str) -> "Architecture":
    """What a file has under a name, as a network."""
    from fairshot.learners.foreign.modules import as_architecture

    architecture = as_architecture(target, spec, digest)
    if architecture is None:
        raise FairshotError(
            f"{spec} is no network: give a torch module from images to vectors, a class of one, or a function that "
            "makes one"
        )
    return architecture


def own_trainable(target: Any, spec: str) -> "Trainable | None":
    """A learner of somebody's own that can be trained, as an instance or made by its class; None if it is none."""
    from fairshot.learners.training.trainable import Trainable

    is_kind = isinstance(target, type) and issubclass(target, Trainable)
    made = make(target, spec) if is_kind else target
    return made if isinstance(made, Trainable) else None


def _own_head(spec: str, record: "Record") -> tuple["Trainable", str]:
    """The learner of somebody's own file, with the settings that it was trained with."""
    target, digest = load_code(spec)
    learner = own_trainable(target, spec)
    if learner is None:
        raise FairshotError(f"{spec} is no Trainable, and {record.learner} was one when it was trained: restore it")
    if is_dataclass(learner) and json.loads(json.dumps(dict(learner.settings))) != record.settings:
        learner = replace(learner, **record.settings)
    return learner, digest


def _unusable(path: Path, request: Request, error: Exception) -> FairshotError:
    problem = type(error).__name__
    if request.network:
        return FairshotError(
            f"the weights {path} do not fit {request.network} ({problem}): it has other layers than when it was "
            "trained, so restore the file or train anew"
        )
    return FairshotError(
        f"the weights {path} cannot be used ({problem}): they are damaged or of another version, so train anew"
    )
