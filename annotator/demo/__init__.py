"""Five living studies to look at, made by the same services that people's clicks call."""
