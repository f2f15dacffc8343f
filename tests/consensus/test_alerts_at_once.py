"""Two who find the same crossing at the same moment raise one alert, on both databases."""

import threading

import pytest
from django.db import IntegrityError, connection, transaction

from annotator.models import AuditEvent, Membership, Study, User
from consensus.models import Alert
from consensus.services.watching import Crossed, raise_alerts
from protocols.names import Performance
from protocols.reading import Limit
from tests import cast

LIMIT = Limit("referable_glaucoma", Performance.SENSITIVITY, 0.8)


def watched(organiser: User, grader: User) -> tuple[Study, Crossed]:
    study = cast.study_of("airogs", organiser=organiser)
    [member] = cast.add_cast(study, actor=organiser, graders=[grader])
    return study, Crossed(member.pk, LIMIT, look=30, rate=0.4, of=30, bound=0.55)


@pytest.mark.contract
@pytest.mark.django_db(transaction=True)
def test_two_at_once_raise_one_alert(organiser: User, graders: list[User]) -> None:
    study, crossed = watched(organiser, graders[0])
    together, raised = threading.Barrier(2), list[Alert]()

    def look() -> None:
        try:
            together.wait()
            raised.extend(raise_alerts(study=study, crossings=[crossed]))
        finally:
            connection.close()

    workers = [threading.Thread(target=look) for _each in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()

    assert len(raised) == 1
    assert Alert.objects.count() == AuditEvent.objects.filter(action="alert.raised").count() == 1


@pytest.mark.contract
@pytest.mark.django_db
def test_the_database_itself_refuses_a_second_open_alert_of_a_limit(organiser: User, graders: list[User]) -> None:
    study, crossed = watched(organiser, graders[0])
    raise_alerts(study=study, crossings=[crossed])

    again = Alert.objects.get()
    again.pk, again.public_id = None, "another"
    with pytest.raises(IntegrityError), transaction.atomic():
        again.save(force_insert=True)
    assert Membership.objects.get(pk=crossed.grader).alerts.count() == 1
