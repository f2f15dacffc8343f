"""Graders and models are scored against the reference."""
