"""A frozen version as files: pure, one module for each kind of file."""
