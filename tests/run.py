"""`make test`: install what is missing, then pytest, which also runs lint, types and the front end's own tests."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.servers.binaries import NEEDED, missing_packages, wished_packages

# One more than the cores of a small machine, because servers and browsers make a test wait as often as work. The tests
# of a file share what is made once for all of them; the files come in the order of `tests/conftest.py`.
PYTEST = [sys.executable, "-m", "pytest", "-n", "3", "--dist", "loadfile", "--no-loadscope-reorder"]
APT_GET = ["apt-get", "-qq", "-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=20"]
INSTALL = ["install", "-y", "--no-install-recommends"]


def main() -> int:
    install_missing()
    with tempfile.TemporaryDirectory(prefix="quorum-report-") as folder:
        report = Path(folder) / "ran.json"
        report.write_text("[]")
        return subprocess.run([*PYTEST, *sys.argv[1:]], env=os.environ | {"TEST_REPORT": str(report)}).returncode


def install_missing() -> None:
    missing, wished = missing_packages(), wished_packages()
    may_install = os.geteuid() == 0 and shutil.which("apt-get") is not None
    if missing and not may_install:
        wanted = ", ".join(name for name, need in NEEDED.items() if need.package in missing)
        command = f"apt-get update && apt-get {' '.join(INSTALL)} {' '.join(missing)}"
        sys.exit(f"The tests need {wanted}. Install them first, on Debian as root:\n    {command}")
    if may_install and (missing or wished):
        _install(missing, wished)


def _install(missing: list[str], wished: list[str]) -> None:
    print(f"Installing {', '.join([*missing, *wished])}…", flush=True)
    updated = _quietly("update")
    if missing and not (updated and _quietly(*INSTALL, *missing)):
        sys.exit(f"This failed; run it by hand to see why:\n    apt-get {' '.join([*INSTALL, *missing])}")
    if wished and not (updated and _quietly(*INSTALL, *wished)):
        print(f"The tests go on without {', '.join(wished)}, which would make them faster.", flush=True)


def _quietly(*arguments: str) -> bool:
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    done = subprocess.run(
        [*APT_GET, *arguments], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT, check=False
    )
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
