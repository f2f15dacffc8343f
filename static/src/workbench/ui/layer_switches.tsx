// A layer's switches in its row of the list: shown, shown alone, locked. Their state is in the name and the picture of each.
import { t } from "../../i18n";
import type { Target } from "../../sync/wire";
import { lookOf } from "../looks";
import { Icon } from "./icon";
import { withKey } from "./key";
import type { Props } from "./work";

export function LayerSwitches({ work, target }: Props & { readonly target: Target }) {
  const { visible, solo, locked } = lookOf(work.state.looks.value, target.key);
  const words = { target: target.name };
  const switches = [
    { part: "visible", on: !visible, icon: visible ? "eye" : "hide", label: visible ? t("Hide the layer of “{target}”", words) : t("Show the layer of “{target}”", words), keys: "V" },
    { part: "solo", on: solo, icon: "solo", label: solo ? t("Show the other layers again") : t("Show the layer of “{target}” alone", words), keys: "Shift + V" },
    { part: "locked", on: locked, icon: locked ? "lock" : "unlock", label: locked ? t("Unlock the layer of “{target}”", words) : t("Lock the layer of “{target}”", words), keys: "Shift + L" },
  ] as const;
  return (
    <span class="wb-switches">
      {switches.map(({ part, on, icon, label, keys }) => (
        <button type="button" class={`wb-switch${on ? " is-on" : ""}`} key={part} title={withKey(label, keys)} aria-label={label}
          onClick={() => { work.painting.turnLook(part, target.key); }}><Icon name={icon} /></button>
      ))}
    </span>
  );
}
