"""`make run`'s server: starts, answers, and stops all it started within five seconds, also in mid-job."""

import os
import signal
import time
import urllib.request
from pathlib import Path

from tests.running.installation import Installation, ended, wait_until_served
from tests.running.progress import progress, wait_for
from tests.waiting import until

LARGE_JOB = """
from tests import cast
from annotator.models import Case
from annotator.services.assignments import Rule, request_assignment
organiser = cast.person("Olga Organiser", can_create_studies=True)
study = cast.study_of("refuge", organiser=organiser)
cast.add_cast(study, actor=organiser, graders=[cast.person(f"Grader {n}") for n in range(3)])
Case.objects.bulk_create([Case(study=study, number=n) for n in range(1, 10_001)])
request_assignment(study=study, rule=Rule(None), actor=organiser)
"""


def test_ctrl_c_stops_everything_within_five_seconds(tmp_path: Path) -> None:
    installation = Installation(tmp_path)
    with ended(installation.start("-m", "config.serve")) as process:
        wait_until_served(installation.address)
        with urllib.request.urlopen(f"{installation.address}/account/login/") as page:
            assert page.status == 200
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.wait(60)
        took = time.monotonic() - began
    assert (process.returncode, installation.processes()) == (0, {})
    assert took < 5


def test_a_killed_worker_begins_again_and_ctrl_c_stops_everything_within_five_seconds_in_mid_job(
    empty_database: Path, tmp_path: Path
) -> None:
    installation = Installation(tmp_path, QUORUM_AUDIT_KEY="5e" * 32, QUORUM_WEB_WORKERS="1")
    installation.begin_with(empty_database)
    (tmp_path / "broker").mkdir()
    installation.run(LARGE_JOB)
    with ended(installation.start("-m", "config.serve")) as process:
        wait_for(installation, lambda seen: seen.assigned > 0)
        for worker in workers(installation):
            os.kill(worker, signal.SIGKILL)
        wait_for(installation, lambda seen: seen.attempts == 2)
        wait_until_served(installation.address)  # it never went away
        assert workers(installation)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.wait(60)
        took = time.monotonic() - began
    assert (process.returncode, installation.processes()) == (0, {})
    assert took < 5
    assert progress(installation).state == "running"  # it is taken up again at the next start


def workers(installation: Installation) -> list[int]:
    return [pid for pid, command in installation.processes().items() if "celery" in command]


def test_ctrl_c_stops_a_start_that_is_making_the_demo_and_the_next_start_goes_on_with_it(
    empty_database: Path, tmp_path: Path
) -> None:
    installation = Installation(tmp_path, QUORUM_AUDIT_KEY="5e" * 32, QUORUM_DEMO="1")
    installation.begin_with(empty_database)
    waits = tmp_path / "demo.waits"
    waits.touch()  # as an earlier start left it
    with ended(installation.start("-m", "config.serve")) as process:
        until(lambda: (tmp_path / "media" / "originals").is_dir(), True)  # the first picture has been drawn
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.wait(60)
        took = time.monotonic() - began
        said = process.stdout.read() if process.stdout else ""
    assert (process.returncode, installation.processes()) == (130, {})
    assert took < 5
    assert "Traceback" not in said
    assert "The next start goes on from here." in said
    assert waits.exists()


def test_a_port_in_use_is_said_in_one_line(tmp_path: Path) -> None:
    import socket

    installation = Installation(tmp_path)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", installation.port))
        taken.listen()
        with ended(installation.start("-m", "config.serve")) as process:
            process.wait(60)
            said = process.stdout.read() if process.stdout else ""
    assert process.returncode == 2
    assert said == (
        f"Quorum cannot start: 127.0.0.1:{installation.port} is in use. Set QUORUM_BIND to another host:port.\n"
    )
