"""Encoders that come with weights of their own: images in, vectors out, whatever head stands on them."""
