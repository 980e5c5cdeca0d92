"""Reading anybody's arrays and tables (npz, CSV, Parquet, ...); pictures are in `sources.images`."""
