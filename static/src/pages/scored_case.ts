// One case of a submission: the picture with both outlines, switches, zoom, and keys to the next case.
import { pixelSize } from "../core/measure";
import { find, findMaybe, setText } from "../dom";
import { t } from "../i18n";
import { areaPixels, type Side, sideLayers, type SideLook, sideMarks } from "../scored/sides";
import { unpackMask } from "../sync/mask_text";
import { pixelWorkerAt } from "../view/pixel_worker";
import { loadPixels } from "../view/pixels";
import { createStage, type LineStyle } from "../view/stage";

interface SentSide extends Omit<Side, "areas"> { readonly areas: readonly { readonly target: string; readonly masks: readonly string[] }[] }
type Sent = Readonly<Record<"reference" | "submission", SentSide>>;

const root = find(document, "[data-scored-case]", HTMLElement);
const said = (name: string): string => root.dataset[name] ?? "";
const size = { width: Number(said("width")), height: Number(said("height")) };
const stage = createStage(find(root, "[data-stage]", HTMLElement), { label: t("Picture"), umPerPx: pixelSize(Number(said("umX")), Number(said("umY"))) });
pixelWorkerAt(said("pixelWorker"));

async function unpacked(side: SentSide): Promise<Side> {
  const areas = await Promise.all(side.areas.map(async ({ target, masks }) => ({ target, masks: await Promise.all(masks.map((mask) => unpackMask(mask, size))) })));
  return { ...side, areas };
}

async function fetched(): Promise<Sent> {
  const answer = await fetch(said("api"), { credentials: "same-origin", headers: { Accept: "application/json" } });
  const body: unknown = await answer.json();
  if (!answer.ok) throw new Error((body as { message?: string }).message ?? "");
  return body as Sent;
}

/** As the switches stand; a target without a switch of its own is shown. */
function lookOf(box: HTMLInputElement): SideLook {
  const isOff = (target: string): boolean => findMaybe(root, `[data-target="${CSS.escape(target)}"]`, HTMLInputElement)?.checked === false;
  return { key: box.dataset["side"] ?? "", colour: Number(box.dataset["contour"]) - 1, line: box.dataset["line"] as LineStyle, shown: (target) => box.checked && !isOff(target) };
}

async function show(): Promise<void> {
  const [source, sent] = await Promise.all([loadPixels(said("image"), { ...size, bits: Number(said("bits")) }), fetched()]);
  stage.show(source);
  const boxes = [...root.querySelectorAll<HTMLInputElement>("[data-side]")];
  const sides = await Promise.all(boxes.map(async (box) => {
    const side = await unpacked(sent[box.dataset["side"] as keyof Sent]);
    return { box, side, pixels: areaPixels(side, size) };
  }));
  const draw = (): void => {
    stage.setLayers(sides.flatMap(({ box, pixels }) => sideLayers(pixels, size, lookOf(box))));
    stage.setMarks(sides.flatMap(({ box, side }) => sideMarks(side, lookOf(box))));
  };
  root.addEventListener("change", draw);
  draw();
  root.dataset["ready"] = "true";
}

const views: Readonly<Record<string, () => void>> = {
  fit: () => { stage.fit(); }, actual: () => { stage.actualSize(); }, in: () => { stage.zoomBy(1.25); }, out: () => { stage.zoomBy(1 / 1.25); },
};
root.addEventListener("click", ({ target }) => {
  if (target instanceof Element) views[target.closest<HTMLElement>("[data-view]")?.dataset["view"] ?? ""]?.();
});
document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const turn = { ",": "prev", ArrowLeft: "prev", ".": "next", ArrowRight: "next" }[event.key];
  if (turn !== undefined) findMaybe(root, `a[rel=${turn}]`, HTMLAnchorElement)?.click();
  else if (stage.key(event)) event.preventDefault();
});
show().catch((fault: unknown) => {
  const told = find(root, "[data-fault]", HTMLElement);
  setText(told, fault instanceof Error && fault.message !== "" ? t("This case cannot be shown: {reason}", { reason: fault.message }) : t("This case cannot be shown."));
  told.hidden = false;
});
