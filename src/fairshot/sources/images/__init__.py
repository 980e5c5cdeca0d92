"""Reading and comparing anybody's pictures; the folders that they stand in are `sources.folder`'s."""
