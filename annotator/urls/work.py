"""Images, upload, people, assignment, instructions and reading."""

from django.urls import URLPattern, path

from annotator.views import (
    assignments,
    files,
    flags,
    images,
    instructions,
    invitations,
    people,
    practice,
    reading,
    readings,
    rounds,
    upload,
    upload_arrivals,
    upload_plan,
    worklist,
)

urlpatterns: list[URLPattern] = [
    path("studies/<str:study_id>/images/", images.StudyImages.as_view(), name="study_images"),
    path("studies/<str:study_id>/images/<str:image_id>/", images.ImagePage.as_view(), name="image"),
    path("images/<str:image_id>/file", files.ImageFile.as_view(), name="image_file"),
    path("images/<str:image_id>/view", files.ImageView.as_view(), name="image_view"),
    path("images/<str:image_id>/thumbnail", files.ImageThumbnail.as_view(), name="image_thumbnail"),
    path("studies/<str:study_id>/upload/", upload.StudyUpload.as_view(), name="study_upload"),
    path("studies/<str:study_id>/upload/plan/", upload_plan.StudyUploadPlan.as_view(), name="study_upload_plan"),
    path("studies/<str:study_id>/upload/batch/", upload_plan.StudyUploadBatch.as_view(), name="study_upload_batch"),
    path("studies/<str:study_id>/upload/arrivals/", upload_arrivals.ArrivalBegin.as_view(), name="arrival_begin"),
    *(
        path(f"studies/<str:study_id>/upload/arrivals/<str:arrival_id>/{step}/", view, name=f"arrival_{step}")
        for step, view in {
            "part": upload_arrivals.ArrivalPart.as_view(),
            "plan": upload_arrivals.ArrivalPlan.as_view(),
            "import": upload_arrivals.ArrivalImport.as_view(),
            "forget": upload_arrivals.ArrivalForget.as_view(),
        }.items()
    ),
    path("studies/<str:study_id>/upload/archive/", upload.StudyUploadArchive.as_view(), name="study_upload_archive"),
    path("studies/<str:study_id>/people/", people.StudyPeople.as_view(), name="study_people"),
    path("studies/<str:study_id>/people/invite/", people.Invite.as_view(), name="invite"),
    path(
        "studies/<str:study_id>/people/<str:member_id>/deactivate/",
        people.MemberDeactivate.as_view(),
        name="member_deactivate",
    ),
    path(
        "studies/<str:study_id>/people/<str:member_id>/reactivate/",
        people.MemberReactivate.as_view(),
        name="member_reactivate",
    ),
    path("studies/<str:study_id>/people/<str:member_id>/remind/", people.MemberRemind.as_view(), name="member_remind"),
    path(
        "studies/<str:study_id>/people/<str:member_id>/specialty/",
        people.MemberSpecialty.as_view(),
        name="member_specialty",
    ),
    path(
        "studies/<str:study_id>/invitations/<str:invitation_id>/revoke/",
        people.InvitationRevoke.as_view(),
        name="invitation_revoke",
    ),
    path("invitations/<str:token>/", invitations.InvitationPage.as_view(), name="invitation"),
    path("studies/<str:study_id>/assign/", assignments.StudyAssign.as_view(), name="study_assign"),
    path("studies/<str:study_id>/assign/again/", assignments.StudyRepeats.as_view(), name="study_repeats"),
    path("studies/<str:study_id>/instructions/", instructions.StudyInstructions.as_view(), name="study_instructions"),
    path(
        "studies/<str:study_id>/instructions/<slug:target_key>/",
        instructions.TargetInstructions.as_view(),
        name="target_instructions",
    ),
    path(
        "studies/<str:study_id>/instructions/<slug:target_key>/examples/",
        instructions.ExampleAdd.as_view(),
        name="example_add",
    ),
    path(
        "studies/<str:study_id>/instructions/<slug:target_key>/examples/<str:example_id>/remove/",
        instructions.ExampleRemove.as_view(),
        name="example_remove",
    ),
    path("examples/<str:example_id>/file", files.ExampleFile.as_view(), name="example_file"),
    path("worklist/<str:study_id>/", worklist.WorklistPage.as_view(), name="worklist"),
    path("practice/<str:study_id>/<int:number>/", practice.PracticePage.as_view(), name="practice"),
    path(
        "practice/<str:study_id>/<int:number>/<int:position>/image",
        practice.PracticeImage.as_view(),
        name="practice_image",
    ),
    path("read/<str:assignment_id>/", reading.ReadCase.as_view(), name="read"),
    path("read/<str:assignment_id>/fellow/image", files.ReadFellow.as_view(), name="read_fellow"),
    path("read/<str:assignment_id>/skip/", worklist.SkipCase.as_view(), name="case_skip"),
    path("read/<str:assignment_id>/flag/", flags.FlagCase.as_view(), name="case_flag"),
    path("studies/<str:study_id>/readings/", readings.StudyReadings.as_view(), name="study_readings"),
    path(
        "studies/<str:study_id>/readings/<str:reading_id>/reopen/",
        readings.ReadingReopen.as_view(),
        name="reading_reopen",
    ),
    path("studies/<str:study_id>/rounds/new/", rounds.RoundBegin.as_view(), name="round_begin"),
    path("studies/<str:study_id>/rounds/<str:round_id>/", rounds.RoundChange.as_view(), name="round_change"),
    path("studies/<str:study_id>/rounds/<str:round_id>/dates/", rounds.RoundDates.as_view(), name="round_dates"),
    path("studies/<str:study_id>/flags/", flags.StudyFlags.as_view(), name="study_flags"),
    path("studies/<str:study_id>/flags/<str:flag_id>/close/", flags.FlagClose.as_view(), name="flag_close"),
    path("studies/<str:study_id>/flags/<str:flag_id>/fix/", flags.FlagFix.as_view(), name="flag_fix"),
    path("read/<str:assignment_id>/<int:position>/image", files.ReadImage.as_view(), name="read_image"),
    path("read/<str:assignment_id>/<int:position>/thumbnail", files.ReadThumbnail.as_view(), name="read_thumbnail"),
]
