"""How specs and lists are taken apart into words and values; what the words mean is decided in `fairshot.specs`."""
