// Why a reading is left out, asked for in its own row; one key each.
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../../i18n";
import { Key } from "../../workbench/ui/key";
import { backToPicture } from "../../workbench/ui/work";
import { type LeftOut, OTHER } from "../exclusions";
import type { Props, TableWork } from "./work";

export function reasonWord({ table }: TableWork, { reason, note }: LeftOut): string {
  const name = table.file.value?.reasons.find(({ key }) => key === reason)?.name ?? reason;
  return note === "" ? t("Left out: {reason}", { reason: name }) : t("Left out: {reason} ({note})", { reason: name, note });
}

export function Reasons({ work, reading }: Props & { readonly reading: string }) {
  const { table, senior } = work;
  const box = useRef<HTMLFieldSetElement>(null);
  useEffect(() => { box.current?.closest("li")?.scrollIntoView({ block: "nearest" }); }, [reading]);
  const isOther = table.excluded.value[reading]?.reason === OTHER;
  return (
    <fieldset class="tb-reasons" ref={box}>
      <legend>{t("Why is it left out?")}</legend>
      {(table.file.value?.reasons ?? []).map(({ key, name }, place) => (
        <button type="button" class="wb-choice" key={key} data-reason={key} aria-pressed={isOther && key === OTHER} onClick={(event) => { senior.reason(key); if (key !== OTHER) backToPicture(work, event); }}>{name}<Key cap={String(place + 1)} /></button>
      ))}
      {isOther && <Note work={work} />}
      <button type="button" class="wb-quiet" onClick={(event) => { senior.giveUpChoosing(); backToPicture(work, event); }}>{t("Keep it in the vote")} <Key cap="Esc" /></button>
    </fieldset>
  );
}

function Note({ work }: Props) {
  const [note, setNote] = useState("");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => { field.current?.focus(); }, []);
  const done = (): void => {
    if (note.trim() === "") return;
    work.senior.reason(OTHER, note.trim());
    work.picture.focus();
  };
  return (
    <span class="tb-note">
      <input class="input" ref={field} aria-label={t("Reason in your words")} placeholder={t("Reason in your words")} maxLength={500} value={note} onInput={(event) => { setNote(event.currentTarget.value); }}
        onKeyDown={(event) => { if (event.key === "Enter") { done(); event.preventDefault(); event.stopPropagation(); } }} />
      <button type="button" class="button button-small" disabled={note.trim() === ""} onClick={done}>{t("OK")}</button>
    </span>
  );
}
