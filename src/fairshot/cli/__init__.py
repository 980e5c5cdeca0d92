"""The command line, one command a file: options and calls of the verbs, and no logic of its own."""
