"""Whether a process that once did something is still there."""

from pathlib import Path

STATE, STARTED = 0, 19  # of what follows the name in /proc/PID/stat
GONE = ("Z", "X")  # dead, only not yet buried by its parent


def life_of(pid: int) -> str:
    """Names this one life of a process number, which is given to another process some time after; empty if it ended."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""
    fields = status.rpartition(")")[2].split()
    return "" if fields[STATE] in GONE else f"{pid}:{fields[STARTED]}"
