"""Addresses of the pages, by subject."""
