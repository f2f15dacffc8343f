// The organiser's instructions: rendered and made safe by the server, waiting in the page's <template> elements.
import { useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../../i18n";
import type { Props } from "./work";

export function Instructions({ work }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const key = work.state.targetKey.value;
  useLayoutEffect(() => {
    const template = document.getElementById(`instructions-${key}`);
    if (template instanceof HTMLTemplateElement) box.current?.replaceChildren(template.content.cloneNode(true));
  }, [key]);
  return (
    <div class="wb-instructions">
      <h2>{work.state.target.value?.name ?? t("Instructions")}</h2>
      <div ref={box} />
    </div>
  );
}
