// Labels become one label.

export interface LabelVote {
  /** null where there is none yet. */
  readonly label: string | null;
  readonly isTie: boolean;
  /** Of the label that most gave. */
  readonly share: number;
}

const ROUNDING = 1e-9;

/** The label that more than half of the graders gave, or more than another share of at least half; without one it is a tie. */
export function majorityLabel(labels: readonly string[], moreThan = 0.5): LabelVote {
  if (labels.length === 0) throw new RangeError("labels is empty");
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  const [label, votes] = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most));
  const isTie = votes <= Math.max(moreThan, 0.5) * labels.length + ROUNDING;
  return { label: isTie ? null : label, isTie, share: votes / labels.length };
}

/** At least two equal labels and no other; anything else is a person's to decide. */
export function agreedByAll(labels: readonly string[]): LabelVote {
  const vote = majorityLabel(labels);
  return labels.length >= 2 && vote.share === 1 ? vote : { label: null, isTie: true, share: vote.share };
}
