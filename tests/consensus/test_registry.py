"""Every rule by its name, on pictures an eye can check; and laws that hold for all of them."""

import hashlib
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from numpy.typing import NDArray

from annotator.geometry import runs
from annotator.geometry.ellipse import Ellipse
from annotator.geometry.ellipse_runs import ellipse_toggles
from consensus.fusion.digests import fused_digest, points_digest
from consensus.fusion.registry import RULES, UnknownRule, fuse, knows
from consensus.fusion.replies import UNDECIDED, Reply
from consensus.fusion.soft import pack_votes, unpack_votes
from consensus.fusion.standing import place_standing
from protocols import PUBLISHED
from protocols.names import Answer, ConsensusRule, Kind, Source, TieRule
from protocols.targets import Consensus, Target, rules_for
from tests.geometry.pictures import drawing, mask

DISC = PUBLISHED["adam"].target("disc")
FOVEA = PUBLISHED["adam"].target("fovea")
DRUSEN = PUBLISHED["adam"].target("drusen")
GLANDS = PUBLISHED["glas"].target("glands")
GRADE = PUBLISHED["glas"].target("grade")
RG = PUBLISHED["airogs"].targets[0]


def drawn(*rows: str) -> Reply:
    return Reply(masks=(runs.encode(mask(*rows)),))


def picture(toggles: NDArray[np.int32], width: int, height: int) -> list[str]:
    return drawing(runs.decode(toggles, width, height))


def test_a_pixel_is_in_when_more_than_half_marked_it() -> None:
    fused = fuse(DRUSEN, [drawn("##.", "#.."), drawn("#..", "##."), drawn("#..", "..#")], 3, 2)
    assert picture(fused.masks[0], 3, 2) == ["#..", "#.."]
    assert fused.measures.numbers["area_px"] == 2


def test_absent_enters_the_vote_as_an_empty_mask() -> None:
    absent = Reply(answer="absent")
    fused = fuse(DRUSEN, [drawn("##"), drawn("##"), absent, absent], 2, 1)
    assert (fused.answer, fused.measures.numbers["tied_px"]) == ("absent", 2)
    assert fused.measures.counts == {"present": 2, "absent": 2}


def test_a_vote_without_a_common_pixel_is_empty_and_still_present_if_everybody_drew() -> None:
    fused = fuse(DRUSEN, [drawn("#.."), drawn(".#."), drawn("..#")], 3, 1)
    assert (fused.answer, fused.masks[0].tolist()) == ("present", [])


def test_a_tie_is_foreground_only_where_the_recipe_says_so() -> None:
    replies = [drawn("##."), drawn("#.#")]
    foreground = replace(DRUSEN, consensus=replace(DRUSEN.consensus, ties=TieRule.FOREGROUND))
    assert picture(fuse(DRUSEN, replies, 3, 1).masks[0], 3, 1) == ["#.."]
    assert picture(fuse(foreground, replies, 3, 1).masks[0], 3, 1) == ["###"]


def test_dice_and_area_of_each_reading_stand_beside_the_vote() -> None:
    # |vote| = 2; the first reading shares both of its two pixels, the second 1 of 1, the third 1 of 3 with it.
    fused = fuse(DRUSEN, [drawn("##.."), drawn(".#.."), drawn("#.##")], 4, 1)
    assert fused.measures.per_reply["dice"] == pytest.approx([2 * 2 / 4, 2 * 1 / 3, 2 * 1 / 5])
    assert fused.measures.per_reply["area_px"] == [2, 1, 3]
    # Pairs share 1, 1 and 0 pixels; their unions have 2, 4 and 4.
    assert fused.measures.numbers["gci"] == pytest.approx(2 / 10)


def test_a_reference_by_staple_keeps_its_prior_its_region_and_the_graders_rates() -> None:
    """Two of three graders mark four of ten pixels, the third two of them: 10 marks of 30."""
    target = replace(DISC, consensus=Consensus(rule=ConsensusRule.STAPLE))

    measures = fuse(target, [drawn("####......"), drawn("####......"), drawn("##........")], 10, 1).measures

    assert measures.numbers["prior"] == pytest.approx(10 / 30)
    assert measures.numbers["region_px"] == 10
    assert measures.per_reply["sensitivity"] == pytest.approx([1.0, 1.0, 0.5], abs=1e-3)
    assert measures.per_reply["specificity"] == pytest.approx([1.0, 1.0, 1.0], abs=1e-3)


def test_ellipses_are_voted_as_pixels_and_described_by_an_ellipse_again() -> None:
    target = PUBLISHED["refuge"].target("disc")
    ellipses = [Ellipse(60 + shift, 50, 30, 20, 10) for shift in (-2, 0, 2)]
    fused = fuse(target, [Reply(masks=(ellipse_toggles(one, 120, 100),)) for one in ellipses], 120, 100)
    votes = sum(runs.decode(ellipse_toggles(one, 120, 100), 120, 100).astype(int) for one in ellipses)
    assert (runs.decode(fused.masks[0], 120, 100) == (np.asarray(votes) >= 2)).all()
    assert fused.ellipse is not None
    assert (fused.ellipse.cx, fused.ellipse.cy) == pytest.approx((60, 50), abs=0.2)


def test_not_visible_is_voted_before_points_are_averaged() -> None:
    seen, unseen = Reply(point=(10.0, 20.0)), Reply(answer="not-visible")
    assert fuse(FOVEA, [seen, unseen], 50, 50).answer == "not-visible"
    fused = fuse(FOVEA, [seen, Reply(point=(14.0, 23.0)), unseen], 50, 50)
    assert fused.point == (12.0, 21.5)
    assert fused.measures.per_reply["distance_px"] == pytest.approx([2.5, 2.5, None])


def test_a_point_far_from_all_others_is_flagged() -> None:
    near = [Reply(point=(10.0 + dx, 10.0 + dy)) for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))]
    fused = fuse(FOVEA, [*near, Reply(point=(40.0, 40.0))], 50, 50)
    assert fused.measures.per_reply["outlier"] == [False, False, False, False, True]


def test_objects_are_matched_and_the_unmatched_listed() -> None:
    two, one = mask("##..##"), mask("##....")
    left, right = mask("##...."), mask("....##")
    both = Reply(masks=(runs.encode(left), runs.encode(right)))
    fused = fuse(GLANDS, [both, Reply(masks=(runs.encode(one),)), Reply(masks=(runs.encode(one),))], 6, 1)
    assert [picture(each, 6, 1) for each in fused.masks] == [["##...."]]
    assert fused.measures.left_out == [{"reply": 0, "object": 2, "reason": "too few graders"}]
    assert fused.measures.per_reply["area_px"] == [two.sum(), one.sum(), one.sum()]


def test_labels_without_a_majority_are_left_undecided() -> None:
    replies = [Reply(label="benign"), Reply(label="malignant")]
    assert fuse(GRADE, replies, 1, 1).answer == UNDECIDED
    assert fuse(GRADE, [*replies, Reply(label="benign")], 1, 1).label == "benign"


def test_two_equal_labels_stand_and_two_different_ones_are_for_the_adjudicator() -> None:
    (first, second) = (option.key for option in RG.options[:2])
    assert fuse(RG, [Reply(label=first), Reply(label=first)], 1, 1).label == first
    assert fuse(RG, [Reply(label=first), Reply(label=second)], 1, 1).answer == UNDECIDED
    assert fuse(RG, [Reply(label=first)], 1, 1).answer == UNDECIDED


def test_signs_are_those_of_most_graders_who_gave_the_label() -> None:
    positive, signs = RG.signs_show_when or "", [sign.key for sign in RG.signs]
    replies = [Reply(label=positive, signs=(signs[0], signs[1])), Reply(label=positive, signs=(signs[0],))]
    assert fuse(RG, replies, 1, 1).signs == (signs[0],)


def test_a_single_reading_is_its_own_reference_where_one_is_enough() -> None:
    fused = fuse(DRUSEN, [drawn("##.", ".##")], 3, 2)
    assert picture(fused.masks[0], 3, 2) == ["##.", ".##"]
    assert "gci" not in fused.measures.numbers


def test_nobody_and_an_unknown_rule_are_refused_in_words() -> None:
    with pytest.raises(ValueError, match="nobody has read"):
        fuse(DRUSEN, [], 3, 2)
    by_model = replace(GRADE, consensus=Consensus(rule=ConsensusRule.DAWID_SKENE))
    with pytest.raises(UnknownRule, match="dawid-skene"):
        fuse(by_model, [Reply(label="benign")], 1, 1)


def test_masks_of_another_size_are_refused() -> None:
    outside = Reply(masks=(np.array([0, 40], dtype=np.int32),))
    with pytest.raises(ValueError, match="outside the 3×2 pixels"):
        fuse(DRUSEN, [outside, outside], 3, 2)


def _replies(kind: Kind) -> list[Reply]:
    if kind in {Kind.MASK, Kind.ELLIPSE, Kind.OBJECTS}:
        return [drawn(".##.", ".##."), drawn("..##", "..##"), drawn(".###", "...."), Reply(answer="absent")]
    if kind is Kind.POINT:
        return [Reply(point=(1.0, 2.0)), Reply(point=(3.0, 1.0)), Reply(point=(2.0, 9.0)), Reply(answer="absent")]
    return [Reply(label="a"), Reply(label="b"), Reply(label="a"), Reply(label="a")]


WAYS = [(kind, rule) for kind, rules in RULES.items() for rule in rules]


@pytest.mark.parametrize(("kind", "rule"), WAYS)
def test_the_order_of_the_graders_never_matters(kind: Kind, rule: ConsensusRule) -> None:
    base = {Kind.LABEL: GRADE, Kind.POINT: FOVEA, Kind.OBJECTS: GLANDS}.get(kind, DRUSEN)
    target = replace(base, answers=(Answer.ABSENT,), consensus=Consensus(rule=rule))
    digests = {fused_digest(kind, fuse(target, order, 4, 2), 4, 2) for order in permutations(_replies(kind))}
    assert len(digests) == 1


@pytest.mark.parametrize(("kind", "rule"), WAYS)
def test_graders_who_say_the_same_are_the_reference_however_many_they_are(kind: Kind, rule: ConsensusRule) -> None:
    base = {Kind.LABEL: GRADE, Kind.POINT: FOVEA, Kind.OBJECTS: GLANDS}.get(kind, DRUSEN)
    target = replace(base, consensus=Consensus(rule=rule))
    said = _replies(kind)[0]
    for many in (2, 3, 7):
        found = fuse(target, [said] * many, 4, 2)
        assert [mask.tolist() for mask in found.masks] == [mask.tolist() for mask in said.masks]
        assert found.point == (pytest.approx(said.point) if said.point else None)
        assert (found.answer, found.label) == (said.answer, said.label)


@pytest.mark.parametrize("many", [1, 2, 7])
@pytest.mark.parametrize("rule", RULES[Kind.MASK])
def test_empty_masks_give_an_empty_one_full_ones_a_full_one_and_one_grader_his_own(
    rule: ConsensusRule, many: int
) -> None:
    target = replace(DRUSEN, answers=(), consensus=Consensus(rule=rule))
    for said in (drawn("...", "..."), drawn("###", "###"), drawn(".#.", "##.")):
        (mask_found,) = fuse(target, [said] * many, 3, 2).masks
        assert mask_found.tolist() == said.masks[0].tolist()


def test_every_rule_that_a_recipe_may_name_is_known_but_the_one_that_needs_all_cases() -> None:
    for kind in RULES:
        unknown = rules_for(kind, Source.GRADED) - set(RULES[kind])
        assert unknown <= {ConsensusRule.DAWID_SKENE}
    assert all(knows(target) for recipe in PUBLISHED.values() for target in recipe.targets if _is_voted(target))


def _is_voted(target: Target) -> bool:
    return target.source is Source.GRADED


def test_digests_are_of_the_content_alone() -> None:
    disc = fuse(DISC, [drawn("##."), drawn("##.")], 3, 1)
    header = np.array([3, 1, 0, 2], dtype="<i4").tobytes()
    assert fused_digest(Kind.MASK, disc, 3, 1) == hashlib.sha256(header).hexdigest()
    unseen = fuse(FOVEA, [Reply(answer="not-visible")], 3, 1)
    assert fused_digest(Kind.POINT, unseen, 3, 1) == hashlib.sha256(b"not-visible").hexdigest()
    assert points_digest([(1.5, 1 / 3)]) == hashlib.sha256(b"1.500000 0.333333").hexdigest()


def test_the_soft_vote_comes_back_from_its_bytes() -> None:
    fused = fuse(DRUSEN, [drawn("##.", "#.."), drawn("#..", "##."), drawn("#..", "..#")], 3, 2)
    assert fused.votes is not None
    soft = unpack_votes(pack_votes(fused.votes))
    assert (soft.share * 3).round().tolist() == [[3, 1, 0], [2, 1, 1]]
    assert soft.graders == 3


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ([{3}], 6 / 21),  # one of seven invents something: six of 21 pairs differ, wholly
        ([{3}, {3}, {3}], 12 / 21),  # three agree against four
        ([{place} for place in range(7)], 1.0),  # seven places
        ([{3}] * 7, 0.0),
    ],
)
def test_graders_who_mark_nothing_agree_when_cases_are_put_in_order(marked: list[set[int]], expected: float) -> None:
    rows = [*marked, *([set()] * (7 - len(marked)))]
    replies = [Reply(masks=(runs.encode(np.isin(np.arange(10), list(row))[np.newaxis]),)) for row in rows]
    scar = PUBLISHED["adam"].target("scar")

    standing = place_standing(fuse(scar, replies, 10, 1), 10, 1)

    assert standing.disagreement == pytest.approx(expected)
