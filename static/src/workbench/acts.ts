// What the same page calls its acts: a reading is submitted, a practice case compared, a dispute decided, a word said in a discussion.
import { t } from "../i18n";
import type { Workbench } from "../sync/wire";

export interface Acts {
  readonly comment: string;
  readonly commentTitle: string;
  readonly ready: string;
  readonly done: string;
  readonly takeBack: string;
  readonly send: string;
  readonly sendKey: string;
  readonly next: string;
  readonly list: string;
  readonly finished: string;
}

export function actsOf(bench: Workbench | null): Acts {
  if (bench?.discussion === true) return discussing(bench);
  if (bench?.adjudication === true) return deciding();
  if (bench?.practice === true) return { ...reading(), done: t("Nothing was stored."), takeBack: t("Go on marking"), send: t("Show what is true") };
  return reading();
}

function reading(): Acts {
  return {
    comment: t("Comment"), commentTitle: t("Comment, kept with the reading"), ready: t("Everything is answered."), done: t("Submitted"), takeBack: t("Withdraw"),
    send: t("Submit"), sendKey: "Ctrl ↵", next: t("Next to be read"), list: t("My worklist"), finished: t("All cases are read. Thank you."),
  };
}

function deciding(): Acts {
  return {
    comment: t("Comment"), commentTitle: t("Comment, kept with the decision"), ready: t("Everything is answered."), done: t("Decided"), takeBack: t("Take the decision back"),
    send: t("Decide"), sendKey: "↵", next: t("Next case"), list: t("Adjudication"), finished: t("Nothing is left to settle. Thank you."),
  };
}

function discussing(bench: Workbench): Acts {
  return {
    ...deciding(), comment: t("Reason"), commentTitle: t("Reason, read by the others without your name"), ready: t("The others read your label and reason, not your name."), done: outcomeWords(bench.outcome ?? ""),
    send: t("Say this"), list: t("Discussions"), finished: t("Nothing waits for your word now. Thank you."),
  };
}

/** What came of a discussion, or that it goes on without this person for now. */
export function outcomeWords(outcome: string): string {
  switch (outcome) {
    case "agreed": return t("All agree. This is the final label.");
    case "quorum": return t("Enough agree. This is the final label.");
    case "passed_on": return t("There was no agreement. An adjudicator decides.");
    case "overtaken": return t("This discussion is over: the case was settled otherwise.");
    default: return t("The others are asked now. If they do not agree with you, you are asked again.");
  }
}
