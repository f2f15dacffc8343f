"""Five living studies to look at, and an entrance exam, made by the same services that people's clicks call."""
