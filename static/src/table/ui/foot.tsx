// What is done with the case.
import { t, tn } from "../../i18n";
import { Key } from "../../workbench/ui/key";
import type { Props } from "./work";

export function Foot({ work }: Props) {
  const { state, table, sitting } = work;
  const file = table.file.value;
  if (file === null) return null;
  const all = work.standings.value;
  const open = all.filter(({ isDecided }) => !isDecided);
  const hindered = open.filter(({ hindrance }) => hindrance !== null).length;
  const isFixed = state.locked.value || !file.may_decide;
  const words = !file.may_decide ? t("You look on; seniors decide.")
    : hindered > 0 ? tn("{n} target is still undecided", "{n} targets are still undecided", hindered)
      : open.length === 0 ? t("Decided.") : tn("{n} target will be accepted as shown.", "{n} targets will be accepted as shown.", open.length);
  return (
    <div class="wb-submit tb-foot">
      <p role="status">{words}</p>
      {file.may_decide && <>
        <button type="button" class="button" disabled={isFixed} onClick={() => { table.dialog.value = { kind: "defer" }; }}>{t("Defer")}<Key cap="J" /></button>
        {file.can_undo && <button type="button" class="button" disabled={isFixed} onClick={() => { table.dialog.value = { kind: "undo" }; }}>{t("Take back")}<Key cap="⇧U" /></button>}
        <button type="button" class={`button${hindered === 0 ? " button-primary" : ""}`} aria-disabled={isFixed || state.busy.value} onClick={() => { void sitting.accept(); }}>
          {open.length === 0 ? t("Next case") : t("Accept")}<Key cap="↵" /></button>
      </>}
    </div>
  );
}
