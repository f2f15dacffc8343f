"""Pictures: reading, checking, adjusting and drawing them. Pure; no Django."""
