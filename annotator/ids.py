"""Random identifiers that say nothing about what they name."""

import secrets

ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"  # without i, l, o, 0 and 1, which people confuse
LENGTH = 16


def new_public_id() -> str:
    """About 79 random bits, safe in addresses and easy to read aloud."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def new_seed() -> int:
    """A seed to be stored, so that a random order can be made again."""
    return secrets.randbelow(2**31)
