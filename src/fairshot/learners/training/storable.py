"""A Storable module gives its weights in the form in which files hold them."""

from torch import Tensor, nn


class Storable(nn.Module):
    """A torch module whose weights can be kept in a file, even where layers share them."""

    def storable(self) -> dict[str, Tensor]:
        """All weights by name, each with memory of its own, as files want them."""
        stored: dict[str, Tensor] = {}
        places: set[int] = set()
        for name, value in self.state_dict().items():
            shared = value.data_ptr() in places  # layers of somebody's own module may share their weights
            stored[name] = value.clone() if shared else value.contiguous()
            places.add(value.data_ptr())
        return stored
