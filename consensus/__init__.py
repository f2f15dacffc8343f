"""Readings become one reference: fusion, agreement, review."""
