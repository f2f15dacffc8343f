"""From metrics to scores: intervals, scorecards, rankings; pure."""
