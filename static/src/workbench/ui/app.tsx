// The reading page as a whole.
import { useEffect, useRef } from "preact/hooks";
import { t } from "../../i18n";
import { caseWords } from "../words";
import { Banner, Cursor, Elsewhere, Measure, Notices } from "./bars";
import { Dialogs } from "./dialogs";
import { Fellow } from "./fellow";
import { Panel } from "./panel";
import { Rail, hasRail } from "./rail";
import { Toolbar } from "./toolbar";
import type { Props } from "./work";

export function App({ work }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const { state } = work;
  useEffect(() => (host.current === null ? undefined : work.picture.mount(host.current)), [work]);
  const bench = state.bench.value;
  const isLoading = !work.picture.ready && !state.pictureFailed.value;
  return (
    <div class={`wb${state.panel.value ? " has-panel" : ""}`}>
      <h1 class="visually-hidden">{bench === null ? t("Reading") : caseWords(bench)}</h1>
      <Toolbar work={work} />
      <div class={`wb-middle${hasRail({ work }) ? " has-rail" : ""}`}>
        <Rail work={work} />
        <div class="wb-top"><Banner work={work} /><Elsewhere work={work} /></div>
        <div class="wb-stage" ref={host} data-ready={work.picture.ready} aria-busy={isLoading} />
        {isLoading && state.problem.value === "" && <p class="wb-loading">{t("Loading the picture…")}</p>}
        <Fellow work={work} />
        <Measure work={work} />
        <Cursor work={work} />
        <Notices work={work} />
      </div>
      <Panel work={work} />
      <Dialogs work={work} />
    </div>
  );
}
