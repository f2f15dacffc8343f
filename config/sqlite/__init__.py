"""Django's SQLite backend with write transactions that take turns."""
