// What the clinic knows about the case. Folded away: a senior looks at the picture before knowing the diagnosis.
import { t } from "../../i18n";
import type { Props } from "./work";

export function Truth({ work }: Props) {
  const { state, table } = work;
  const known = (table.file.value?.truth ?? []).filter(({ position }) => position === state.position.value);
  if (known.length === 0) return null;
  return (
    <details class="tb-truth">
      <summary>{t("Clinical truth, imported")}</summary>
      <dl>
        {known.map(({ target, name, value, source }) => (
          <div key={target}><dt>{name}</dt><dd>{value}<span class="tb-truth-source">{t("Source: {source}", { source })}</span></dd></div>
        ))}
      </dl>
    </details>
  );
}
