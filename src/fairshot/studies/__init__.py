"""Published tables and questions of our own, one a file; what they gave is in the folder results/."""
