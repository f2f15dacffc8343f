// Archives among the chosen files: each is sent whole and becomes a job. One alone leads to its job's page.
import { element, find, findMaybe } from "../dom";
import { t } from "../i18n";
import { sendArchive } from "./send";

export function isArchive(name: string): boolean {
  return /\.(zip|tar|tgz|tar\.gz)$/i.test(name);
}

export class Archives {
  private readonly list: HTMLElement | null;
  private readonly url: string;
  private underWay = 0;

  constructor(private readonly form: HTMLFormElement) {
    this.url = form.dataset["archive"] ?? "";
    this.list = findMaybe(form, "[data-archive-list]", HTMLElement);
  }

  /** Takes the archives out of what was chosen; the rest are pictures. */
  take(files: readonly File[]): File[] {
    if (this.list === null || this.url === "") return [...files];
    const archives = files.filter((file) => isArchive(file.name));
    const alone = files.length === 1;
    void this.sendInTurn(archives, alone);
    return files.filter((file) => !isArchive(file.name));
  }

  get busy(): boolean {
    return this.underWay > 0;
  }

  private async sendInTurn(archives: readonly File[], alone: boolean): Promise<void> {
    this.underWay += archives.length;
    for (const file of archives) {
      const url = await this.send(file);
      this.underWay -= 1;
      if (alone && url !== "") window.location.assign(url);
    }
  }

  /** The address of the job, or nothing when the archive was refused. */
  private async send(file: File): Promise<string> {
    const row = this.row(file);
    const bar = find(row, "progress", HTMLProgressElement);
    const answer = await sendArchive(this.form, this.url, file, (sent) => { bar.value = sent; });
    if (answer.kind === "refused") {
      bar.remove();
      row.append(element("p", { className: "field-error", text: answer.reason }));
      return "";
    }
    const link = element("a", { text: t("Follow the import") });
    link.href = answer.url;
    bar.value = bar.max;
    row.append(link);
    return answer.url;
  }

  private row(file: File): HTMLElement {
    const bar = element("progress");
    bar.max = Math.max(1, file.size);
    bar.value = 0;
    bar.setAttribute("aria-label", file.name);
    const name = element("span", { className: "clip", text: file.name, title: file.name });
    const row = element("div", { className: "progress" }, [element("div", { className: "progress-label" }, [name]), bar]);
    find(this.form, "[data-archives]", HTMLElement).hidden = false;
    this.list?.append(row);
    return row;
  }
}
