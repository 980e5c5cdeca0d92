"""From words such as `neighbours:k=3` to objects; what the objects do is in their own packages."""
