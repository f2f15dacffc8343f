// The steps of the history in words, for the undo and redo controls.
import { t } from "../i18n";
import type { StepName } from "./tool";

export function stepLabel(step: StepName): string {
  switch (step) {
    case "draw-ellipse": return t("Draw the ellipse");
    case "fit-ellipse": return t("Fit the ellipse to the clicks");
    case "move-ellipse": return t("Move the ellipse");
    case "resize-ellipse": return t("Resize the ellipse");
    case "turn-ellipse": return t("Turn the ellipse");
    case "nudge-ellipse": return t("Nudge the ellipse");
    case "remove-ellipse": return t("Remove the ellipse");
    case "cancel-ellipse": return t("Give up the clicks");
    case "measure": return t("Measure");
    case "place-point": return t("Place the point");
    case "move-point": return t("Move the point");
    case "nudge-point": return t("Nudge the point");
    case "remove-point": return t("Remove the point");
    case "add-vertex": return t("Add a vertex");
    case "move-vertex": return t("Move a vertex");
    case "insert-vertex": return t("Put in a vertex");
    case "nudge-vertex": return t("Nudge a vertex");
    case "remove-vertex": return t("Remove a vertex");
    case "remove-line": return t("Remove the line");
    case "cancel-line": return t("Give up the line");
    case "paint": return t("Paint");
    case "erase": return t("Erase");
    case "add-polygon": return t("Add a polygon");
    case "subtract-polygon": return t("Take away a polygon");
    case "flood-fill": return t("Fill a like area");
    case "fill-holes": return t("Fill holes");
    case "smooth": return t("Smooth the outline");
    case "split": return t("Split the object");
    case "merge": return t("Merge the objects");
    case "remove-object": return t("Remove the object");
  }
}
