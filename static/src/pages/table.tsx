// The senior's table: one case, all its readings, and the reference that is made of them.
import { computed, effect, untracked } from "@preact/signals";
import { render } from "preact";
import { csrfToken, find } from "../dom";
import { t } from "../i18n";
import { tabName } from "../sync/ids";
import { standings } from "../table/accepting";
import { TableApi } from "../table/api";
import { wireTableKeys } from "../table/commands";
import { rowNumbers } from "../table/numbers";
import { TablePicture } from "../table/picture";
import { previewed } from "../table/previewing";
import { Senior } from "../table/senior";
import { Sitting } from "../table/sitting";
import { createTable } from "../table/state";
import { Tracing } from "../table/tracing";
import { App } from "../table/ui/app";
import type { TableWork } from "../table/ui/work";
import { pixelWorkerAt } from "../view/pixel_worker";
import { Desk } from "../workbench/desk";
import { Painting } from "../workbench/painting";
import { createState } from "../workbench/state";

const root = find(document, "[data-table]", HTMLElement);
const said = (name: string): string => root.dataset[name] ?? "";
const address = (id: string): string => said("page").replace("CASE", id);

const state = createState();
const table = createTable(state);
const api = new TableApi(said("api"), address(said("case")), await tabName(), csrfToken(document));
api.query = location.search.replace(/^\?/, "");
// What is drawn is kept by the page itself until the case is accepted.
const desk: Desk = new Desk(state, () => ({ save: (name) => { senior.touch(name); }, saver: { decide: () => undefined } }));
const picture = new TablePicture(state, desk, table);
pixelWorkerAt(said("pixelWorker"));
picture.preload({ url: said("image"), width: Number(said("width")), height: Number(said("height")), bits: Number(said("bits")) });
const senior: Senior = new Senior(state, table, desk);
const sitting = new Sitting(state, table, api, desk, picture, address);
const tracing = new Tracing(state, table, api, desk, senior);
senior.changed = () => { void sitting.keeping.write(); };
effect(() => { void table.exclusions.value; untracked(() => { void previewed(table, api); }); });

const numbers = computed(() => (table.poll.value === null || table.outcome.value === null ? [] : rowNumbers(table.poll.value, table.outcome.value)));
const work: TableWork = { state, table, numbers, standings: computed(() => standings(state, table, desk)), desk, picture, senior, sitting, tracing, painting: new Painting(state, desk, picture.easel), queue: said("queue") };
root.replaceChildren();
render(<App work={work} />, root);
wireTableKeys(document, work);
window.addEventListener("popstate", (event) => {
  const wanted: unknown = (event.state as { case?: unknown } | null)?.case;
  if (typeof wanted === "string") void sitting.open(wanted, "no");
});
window.addEventListener("beforeunload", (event) => {
  if (!sitting.keeping.failed || table.touched.value.size === 0) return;
  event.preventDefault();
  state.notice.value = t("This browser keeps nothing: what is not accepted is lost when you leave.");
});
void sitting.open(said("case"), "replace");
