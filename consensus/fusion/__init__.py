"""Readings become one: pure functions from arrays to arrays."""
