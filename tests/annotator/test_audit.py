"""The log finds every way of tampering with it, and says where."""

import json

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction

from annotator.audit_chain import START, row_digest
from annotator.models import AuditEvent, AuditHead, Study, User
from annotator.selectors.audit import audit_faults
from annotator.services.audit import record
from tests import cast

pytestmark = [pytest.mark.django_db, pytest.mark.contract]


@pytest.fixture
def logged(organiser: User) -> Study:
    """A study whose chain has five events of our own behind those of its making."""
    study = cast.study_of("refuge", organiser=organiser)
    for number in range(1, 6):
        with transaction.atomic():
            record(action="test.happened", actor=organiser, study=study, subject=f"thing {number}", after={"n": number})
    return study


def tamper(sql: str, *values: str | int) -> None:
    """Behind Django's back, as somebody with the database's password would."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("DROP TRIGGER annotator_auditevent_never_changes_update")
            cursor.execute("DROP TRIGGER annotator_auditevent_never_goes_delete")
        else:
            cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(sql, values)


def faults() -> list[str]:
    return [str(fault) for fault in audit_faults()]


def test_an_untouched_log_is_whole(logged: Study) -> None:
    assert faults() == []


def test_an_altered_row_is_named(logged: Study) -> None:
    tamper("UPDATE annotator_auditevent SET subject = 'another' WHERE subject = 'thing 2'")
    number = AuditEvent.objects.get(subject="another").number
    assert faults() == [f"{logged.public_id}, row {number}: altered"]


@pytest.mark.parametrize("column", ["action", "actor_id", "at", "after"])
def test_every_column_that_a_reader_relies_on_is_sealed(logged: Study, column: str, outsider: User) -> None:
    values: dict[str, str | int] = {
        "action": "test.other",
        "actor_id": outsider.pk,
        "at": "2020-01-01 00:00:00+00:00",
        "after": json.dumps({"n": 7}),
    }
    tamper(f"UPDATE annotator_auditevent SET {column} = %s WHERE subject = 'thing 3'", values[column])
    assert "altered" in faults()[0]


def test_a_missing_row_is_named(logged: Study) -> None:
    number = AuditEvent.objects.get(subject="thing 3").number
    tamper("DELETE FROM annotator_auditevent WHERE subject = 'thing 3'")
    assert faults() == [f"{logged.public_id}, row {number + 1}: row {number} missing before it"]


def test_a_cut_off_end_is_found(logged: Study) -> None:
    last = AuditEvent.objects.get(subject="thing 5").number
    tamper("DELETE FROM annotator_auditevent WHERE subject IN ('thing 4', 'thing 5')")
    assert faults() == [f"{logged.public_id}, row {last - 2}: cut off: 2 of {last} rows are missing at the end"]


def test_reordered_rows_are_found(logged: Study) -> None:
    two, three = (AuditEvent.objects.get(subject=f"thing {n}") for n in (2, 3))
    tamper("UPDATE annotator_auditevent SET number = 900 WHERE id = %s", two.pk)
    tamper_again = "UPDATE annotator_auditevent SET number = %s WHERE id = %s"
    with connection.cursor() as cursor:
        cursor.execute(tamper_again, [two.number, three.pk])
        cursor.execute(tamper_again, [three.number, two.pk])
    assert any("altered" in fault for fault in faults())


def test_a_forged_head_does_not_hide_a_cut_off_end(logged: Study) -> None:
    tamper("DELETE FROM annotator_auditevent WHERE subject = 'thing 5'")
    remaining = AuditEvent.objects.filter(chain=logged.public_id).latest("number")
    AuditHead.objects.filter(chain=logged.public_id).update(count=remaining.number, digest=remaining.digest)
    assert "the head of the chain was altered" in faults()[0]


def test_a_removed_chain_is_found(logged: Study) -> None:
    tamper("DELETE FROM annotator_auditevent WHERE chain = %s", logged.public_id)
    assert "cut off" in faults()[0]


def test_a_chain_removed_with_its_head_is_found(logged: Study) -> None:
    tamper("DELETE FROM annotator_auditevent WHERE chain = %s", logged.public_id)
    AuditHead.objects.filter(chain=logged.public_id).delete()
    assert faults() == [f"{logged.public_id}, row 0: the whole log of this study is missing"]


def test_the_database_refuses_to_change_a_row(logged: Study) -> None:
    with pytest.raises(DatabaseError, match="frozen"), transaction.atomic():
        AuditEvent.objects.filter(subject="thing 1").update(subject="another")


@pytest.mark.django_db(transaction=True)
def test_an_event_cannot_be_written_outside_a_transaction(organiser: User) -> None:
    with pytest.raises(RuntimeError, match="transaction"):
        record(action="test.happened", actor=organiser)


def test_the_digest_is_an_hmac_over_the_row_and_the_digest_before_it() -> None:
    """Worked by OpenSSL: printf '%064d{"a":1}' 0 | openssl dgst -sha256 -mac HMAC -macopt hexkey:0102"""
    witness = "3a6cb459df4e1a1f16e1751f29f8f70a3d742f1da4cef64c16679ce52910a2b8"
    assert row_digest(b"\x01\x02", START, {"a": 1}) == witness


def test_the_command_says_which_row(logged: Study) -> None:
    tamper("DELETE FROM annotator_auditevent WHERE subject = 'thing 3'")
    with pytest.raises(CommandError, match="missing before it"):
        call_command("audit", "verify")
