"""kill -9 of the server while graders save: what was answered is on disk, whole; what was not can be sent again."""

import os
import random
import signal
import threading
import time
from pathlib import Path

from tests.running.installation import Installation
from tests.running.nursery import nursery
from tests.running.savers import Saver, compare_with_disk, seated

KILLS, SEED = 20, 1968
PAUSE_SECONDS = 0.01


class Streak(threading.Thread):
    """Saves until nobody answers any more. The change that got no answer last time goes first, as the page does it."""

    def __init__(self, saver: Saver) -> None:
        super().__init__()
        self.saver, self.first, self.fault = saver, threading.Event(), ""

    def run(self) -> None:
        try:
            self._save_first()
            self.first.set()
            while True:
                self.saver.save(self.saver.next_change())
        except OSError:
            return
        except AssertionError as fault:
            self.fault = str(fault)
        finally:
            self.first.set()

    def _save_first(self) -> None:
        """Until the server listens, nobody does, or the one that was killed has not quite let go of its port."""
        change = self.saver.unanswered or self.saver.next_change()
        deadline = time.monotonic() + 60
        while True:
            try:
                self.saver.save(change)
            except OSError:
                if time.monotonic() > deadline:
                    raise AssertionError("the server does not answer") from None
                time.sleep(PAUSE_SECONDS)
            else:
                return


def test_kill_9_of_the_server_loses_no_acknowledged_save_and_leaves_none_half_written(
    empty_database: Path, tmp_path: Path
) -> None:
    installation = Installation(tmp_path, QUORUM_AUDIT_KEY="5e" * 32, QUORUM_SECRET_KEY="of-the-test-" * 5)
    installation.begin_with(empty_database)
    savers = seated(installation, people=2)
    moments, interrupted = random.Random(SEED), 0
    with nursery(installation) as servers:
        for _ in range(KILLS):
            with servers.server() as group:
                streaks = [Streak(saver) for saver in savers]
                for streak in streaks:
                    streak.start()
                for streak in streaks:
                    streak.first.wait(90)
                time.sleep(moments.uniform(0, 0.15))
                os.killpg(group, signal.SIGKILL)
            for streak in streaks:
                streak.join(60)
            assert [streak.fault for streak in streaks] == [""] * len(streaks)
            interrupted += sum(saver.unanswered is not None for saver in savers)
            compare_with_disk(savers, tmp_path / "quorum.sqlite3")
    assert all(saver.count >= KILLS for saver in savers)
    assert interrupted >= KILLS
    assert "The log is whole" in installation.manage("audit", "verify").stdout
