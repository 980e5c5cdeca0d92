"""Charts, one a file, as Vega-Lite; what they show is computed elsewhere."""
