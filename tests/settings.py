"""The product's own settings with what only tests need: a throw-away place for files and cheap password hashes."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

_scratch = Path(tempfile.mkdtemp(prefix="quorum-tests-"))
atexit.register(shutil.rmtree, _scratch, ignore_errors=True)
os.environ["QUORUM_DATA_ROOT"] = str(_scratch)
os.environ.setdefault("QUORUM_AUDIT_KEY", "5e" * 32)

from config.settings import *  # noqa: E402, F403
from config.settings import DATABASES, STATIC_ROOT, STORAGES  # noqa: E402

STATIC_ROOT.mkdir()
# Hashing a password takes half a second by design; tests sign in hundreds of times.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
CELERY_TASK_ALWAYS_EAGER = True
if DATABASES["default"]["ENGINE"] == "config.sqlite":
    # A file, as in production: the writers' lock and several connections do not exist for a database in memory.
    # What survives a power cut is proved on real installations (tests/running); here syncing would only cost time.
    DATABASES["default"]["OPTIONS"]["init_command"] += "PRAGMA synchronous=OFF;"
    DATABASES["default"]["TEST"] = {"NAME": str(_scratch / "test.sqlite3")}
