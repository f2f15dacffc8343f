"""Dividing cases into parts such as training and test, and saying how alike the parts came out. Pure."""
