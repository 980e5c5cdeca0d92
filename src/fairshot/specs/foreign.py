"""Somebody's own code as a learner, out of a file or in hand: estimators, functions, encoders, Classifiers."""

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.user_file import load_from_file

if TYPE_CHECKING:
    from fairshot.learners.learner import Classifier


def load_code(spec: str) -> tuple[Any, str]:
    """What a file has under a name, and the hash of the file; weights that it draws are the same every time."""
    import torch

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return load_from_file(spec)


def make(target: Any, spec: str) -> Any:
    """What a class or a function without arguments makes; anything else is itself."""
    import torch

    if not isinstance(target, type) and not (inspect.isfunction(target) and not inspect.signature(target).parameters):
        return target
    try:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            return target()
    except Exception as error:
        if isinstance(target, type) and issubclass(target, torch.nn.Module):
            raise FairshotError(
                f"{spec} is a network that is made for images of some size: train it with fairshot train, or give a "
                f"function without arguments that makes it ({type(error).__name__}: {error})"
            ) from error
        raise FairshotError(f"{spec} cannot be made without arguments ({type(error).__name__}: {error})") from error


def adapt(target: Any, digest: str, spec: str) -> "Classifier":
    """A learner out of whatever somebody has under that name."""
    from torch import nn

    from fairshot.learners.classifiers.prototypes import Prototypes
    from fairshot.learners.foreign.code import Foreign
    from fairshot.learners.foreign.encoders import Encoded
    from fairshot.learners.foreign.estimators import Estimator
    from fairshot.learners.foreign.functions import Function
    from fairshot.learners.learner import Classifier

    made = make(target, spec)
    if isinstance(made, Classifier):
        return Foreign(made, digest)
    if isinstance(made, nn.Module):
        return Encoded(Prototypes(), made, file=digest, name=spec)
    if hasattr(made, "fit") and hasattr(made, "predict"):
        return Estimator(made, file=digest, name=spec)
    if callable(made):
        count = len([p for p in inspect.signature(made).parameters.values() if p.default is p.empty])
        if count == 3:
            return Function(made, name=spec, file=digest)
        if count == 1:
            return Encoded(Prototypes(), made, file=digest, name=spec)
    raise FairshotError(
        f"{spec} is neither a scikit-learn estimator, nor f(support_x, support_y, query_x), nor an encoder f(images), "
        "nor a Classifier"
    )


def as_encoder(target: Any, spec: str) -> Callable[[Any], Any]:
    """A function or a module from images to vectors."""
    made = make(target, spec)
    if not callable(made):
        raise FairshotError(f"{spec} is not an encoder: give a function or a torch module from images to vectors")
    encode: Callable[[Any], Any] = made
    return encode
