"""What is measured of a candidate against a reference; pure. `registry.METRICS` names every metric."""
