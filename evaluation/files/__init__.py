"""Scoring and ranking of files alone: no database, no study."""
