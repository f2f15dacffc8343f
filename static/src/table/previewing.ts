// Votes by rules that only the server computes are asked for there, for every choice of readings.
import { PRESENT, nameOf, placeOf } from "../workbench/answers";
import type { TableApi } from "./api";
import { leftOut } from "./exclusions";
import { previewKey, type Table } from "./state";
import { masksOf } from "./unpacking";

export async function previewed(table: Table, api: TableApi): Promise<void> {
  const id = table.file.value?.case.id;
  const missing = [...table.polls.value].flatMap(([name, poll]) => {
    const excluded = leftOut(table.exclusions.value, name);
    const isMissing = poll.outcome(excluded).isServers && table.previews.value[previewKey(name, excluded)] === undefined;
    return isMissing ? [{ ...placeOf(name), excluded: [...excluded] }] : [];
  });
  if (id === undefined || missing.length === 0) return;
  const answer = await api.preview(id, missing);
  if (!answer.ok || table.file.value?.case.id !== id) return;
  const found = await Promise.all(answer.body.references.map(async ({ position, target, content, masks, digest }) => {
    const name = nameOf(position, target);
    const size = table.polls.value.get(name)?.size ?? { width: 1, height: 1 };
    const asked = missing.find((one) => one.position === position && one.target === target);
    const isOpen = content.answer === "undecided";
    const outcome = { content: isOpen ? null : content, masks: content.answer === PRESENT ? await masksOf({ masks }, size) : [], isTie: isOpen, tied: new Int32Array(), isServers: true };
    return [previewKey(name, new Set(asked?.excluded ?? [])), { outcome, digest }] as const;
  }));
  table.previews.value = { ...table.previews.value, ...Object.fromEntries(found) };
}
