"""Shapes and masks in pixels of the original image. Pure NumPy; no Django.

Pixel (0, 0) is the top-left pixel and its centre is at (0.5, 0.5); x runs right, y down.
"""
