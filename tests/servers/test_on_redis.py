"""The same jobs and the same throttle with Redis as broker and cache."""

from pathlib import Path

from tests.running.installation import Installation, ended
from tests.running.progress import wait_for
from tests.servers.report import tell
from tests.servers.throwaway import redis

PREPARE = """
from tests import cast
from annotator.models import Case
from annotator.services.assignments import Rule, request_assignment
organiser = cast.person("Olga Organiser", can_create_studies=True)
study = cast.study_of("refuge", organiser=organiser)
cast.add_cast(study, actor=organiser, graders=[cast.person("Gina Grader")])
Case.objects.bulk_create([Case(study=study, number=n) for n in range(1, 11)])
request_assignment(study=study, rule=Rule(None), actor=organiser)
"""
SHARE = """
from django.core.cache import cache
print(type(cache._connections[cache._alias]).__name__, cache.get("seen"))
cache.set("seen", "by another process")
"""


def test_a_job_rung_through_redis_is_done(empty_database: Path, tmp_path: Path) -> None:
    with redis() as address:
        installation = Installation(tmp_path, QUORUM_BROKER_URL=address, QUORUM_AUDIT_KEY="5e" * 32)
        installation.begin_with(empty_database)
        with ended(installation.start_worker()):
            installation.run(PREPARE)
            seen = wait_for(installation, lambda job: job.state == "done")
    assert seen == ("done", 1, 10)
    tell("with Redis: a job rung, done once, and a cache shared by processes")


def test_the_cache_is_shared_by_processes(tmp_path: Path) -> None:
    with redis() as address:
        installation = Installation(tmp_path, QUORUM_BROKER_URL=address)
        installation.run(SHARE)
        assert installation.run(SHARE) == "RedisCache by another process"
