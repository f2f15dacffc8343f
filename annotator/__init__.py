"""Reading: studies, images, people, assignments, readings and the log of who did what."""
