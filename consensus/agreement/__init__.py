"""How far readings agree: pure functions from arrays to numbers, each with its source."""
