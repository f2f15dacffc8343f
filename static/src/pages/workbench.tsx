// The reading page: everything is drawn here but the instructions, which the server has put into <template> elements.
import { render } from "preact";
import { csrfToken, find } from "../dom";
import { Api } from "../sync/api";
import { tabName } from "../sync/ids";
import { pixelWorkerAt } from "../view/pixel_worker";
import { AdjudicationApi } from "../workbench/adjudication";
import { wireKeys } from "../workbench/commands";
import { Desk } from "../workbench/desk";
import { DiscussionApi } from "../workbench/discussion";
import { Errands } from "../workbench/errands";
import { wireNotices } from "../workbench/notices";
import { Painting } from "../workbench/painting";
import { Picture } from "../workbench/picture";
import { PracticeApi } from "../workbench/practice";
import { createState } from "../workbench/state";
import { Turning } from "../workbench/turning";
import { App } from "../workbench/ui/app";
import type { Work } from "../workbench/ui/work";

const root = find(document, "[data-workbench]", HTMLElement);
const said = (name: string): string => root.dataset[name] ?? "";
const address = (assignment: string): string => said("read").replace("ASSIGNMENT", assignment);

const state = createState();
const Asked = [["adjudication", AdjudicationApi], ["discussion", DiscussionApi], ["practice", PracticeApi]] as const;
const [, Chosen] = Asked.find(([name]) => root.dataset[name] !== undefined) ?? ["", Api];
const api = new Chosen(said("api"), address(said("assignment")), await tabName(), csrfToken(document));
const desk: Desk = new Desk(state, () => {
  if (turning.saving === null) throw new Error("no case is open");
  return turning.saving;
});
const picture = new Picture(state, desk);
// Asked for before the case is: the two need not wait for each other.
pixelWorkerAt(said("pixelWorker"));
picture.preload({ url: said("image"), width: Number(said("width")), height: Number(said("height")), bits: Number(said("bits")) });
const turning: Turning = new Turning(state, api, desk, picture, address);
const work: Work = { state, desk, picture, painting: new Painting(state, desk, picture.easel), turning, errands: new Errands(state, api, turning), addresses: { worklist: said("worklist"), signIn: said("signIn") } };

root.replaceChildren();
render(<App work={work} />, root);
wireNotices(document, state.notice);
wireKeys(document, work);
window.addEventListener("popstate", (event) => {
  const wanted: unknown = (event.state as { assignment?: unknown } | null)?.assignment;
  if (typeof wanted === "string") void turning.open(wanted, "no");
});
void turning.open(said("assignment"), "replace");
