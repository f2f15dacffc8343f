"""`make test`: install what is missing, lint, types, front-end tests, then pytest, whose summary line comes last."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.servers.binaries import NEEDED, missing_packages

PYTHON = sys.executable
CHECKS = {
    "ruff": [PYTHON, "-m", "ruff", "check", "."],
    "ruff format": [PYTHON, "-m", "ruff", "format", "--check", "--quiet", "."],
    "mypy strict": [PYTHON, "-m", "mypy", "."],
    "tsc strict": ["npm", "run", "--silent", "check"],
    "front-end unit tests": ["npm", "test", "--silent"],
    "migrations complete": [PYTHON, "manage.py", "makemigrations", "--check", "--dry-run", "--skip-checks"],
}


def main() -> int:
    install_missing()
    ran = run_checks()
    with tempfile.TemporaryDirectory(prefix="quorum-report-") as folder:
        report = Path(folder) / "ran.json"
        report.write_text(json.dumps(ran))
        # One more than the cores of a small machine, because servers and browsers make a test wait as often as work.
        command = [PYTHON, "-m", "pytest", "-n", "3", "--dist", "loadgroup", *sys.argv[1:]]
        return subprocess.run(command, env=os.environ | {"TEST_REPORT": str(report)}).returncode


def install_missing() -> None:
    packages = missing_packages()
    if not packages:
        return
    command = f"apt-get install -y --no-install-recommends {' '.join(packages)}"
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        wanted = ", ".join(name for name, need in NEEDED.items() if need.package in packages)
        sys.exit(f"The tests need {wanted}. Install them first, on Debian as root:\n    apt-get update && {command}")
    print(f"Installing {', '.join(packages)}…", flush=True)
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.STDOUT}
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for step in ("apt-get update -qq", command):
        if subprocess.run(step.split(), env=environment, **quiet).returncode:  # type: ignore[call-overload]
            sys.exit(f"This failed; run it by hand to see why:\n    {step}")


def run_checks() -> list[str]:
    """Two at a time; the first failure is shown and ends the run."""
    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(_run_check, CHECKS))
    if not all(outcomes):
        sys.exit("The checks above must pass before the tests are run.")
    return [", ".join(CHECKS)]


def _run_check(name: str) -> bool:
    began = time.monotonic()
    done = subprocess.run(CHECKS[name], capture_output=True, text=True)
    passed = done.returncode == 0
    print(f"{'passed' if passed else 'FAILED'}  {name} ({time.monotonic() - began:.1f} s)", flush=True)
    if not passed:
        print(done.stdout + done.stderr, flush=True)
    return passed


if __name__ == "__main__":
    sys.exit(main())
