"""The verb `predict`: labels for images that nobody has labelled; it scores nothing."""
