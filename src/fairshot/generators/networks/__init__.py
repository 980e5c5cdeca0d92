"""The networks that generators are made of, without how they are trained."""
