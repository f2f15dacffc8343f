// A case of the table as the workbench's desk and tools understand it.
import type { Target, Workbench } from "../sync/wire";
import type { TableCase, TableTarget } from "./wire";

/** An area that was drawn as an ellipse is adjusted pixel by pixel: its vote is no ellipse any more. */
const AREA_TOOLS = ["brush", "eraser", "polygon", "fill-holes", "smooth"];

function targetOf({ key, name, kind, tools, answers, options, signs, region, colour, line, signs_show_when }: TableTarget): Target {
  const common = { key, name, answers, options, signs, region, colour, line, required: false, inside: null, signs_show_when, asks_confidence: false };
  return kind === "ellipse" ? { ...common, kind: "mask", tools: AREA_TOOLS } : { ...common, kind, tools };
}

export function benchOf(file: TableCase): Workbench {
  return {
    assignment: file.case.id, place: file.place, total: file.total, study: file.study, state: "started", author: "",
    images: file.images, targets: file.targets.map(targetOf),
    case: { unit: "", next_photograph_on: null, max_photographs: file.images.length },
    viewer: { ...file.viewer, fellow_eye: false },
    drafts: [], damaged: [], comment: { version: 0, comment: "" }, submitted: null, can_withdraw: false, flags: [], skipped: false, fellow: null,
    lease: file.lease, previous: file.previous, next: file.next, next_unread: null,
  };
}
