"""Truth speaks the recipes' words, so that it can be stored as readings without a table between them."""

from annotator.imaging.synthetic.eye import SIGNS
from annotator.imaging.synthetic.lesions import AMD_STAGES, KINDS
from protocols import adam, airogs


def test_lesion_kinds_are_target_keys_of_adam() -> None:
    assert set(KINDS) <= {target.key for target in adam.targets}


def test_amd_stages_are_the_options_of_adam_and_none() -> None:
    stage = next(target for target in adam.targets if target.key == "amd_stage")
    assert ("none", *(option.key for option in stage.options)) == AMD_STAGES


def test_signs_are_those_of_airogs() -> None:
    assert set(SIGNS) == {sign.key for sign in airogs.referable_glaucoma.signs}
