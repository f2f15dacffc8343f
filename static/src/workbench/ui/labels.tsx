// Labels as large choices, with the signs that belong to one of them.
import { t } from "../../i18n";
import type { Target } from "../../sync/wire";
import { Key } from "./key";
import { type Props, backToPicture } from "./work";

export function Labels({ work, target }: Props & { readonly target: Target }) {
  const { state, desk } = work;
  const content = state.content.value;
  return (
    <>
      <div class="wb-labels" role="group" aria-label={target.name}>
        {target.options.map((option, index) => (
          <button type="button" class="wb-choice wb-label" key={option.key} aria-pressed={content?.label === option.key}
            onClick={(event) => { desk.label(option.key); backToPicture(work, event); }}>
            <Key cap={String(index + 1)} /><span>{option.name}</span></button>
        ))}
      </div>
      {target.signs.length > 0 && content !== null && content.label === target.signs_show_when && (
        <fieldset class="wb-signs">
          <legend>{t("Signs seen")}</legend>
          {target.signs.map((sign, index) => (
            <label class="wb-tick" key={sign.key}>
              <input type="checkbox" checked={content.signs.includes(sign.key)} onChange={(event) => { desk.sign(sign.key); backToPicture(work, event); }} />
              <span>{sign.name}</span>{index < 10 && <Key cap={`⇧${String((index + 1) % 10)}`} />}
            </label>
          ))}
        </fieldset>
      )}
    </>
  );
}
