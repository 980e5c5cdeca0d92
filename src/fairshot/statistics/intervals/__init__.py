"""How much a mean varies, one file for what varies: images, classes, parents, runs; no text about it."""
