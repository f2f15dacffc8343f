// The table of what would happen, before anything does.
import { element, find, findMaybe, setText } from "../dom";
import { formatNumber, t, tn } from "../i18n";
import { leaf, type Plan, type PlannedRow } from "./plan";

export interface PreviewActions {
  readonly confirm: () => void;
  readonly discard: () => void;
}

export class Preview {
  readonly card: HTMLElement;
  private plan: Plan | null = null;
  private page = 0;
  private again: (() => void) | null = null;

  constructor(private readonly form: HTMLFormElement, actions: PreviewActions) {
    const model = find(form, "template[data-preview-model]", HTMLTemplateElement);
    this.card = find(model.content.cloneNode(true) as DocumentFragment, "[data-preview]", HTMLElement);
    this.button("[data-confirm]").addEventListener("click", actions.confirm);
    this.button("[data-discard]").addEventListener("click", actions.discard);
    this.button("[data-again]").addEventListener("click", () => { this.again?.(); });
    this.button("[data-earlier]").addEventListener("click", () => { this.turn(-1); });
    this.button("[data-later]").addEventListener("click", () => { this.turn(1); });
    find(this.card, "[data-only-faults]", HTMLInputElement).addEventListener("change", () => { this.page = 0; this.drawRows(); });
  }

  open(): void {
    find(this.form, "[data-previews]", HTMLElement).append(this.card);
    this.leadOn();
  }

  close(): void {
    this.card.remove();
    this.leadOn();
  }

  /** While the server looks at the names, nothing can be confirmed. */
  wait(title: string): void {
    this.card.setAttribute("aria-busy", "true");
    setText(find(this.card, "[data-preview-title]", HTMLElement), title);
    this.allow(false);
  }

  /** What is wrong with everything that was said; each fault of a table stands in a line of its own. */
  showFault(reason: string, again?: () => void): void {
    this.card.removeAttribute("aria-busy");
    this.plan = null;
    setText(find(this.card, "[data-preview-title]", HTMLElement), t("This has to be put right first"));
    this.note("[data-plan-fault]", reason);
    this.note("[data-preview-note]", "");
    this.note("[data-plan-lines]", "");
    this.again = again ?? null;
    this.button("[data-again]").hidden = again === undefined;
    find(this.card, "[data-plan]", HTMLElement).hidden = true;
    this.allow(false);
  }

  show(plan: Plan, title: string, confirm: string, note: string): void {
    this.card.removeAttribute("aria-busy");
    this.plan = plan;
    this.page = 0;
    this.button("[data-again]").hidden = true;
    this.note("[data-plan-fault]", "");
    this.note("[data-preview-note]", note);
    this.note("[data-plan-lines]", linesNote(plan));
    find(this.card, "[data-plan]", HTMLElement).hidden = plan.rows.length === 0;
    setText(find(this.card, "[data-preview-title]", HTMLElement), title);
    setText(this.button("[data-confirm]"), confirm);
    this.allow(true);
    this.drawCounts(plan);
    this.drawRows();
  }

  allow(allowed: boolean): void {
    this.button("[data-confirm]").disabled = !allowed;
  }

  /** One button leads on: that of the preview while there is one. */
  private leadOn(): void {
    const isOpen = findMaybe(this.form, "[data-preview]", HTMLElement) !== null;
    findMaybe(this.form, "[data-pick=upload-files]", HTMLButtonElement)?.classList.toggle("button-primary", !isOpen);
  }

  private button(selector: string): HTMLButtonElement {
    return find(this.card, selector, HTMLButtonElement);
  }

  private note(selector: string, text: string): void {
    const target = find(this.card, selector, HTMLElement);
    target.hidden = text === "";
    setText(target, text);
  }

  private turn(by: number): void {
    this.page += by;
    this.drawRows();
  }

  private drawCounts(plan: Plan): void {
    const faults = plan.rows.filter((row) => row.fault !== "").length;
    const seen = plan.rows.filter((row) => row.seen).length;
    const counts = { files: plan.rows.length, subjects: plan.subjects, eyes: plan.eyes, cases: plan.newCases, joined: plan.joinedCases, seen, faults };
    for (const [name, value] of Object.entries(counts)) {
      const target = find(this.card, `[data-planned=${name}]`, HTMLElement);
      setText(target, formatNumber(value));
      if (name === "joined" || name === "seen") target.parentElement?.toggleAttribute("hidden", value === 0);
    }
    find(this.card, "[data-faults-switch]", HTMLElement).hidden = faults === 0;
  }

  private drawRows(): void {
    if (this.plan === null) return;
    const only = find(this.card, "[data-only-faults]", HTMLInputElement).checked;
    const shown = leaf(this.plan.rows, only, this.page);
    this.page = shown.first === 0 ? 0 : this.page;
    find(this.card, "[data-planned-rows]", HTMLElement).replaceChildren(...shown.rows.map(row));
    const last = shown.first + shown.rows.length;
    setText(find(this.card, "[data-leaf]", HTMLElement), t("{first}–{last} of {total}", { first: Math.min(shown.first + 1, last), last, total: shown.total }));
    this.button("[data-earlier]").disabled = !shown.hasEarlier;
    this.button("[data-later]").disabled = !shown.hasLater;
    find(this.card, "[data-leaves]", HTMLElement).hidden = !shown.hasEarlier && !shown.hasLater;
  }
}

function linesNote(plan: Plan): string {
  const { count, first } = plan.linesWithoutFiles;
  if (count === 0) return "";
  const head = tn("{n} line of the table names a file that is not among these:", "{n} lines of the table name files that are not among these:", count);
  return [head, ...first, ...(count > first.length ? ["…"] : [])].join("\n");
}

function sideWords(side: string): string {
  if (side === "R") return t("Right");
  return side === "L" ? t("Left") : t("Not stated");
}

function row(planned: PlannedRow): HTMLElement {
  const subject = planned.subject === "" && planned.fault === "" && !planned.seen
    ? element("span", { className: "muted", text: t("a subject of its own") })
    : element("span", { text: planned.subject });
  return element("tr", {}, [
    element("td", {}, [element("span", { className: "clip", text: planned.name, title: planned.name })]),
    element("td", {}, [subject]),
    element("td", { text: sideWords(planned.side) }),
    element("td", { className: "num", text: planned.order === null ? "" : formatNumber(planned.order) }),
    element("td", { className: "wrap" }, remark(planned)),
  ]);
}

function remark({ fault, seen }: PlannedRow): Node[] {
  if (fault !== "") return [element("span", { className: "badge badge-danger", text: t("Left out") }), document.createTextNode(` ${fault}`)];
  if (seen) return [element("span", { className: "badge", text: t("Seen before") }), document.createTextNode(` ${t("This name and size are in the study already. If it is the same picture, it is not sent again.")}`)];
  return [];
}
