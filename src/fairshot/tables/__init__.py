"""Typed tables and documents, and one renderer a form; what the tables say is decided by who makes them."""
