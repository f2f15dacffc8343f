"""Python's collector looks at everything that is loaded, which takes 100 ms and more, and does so in the middle of
whatever runs: also of a transaction that others wait for. What is loaded at the start stays for good, so it is told to
leave that alone."""

import gc


def settle() -> None:
    """Once everything is loaded."""
    gc.collect()
    gc.freeze()
