// What was chosen and not yet sent: the server says what it would make of it, and the organiser confirms.
import { t, tn } from "../i18n";
import { readAnswer } from "./answer";
import { ask, said } from "./ask";
import { isArchive, together, type Chosen } from "./chosen";
import { sizeWords } from "./pace";
import { readPlanAnswer, type Plan } from "./plan";
import { Preview } from "./preview";

export interface Confirmed {
  readonly chosen: readonly Chosen[];
  readonly plan: Plan;
  readonly archives: readonly File[];
  readonly batch: string;
}

const TYPING_MS = 400;

export class Choosing {
  private pictures: readonly Chosen[] = [];
  private archives: readonly Chosen[] = [];
  private preview: Preview | null = null;
  private plan: Plan | null = null;
  private asked = 0;
  private timer: number | undefined;

  constructor(private readonly form: HTMLFormElement, private readonly takesArchives: boolean, private readonly confirmed: (what: Confirmed) => void) {}

  get waiting(): boolean {
    return this.pictures.length + this.archives.length > 0;
  }

  add(files: readonly Chosen[]): void {
    const isOne = ({ path }: Chosen): boolean => this.takesArchives && isArchive(path);
    this.archives = together(this.archives, files.filter(isOne));
    this.pictures = together(this.pictures, files.filter((chosen) => !isOne(chosen)));
    if (!this.waiting) return;
    // A folded field could not be pointed at.
    for (const fold of this.form.querySelectorAll("details")) if (fold.querySelector(":invalid") !== null) fold.open = true;
    this.form.reportValidity();
    void this.look();
    this.preview?.card.scrollIntoView({ block: "nearest" });
  }

  /** The fields above have changed; while somebody types, only the last word counts. */
  lookAgain(): void {
    if (!this.waiting) return;
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.look(), TYPING_MS);
  }

  private async look(): Promise<void> {
    this.asked += 1;
    const question = this.asked;
    this.plan = null;
    const preview = this.card();
    preview.wait(tn("Looking at {n} file …", "Looking at {n} files …", this.pictures.length + this.archives.length));
    const fields = said(this.form);
    fields.set("names", new Blob([JSON.stringify(this.pictures.map(({ file, path }) => [path, file.size]))], { type: "application/json" }), "names.json");
    const names = this.pictures.map(({ path }) => path);
    const { status, body } = await ask(this.form, this.form.dataset["plan"] ?? "", fields);
    if (question !== this.asked || this.preview !== preview) return;
    const answer = readPlanAnswer(status, body, names);
    if (answer.kind !== "plan") {
      preview.showFault(answer.reason, answer.kind === "retry" ? () => void this.look() : undefined);
      return;
    }
    this.plan = answer.plan;
    preview.show(answer.plan, t("Before anything is sent"), this.confirmWords(answer.plan), this.archiveNote());
    preview.allow(answer.plan.fitting + this.archives.length > 0);
  }

  private confirmWords(plan: Plan): string {
    return tn("Upload {n} file", "Upload {n} files", plan.fitting + this.archives.length);
  }

  private archiveNote(): string {
    if (this.archives.length === 0) return "";
    const named = this.archives.map(({ file }) => `${file.name} (${sizeWords(file.size)})`).join(", ");
    return t("{archives}: you will see what is inside once it is here, before anything is imported.", { archives: named });
  }

  private card(): Preview {
    if (this.preview !== null) return this.preview;
    const preview = new Preview(this.form, { confirm: () => void this.confirm(), discard: () => { this.clear(); } });
    preview.open();
    this.preview = preview;
    return preview;
  }

  private async confirm(): Promise<void> {
    const { plan, preview } = this;
    if (plan === null || preview === null) return;
    preview.allow(false);
    const { status, body } = await ask(this.form, this.form.dataset["batch"] ?? "", said(this.form));
    const batch = keyOf(body);
    if (status !== 201 || batch === "") {
      const outcome = readAnswer(status, body);
      preview.showFault(outcome.kind === "accepted" ? "" : outcome.reason, () => void this.look());
      return;
    }
    const what = { chosen: this.pictures, plan, archives: this.archives.map(({ file }) => file), batch };
    this.clear();
    this.confirmed(what);
  }

  private clear(): void {
    this.preview?.close();
    this.preview = null;
    this.plan = null;
    this.pictures = [];
    this.archives = [];
  }
}

function keyOf(body: unknown): string {
  return typeof body === "object" && body !== null && "batch" in body && typeof body.batch === "string" ? body.batch : "";
}
