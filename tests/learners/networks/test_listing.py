"""Networks are found by their names."""

from fairshot.learners.foreign.modules import as_network
from fairshot.learners.networks.network import find_architecture, make_network
from fairshot.specs.learners import use_registered_networks


def test_the_registry_finds_the_networks_of_this_package_as_they_are() -> None:
    use_registered_networks()
    found = find_architecture("conv4")
    assert (found.name, found.file) == ("conv4", None)
    network = make_network("conv4", (1, 16))
    assert as_network(network, "conv4", (1, 16)) is network
