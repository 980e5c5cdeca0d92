"""The main jobs of the package, one after the other, on invented handwriting or on images of one's own."""
