"""What people read of results: sentences and tables, charts and pages; the numbers are computed elsewhere."""
