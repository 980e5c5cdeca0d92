"""Somebody's own code as a learner, out of a file or in hand: estimators, functions, encoders, Classifiers."""

import inspect
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from fairshot.runtime.errors import FairshotError, alternatives, kind_of
from fairshot.runtime.grammar.name import Code
from fairshot.runtime.user_file import load_from_file, not_made, own_settings
from fairshot.specs.registry import instances

if TYPE_CHECKING:
    from fairshot.learners.learner import Classifier


def load_code(code: Code) -> tuple[Any, str]:
    """What a file has under a name, and the hash of the file; weights that it draws are the same every time."""
    import torch

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return load_from_file(code)


def make(target: Any, spec: Code | str) -> Any:
    """What a class or a function makes that needs no more than its settings; any other function gets them as keywords.

    An object is itself.
    """
    import torch

    settings = own_settings(target, spec) if isinstance(spec, Code) else {}
    if not isinstance(target, type) and not (inspect.isfunction(target) and set(_needed(target)) <= set(settings)):
        return partial(target, **settings) if settings else target
    try:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            return target(**settings)
    except FairshotError:
        raise
    except Exception as error:
        if isinstance(target, type) and issubclass(target, torch.nn.Module):
            raise FairshotError(
                f"{spec} is a network that is made for images of some size: train it with fairshot train, or give a "
                f"function without arguments that makes it ({type(error).__name__}: {error})"
            ) from error
        raise not_made(spec, error) from error


def _needed(function: Callable[..., Any]) -> list[str]:
    """The arguments that have to be given."""
    return [name for name, one in inspect.signature(function).parameters.items() if one.default is one.empty]


def adapt(target: Any, digest: str, spec: Code | str) -> "Classifier":
    """A learner out of whatever somebody has under that name."""
    from torch import nn

    from fairshot.learners.classifiers.prototypes import Prototypes
    from fairshot.learners.encoded import Encoded
    from fairshot.learners.foreign.code import Foreign
    from fairshot.learners.foreign.estimators import Estimator
    from fairshot.learners.foreign.functions import Function
    from fairshot.learners.learner import Classifier

    made, name = make(target, spec), str(spec)
    if isinstance(made, Classifier):
        return Foreign(made, digest)
    if isinstance(made, nn.Module):
        return Encoded(Prototypes(), made, file=digest, name=name)
    if hasattr(made, "fit") and hasattr(made, "predict"):
        _refuse_others(made, name)
        return Estimator(made, file=digest, name=name)
    if callable(made):
        count = len(_needed(made))
        if count == 3:
            return Function(made, name=name, file=digest)
        if count == 1:
            return Encoded(Prototypes(), made, file=digest, name=name)
    named = kind_of(target) if name == type(target).__name__ else name
    raise FairshotError(
        f"{named} is neither a scikit-learn estimator, nor f(support_x, support_y, query_x), nor an encoder f(images), "
        "nor a Classifier"
    )


def _refuse_others(estimator: Any, name: str) -> None:
    """Raises for an estimator that groups without labels, or predicts quantities: its numbers are those of no class."""
    from sklearn.base import ClusterMixin, RegressorMixin

    last = estimator.steps[-1][1] if hasattr(estimator, "steps") else estimator
    if isinstance(last, RegressorMixin):
        raise FairshotError(f"{name} predicts a quantity, and labels are none: give a classifier")
    if isinstance(last, ClusterMixin):
        own = [path.stem for path, _ in instances("learners") if path.parent.name == "clusterers"]
        raise FairshotError(
            f"{name} is a clusterer and never sees a label, so its answers name no class: give a classifier, or "
            f"fairshot's own clusterers {alternatives(own)}"
        )


def as_encoder(target: Any, spec: Code) -> Callable[[Any], Any]:
    """A function or a module from images to vectors."""
    made = make(target, spec)
    if not callable(made):
        raise FairshotError(f"{spec} is not an encoder: give a function or a torch module from images to vectors")
    encode: Callable[[Any], Any] = made
    return encode
