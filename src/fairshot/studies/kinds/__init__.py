"""What several studies have in common, one kind a file; no study itself."""
