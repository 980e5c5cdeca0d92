"""How generators are trained: lessons, losses and the loop; the networks themselves are in `generators.networks`."""
