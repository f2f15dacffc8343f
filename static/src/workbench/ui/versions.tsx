// Two versions of an answer over the part of the picture where they lie, told apart by colour and line.
import { useEffect, useState } from "preact/hooks";
import { isEllipse, isPoint } from "../../core/geometry";
import { outlinesOf } from "../../core/outline";
import { area, type Toggles } from "../../core/rle";
import { t } from "../../i18n";
import { unpackMask } from "../../sync/mask_text";
import type { CaseImage, Content } from "../../sync/wire";
import type { Area } from "../layers";

interface Version { readonly content: Content | null; readonly masks: readonly string[] }
interface Box { readonly x: number; readonly y: number; readonly right: number; readonly bottom: number }
/** A version as a line, and how much of it is painted. */
export interface Shape { readonly d: string; readonly box?: Box; readonly painted?: Area }

const MARGIN = 0.35; // around what is shown, as a share of its size
const LEAST_SHARE = 1 / 8; // of the picture's width
const CROSS = 1 / 40; // arm of a point's cross, as a share of what is shown

/** The versions as shapes once they are unpacked; none for an answer that is not drawn. */
export function useShapes(image: CaseImage | undefined, versions: readonly [Version, Version]): readonly (Shape | null)[] {
  const [shapes, setShapes] = useState<readonly (Shape | null)[]>([]);
  useEffect(() => { if (image !== undefined) void Promise.all(versions.map((version) => shapeOf(version, image))).then(setShapes); }, [image?.url, ...versions]);
  return shapes;
}

export function Versions({ image, shapes }: { readonly image: CaseImage; readonly shapes: readonly (Shape | null)[] }) {
  const boxes = shapes.flatMap((shape) => shape?.box ?? []);
  if (boxes.length === 0) return null;
  const view = viewOf(boxes, image);
  return (
    <svg class="wb-both" viewBox={`${String(view.x)} ${String(view.y)} ${String(view.width)} ${String(view.height)}`} role="img" aria-label={t("Both versions over the picture")}>
      <image href={image.url} width={image.width} height={image.height} />
      {shapes.map((shape, place) => shape !== null && (
        <g key={place}>
          <path class={`wb-both-halo ${versionClass(place)}`} d={shape.d} />
          <path class={lineClass(place)} d={shape.d} />
        </g>
      ))}
    </svg>
  );
}

export function LineSample({ place }: { readonly place: number }) {
  return <svg class="wb-sample" viewBox="0 0 32 8" aria-hidden="true"><path class={lineClass(place)} d="M1 4H31" /></svg>;
}

const versionClass = (place: number): string => (place === 0 ? "wb-both-mine" : "wb-both-other");
const lineClass = (place: number): string => `wb-both-line ${versionClass(place)}`;

async function shapeOf({ content, masks }: Version, image: CaseImage): Promise<Shape | null> {
  const geometry = content?.geometry ?? null;
  if (isEllipse(geometry)) return ellipseShape(geometry);
  if (isPoint(geometry)) return pointShape(geometry, image.width * LEAST_SHARE * CROSS * 2);
  const points = (geometry as { points?: unknown } | null)?.points;
  if (Array.isArray(points)) return lineShape(points as readonly (readonly [number, number])[]);
  const toggles = await Promise.all(masks.map((mask) => unpackMask(mask, image)));
  return maskShape(toggles, image);
}

function ellipseShape({ cx, cy, a, b, theta_deg }: { cx: number; cy: number; a: number; b: number; theta_deg: number }): Shape {
  const turn = theta_deg * Math.PI / 180;
  const [dx, dy] = [a * Math.cos(turn), a * Math.sin(turn)];
  const half = { x: Math.hypot(a * Math.cos(turn), b * Math.sin(turn)), y: Math.hypot(a * Math.sin(turn), b * Math.cos(turn)) };
  const arc = (x: number, y: number): string => `A${String(a)} ${String(b)} ${String(theta_deg)} 0 1 ${String(x)} ${String(y)}`;
  const d = `M${String(cx - dx)} ${String(cy - dy)}${arc(cx + dx, cy + dy)}${arc(cx - dx, cy - dy)}Z`;
  return { d, box: { x: cx - half.x, y: cy - half.y, right: cx + half.x, bottom: cy + half.y } };
}

function pointShape({ x, y }: { x: number; y: number }, arm: number): Shape {
  const d = `M${String(x - arm)} ${String(y)}H${String(x + arm)}M${String(x)} ${String(y - arm)}V${String(y + arm)}`;
  return { d, box: { x, y, right: x, bottom: y } };
}

function lineShape(points: readonly (readonly [number, number])[]): Shape | null {
  if (points.length === 0) return null;
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return { d: `M${points.map(([x, y]) => `${String(x)} ${String(y)}`).join("L")}`, box: { x: Math.min(...xs), y: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) } };
}

function maskShape(masks: readonly Toggles[], image: CaseImage): Shape {
  const loops = masks.flatMap((toggles) => outlinesOf(toggles, image));
  const areas = masks.map((toggles) => area(toggles, image));
  const painted = { px: areas.reduce((sum, px) => sum + px, 0), objects: new Map(areas.map((px, i) => [i, px])) };
  if (loops.length === 0) return { d: "", painted };
  const box = { x: image.width, y: image.height, right: 0, bottom: 0 };
  for (const loop of loops) for (let i = 0; i < loop.length; i += 2) grow(box, loop[i]!, loop[i + 1]!);
  return { d: loops.map((loop) => `M${loop.join(" ")}Z`).join(""), box, painted };
}

function grow(box: { x: number; y: number; right: number; bottom: number }, x: number, y: number): void {
  box.x = Math.min(box.x, x);
  box.y = Math.min(box.y, y);
  box.right = Math.max(box.right, x);
  box.bottom = Math.max(box.bottom, y);
}

function viewOf(boxes: readonly Box[], { width }: CaseImage): { x: number; y: number; width: number; height: number } {
  const [x, right] = [Math.min(...boxes.map((box) => box.x)), Math.max(...boxes.map((box) => box.right))];
  const [y, bottom] = [Math.min(...boxes.map((box) => box.y)), Math.max(...boxes.map((box) => box.bottom))];
  const size = Math.max(right - x, bottom - y, width * LEAST_SHARE) * (1 + 2 * MARGIN);
  return { x: (x + right - size) / 2, y: (y + bottom - size) / 2, width: size, height: size };
}
