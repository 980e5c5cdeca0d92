"""Ways to call a function on many items in order: one after the other, in threads, in processes or with Ray."""
