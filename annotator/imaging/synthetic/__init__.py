"""Drawn pictures with exact ground truth, for the demo and the tests. Pure and seeded.

The same seed gives the same bytes on the same machine; lengths on the retina are in disc diameters (DD),
the fovea at the origin, nasal to the right as in a right eye; a `View` turns them into pixels.
"""
