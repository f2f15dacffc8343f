// The senior's table as a whole: the picture with all readings, and beside it the vote and its readings.
import { useEffect, useRef } from "preact/hooks";
import { t } from "../../i18n";
import { Cursor, Measure } from "../../workbench/ui/bars";
import { Rail } from "../../workbench/ui/rail";
import { caseTitle } from "../words";
import { Banner, Notices } from "./banner";
import { Bar } from "./bar";
import { Dialogs } from "./dialogs";
import { Panel } from "./panel";
import type { Props } from "./work";

export function App({ work }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const { state, table } = work;
  useEffect(() => (host.current === null ? undefined : work.picture.mount(host.current)), [work]);
  const file = table.file.value;
  const isLoading = !work.picture.ready && !state.pictureFailed.value;
  const hasRail = table.adjusting.value && table.poll.value?.isArea === true;
  return (
    <div class={`wb tb${state.panel.value ? " has-panel" : ""}`}>
      <h1 class="visually-hidden">{file === null ? t("Senior's table") : caseTitle(file)}</h1>
      <Bar work={work} />
      <div class="wb-middle">
        {hasRail && <Rail work={work} />}
        <Banner work={work} />
        <div class="wb-stage" ref={host} data-ready={work.picture.ready} aria-busy={isLoading} />
        {isLoading && state.problem.value === "" && <p class="wb-loading">{t("Loading the picture…")}</p>}
        <Measure work={work} />
        <Cursor work={work} />
        <Notices work={work} />
      </div>
      <Panel work={work} />
      <Dialogs work={work} />
    </div>
  );
}
