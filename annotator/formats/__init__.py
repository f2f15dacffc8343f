"""File formats, one module each. Pure: no Django."""
