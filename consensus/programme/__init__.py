"""The grader programme: how well people read, in an exam and while they work. Pure: answers in, judgements out."""
