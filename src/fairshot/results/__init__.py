"""What verbs give and what is kept on disk; the text about it is in `fairshot.reports`."""
