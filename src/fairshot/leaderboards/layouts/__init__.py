"""Files of results as other tools write them, one layout a file."""
