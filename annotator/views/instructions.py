"""Grading instructions: everybody in the study reads them, organisers write them."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotator import access
from annotator.access import May
from annotator.errors import NotVisible
from annotator.markdown import render_markdown
from annotator.models import Target
from annotator.selectors.work import examples_of, targets_of
from annotator.services.instructions import MOST_EXAMPLES, add_example, remove_example
from annotator.services.studies import write_instructions
from annotator.views.base import StudyView, put_right
from annotator.views.instruction_forms import ExampleForm, InstructionsForm
from annotator.views.taking_files import TakesFiles, reopened


class StudyInstructions(StudyView):
    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        context = self.context()
        targets = targets_of(self.study, graded_only="see_all_work" not in context["rights"])
        context["targets"] = [(target, render_markdown(target.instructions)) for target in targets]
        return render(request, "work/instructions.html", context)


class _TargetView(StudyView):
    may = May.MANAGE

    def target(self, key: str) -> Target:
        target = Target.objects.filter(study=self.study, key=key).first()
        if target is None:
            raise NotVisible("not_found", _("There is no such target in this study."))
        return target

    def page(self, target: Target, status: int = 200, **more: Any) -> HttpResponse:
        written = {"instructions": target.instructions, "version": target.version}
        context = self.context(
            target=target,
            examples=examples_of(target),
            most_examples=MOST_EXAMPLES,
            **{
                "form": InstructionsForm(initial=written),
                "example_form": ExampleForm(),
                "preview": render_markdown(target.instructions),
                **more,
            },
        )
        return render(self.request, "work/target_instructions.html", context, status=status)


class TargetInstructions(_TargetView):
    def get(self, request: HttpRequest, study_id: str, target_key: str) -> HttpResponse:
        return self.page(self.target(target_key))

    def post(self, request: HttpRequest, study_id: str, target_key: str) -> HttpResponse:
        target, form = self.target(target_key), InstructionsForm(request.POST)
        if not form.is_valid():
            return self.page(target, form=form, status=400)
        said = form.cleaned_data
        preview = render_markdown(said["instructions"])
        if "preview" in request.POST:
            return self.page(target, form=form, preview=preview, unsaved=True)
        text, version = said["instructions"], said["version"]
        saved = put_right(form, lambda: write_instructions(target=target, version=version, text=text, actor=self.user))
        if saved is None:
            return self.page(target, form=form, preview=preview, unsaved=True, status=409)
        messages.success(request, _("The instructions were saved."))
        return redirect("study_instructions", self.study.public_id)


class ExampleAdd(TakesFiles, _TargetView):
    may = May.MANAGE
    http_method_names = ["post"]

    def post(self, request: HttpRequest, study_id: str, target_key: str) -> HttpResponse:
        target, form = self.target(target_key), ExampleForm(request.POST, request.FILES)
        if not form.is_valid():
            return self.page(target, example_form=form, status=400)
        file, caption = form.cleaned_data["file"], form.cleaned_data["caption"]
        added = put_right(
            form,
            lambda: add_example(
                target=target, name=file.name, content=reopened(file), caption=caption, actor=self.user
            ),
        )
        if added is None:
            return self.page(target, example_form=form, status=400)
        messages.success(request, _("The example was added."))
        return redirect("target_instructions", self.study.public_id, target.key)


class ExampleRemove(_TargetView):
    http_method_names = ["post"]

    def post(self, request: HttpRequest, study_id: str, target_key: str, example_id: str) -> HttpResponse:
        target = self.target(target_key)
        example = access.examples_visible_to(self.user).filter(target=target, public_id=example_id).first()
        if example is None:
            raise NotVisible("not_found", _("There is no such example."))
        remove_example(example=example, actor=self.user)
        messages.success(request, _("The example was removed."))
        return redirect("target_instructions", self.study.public_id, target.key)
