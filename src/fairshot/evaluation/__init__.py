"""The verbs `evaluate`, `compare`, `diagnose` and `train`: learners meet episodes; intervals are made elsewhere."""
