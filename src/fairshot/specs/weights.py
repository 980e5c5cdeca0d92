"""Weights as learners: with the head they were trained with or another one, and with the code they need.

Weights are data and never run code: a network or learner that is somebody's own has to be named beside them, as in
`mine.py:Net@runs/x`.
"""

import json
from collections.abc import Callable
from dataclasses import is_dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.grammar.learner import LearnerSpec
from fairshot.runtime.grammar.name import Code, Name, Spec, is_own_code, parse_code, parse_spec
from fairshot.runtime.user_file import own_settings
from fairshot.specs.foreign import load_code, make

if TYPE_CHECKING:
    from fairshot.learners.learner import Classifier
    from fairshot.learners.networks.network import Architecture
    from fairshot.learners.training.record import Record
    from fairshot.learners.training.trainable import Trainable


FindHead = Callable[[Spec, dict[str, Any]], "Classifier"]


def load_trained(request: LearnerSpec, find_head: FindHead) -> "Classifier":
    """A trained learner; `find_head` gives a head by its spec, with settings that it has unless the spec says other.

    Without a head it stands as it was trained; code in front of weights is that of the learner or of the network.
    """
    from fairshot.learners.training.record import find_weights, read_record

    path = find_weights(request.weights, request.head.name if isinstance(request.head, Name) else "")
    record, _ = read_record(path)
    request = _sorted_code(request, record)
    _refuse_missing_code(request, record)
    try:
        return _assemble(path, record, request, find_head)
    except FairshotError:
        raise
    except Exception as error:  # a file cut short, other shapes, settings that are no more
        raise _unusable(path, request, error) from error


def _sorted_code(request: LearnerSpec, record: "Record") -> LearnerSpec:
    """Code in front of weights is a network where only the network was somebody's own."""
    owns_learner, owns_network = (name in record.code for name in (record.learner, record.plan.network))
    is_network = owns_network and (not owns_learner or _same_name(request.head, record.plan.network))
    if isinstance(request.head, Code) and request.code is None and is_network:
        return LearnerSpec(None, request.head, request.weights)
    if request.code and not owns_network:
        raise FairshotError(
            f"{request.weights} was trained on {record.plan.network}, which is found by its name: write "
            f"{replace(request, code=None)}"
        )
    return request


def _refuse_missing_code(request: LearnerSpec, record: "Record") -> None:
    """Raises where somebody's own code is needed and was not named; one line says what to write."""
    network = request.code or (_file_of(record.plan.network) if record.plan.network in record.code else None)
    head = request.head or (_file_of(record.learner) if record.learner in record.code else None)
    needed = LearnerSpec(head, network, request.weights)
    if needed != request:
        code = " and ".join(name for name in record.code)
        raise FairshotError(
            f"{request.weights} was trained with {code}, code of somebody's own that weights do not bring along: write "
            f"{needed}"
        )


def _file_of(name: str) -> Code:
    return parse_code(name) if is_own_code(name) else Code("path.py", name)


def _same_name(spec: Spec | None, recorded: str) -> bool:
    return spec is not None and spec.name == parse_spec(recorded).name


def _as_trained(code: Code, recorded: str) -> Code:
    """Code with the settings that it had when it was trained, where none are given."""
    return code if code.settings else replace(code, settings=parse_spec(recorded).settings)


def _assemble(path: Path, record: "Record", request: LearnerSpec, find_head: FindHead) -> "Classifier":
    from fairshot.learners.fitted import load_fitted
    from fairshot.learners.networks.network import find_architecture

    hashes: dict[str, str] = {}
    if request.code is not None:
        architecture = find_own_network(_as_trained(request.code, record.plan.network))
        hashes[record.plan.network] = architecture.file or ""
    else:
        architecture = find_architecture(record.plan.network)
    is_own_head = isinstance(request.head, Code) and _same_name(request.head, record.learner)
    if isinstance(request.head, Code) and is_own_head and record.learner in record.code:
        head: Classifier
        head, hashes[record.learner] = _own_head(request.head, record)
        trained = True
    else:
        chosen = request.head or Name(record.learner)
        trained = isinstance(chosen, Name) and chosen.stem == record.learner
        head = find_head(chosen, record.settings if trained else {})
    fitted = load_fitted(path, architecture.make(record.shape), head, own=trained)
    return replace(fitted, code=hashes, warnings=tuple(_changes(record, hashes))) if hashes else fitted


def _changes(record: "Record", hashes: dict[str, str]) -> list[str]:
    """What is to be said of code that changed since the training; of code that came from no file nothing is known."""
    return [
        f"{name} is not as it was when it was trained, so these may not be the answers of what was trained"
        for name, digest in hashes.items()
        if is_own_code(name) and record.code[name] != digest
    ]


def find_own_network(code: Code) -> "Architecture":
    """A network out of somebody's file."""
    return network_from_file(*load_code(code), code)


def network_from_file(target: Any, digest: str, code: Code) -> "Architecture":
    """What a file has under a name, as a network with its settings."""
    from fairshot.learners.foreign.modules import as_architecture

    architecture = as_architecture(target, str(code), digest, own_settings(target, code))
    if architecture is None:
        raise FairshotError(
            f"{code} is no network: give a torch module from images to vectors, a class of one, or a function that "
            "makes one"
        )
    return architecture


def own_trainable(target: Any, spec: Code | str) -> "Trainable | None":
    """A learner of somebody's own that can be trained, as an instance or made by its class; None if it is none."""
    from fairshot.learners.training.trainable import Trainable

    is_kind = isinstance(target, type) and issubclass(target, Trainable)
    made = make(target, spec) if is_kind else target
    return made if isinstance(made, Trainable) else None


def _own_head(code: Code, record: "Record") -> tuple["Trainable", str]:
    """The learner of somebody's own file, with the settings that it was trained with but for those that are given."""
    target, digest = load_code(code)
    learner = own_trainable(target, _as_trained(code, record.learner))
    if learner is None:
        raise FairshotError(f"{code} is no Trainable, and {record.learner} was one when it was trained: restore it")
    wanted = {**record.settings, **own_settings(target, code)}
    if is_dataclass(learner) and json.loads(json.dumps(dict(learner.settings))) != wanted:
        learner = replace(learner, **wanted)
    return learner, digest


def _unusable(path: Path, request: LearnerSpec, error: Exception) -> FairshotError:
    problem = type(error).__name__
    if request.code:
        return FairshotError(
            f"the weights {path} do not fit {request.code} ({problem}): it has other layers than when it was "
            "trained, so restore the file or train anew"
        )
    return FairshotError(
        f"the weights {path} cannot be used ({problem}): they are damaged or of another version, so train anew"
    )
