// The comment on a case waits and travels like an answer: to no photograph, with its text for a label.
import type { Slot } from "./queue";
import type { Answered, Content, Refusal, Stored } from "./wire";

const PLACE = { position: 0, target: "comment" } as const;

export interface CommentStored { readonly version: number; readonly comment: string; readonly saved_at?: string }

export function commentSlot(assignment: string): Slot { return { assignment, ...PLACE }; }

export function isComment(slot: { readonly position: number }): boolean { return slot.position === PLACE.position; }

export function commentContent(text: string): Content | null {
  return text === "" ? null : { answer: "present", geometry: null, label: text, signs: [], confidence: null };
}

export function commentText(content: Content | null): string { return content?.label ?? ""; }

/** The server's words about a comment in the form in which the queue knows answers. */
export function asAnswered(answer: Answered<CommentStored>): Answered<Stored> {
  if (answer.ok) return { ok: true, body: asStored(answer.body) };
  const { current, ...refusal } = answer.refusal as Omit<Refusal, "current"> & { readonly current?: unknown };
  return { ok: false, refusal: current === undefined ? refusal : { ...refusal, current: asStored(current as CommentStored) } };
}

function asStored({ version, comment, saved_at }: CommentStored): Stored {
  return { version, content: commentContent(comment), masks: [], saved_at: saved_at ?? null };
}
