"""The HTML page of a result, one section a file; tables and sentences come from elsewhere."""
