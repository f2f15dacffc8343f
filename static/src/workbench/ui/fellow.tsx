// The fellow eye, over the picture for as long as the key or the button is held; only where the protocol allows it. It is
// fetched to be looked at, by which the server knows that it was.
import { t } from "../../i18n";
import { Icon } from "./icon";
import { withKey } from "./key";
import type { Props, Work } from "./work";

export function peek(work: Work): void {
  const { bench, fellow, notice } = work.state;
  if (bench.value?.viewer.fellow_eye !== true) return;
  if (bench.value.fellow === null) { notice.value = t("The other eye is not in this study."); return; }
  fellow.value = true;
}

export function FellowButton({ work }: Props) {
  const { bench, fellow } = work.state;
  if (bench.value?.viewer.fellow_eye !== true) return null;
  const label = t("Show the other eye while held");
  const look = (): void => { peek(work); };
  const back = (): void => { fellow.value = false; };
  return (
    <button type="button" class="wb-tool" title={withKey(label, "Shift + H")} aria-label={label} aria-pressed={fellow.value} aria-disabled={bench.value.fellow === null}
      onPointerDown={look} onPointerUp={back} onPointerLeave={back} onPointerCancel={back}
      onKeyDown={(event) => { if (event.key === " " || event.key === "Enter") look(); }} onKeyUp={back} onBlur={back}><Icon name="eyes" /></button>
  );
}

export function Fellow({ work }: Props) {
  const { bench, fellow } = work.state;
  const image = bench.value?.fellow ?? null;
  if (!fellow.value || image === null) return null;
  return (
    <figure class="wb-fellow">
      <img src={image.url} width={image.width} height={image.height} alt={t("The other eye of the same person")} />
      <figcaption>{t("The other eye")}</figcaption>
    </figure>
  );
}
