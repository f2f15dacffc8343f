// Two versions of an answer over the part of the picture where they lie, told apart by colour and line.
import { useEffect, useState } from "preact/hooks";
import { isEllipse, isPoint } from "../../core/geometry";
import type { Toggles } from "../../core/rle";
import { t } from "../../i18n";
import { unpackMask } from "../../sync/mask_text";
import type { CaseImage, Content } from "../../sync/wire";

interface Version { readonly content: Content | null; readonly masks: readonly string[] }
interface Box { readonly x: number; readonly y: number; readonly right: number; readonly bottom: number }
interface Shape { readonly d: string; readonly box: Box }

const MARGIN = 0.35; // around what is shown, as a share of its size
const LEAST_SHARE = 1 / 8; // of the picture's width
const CROSS = 1 / 40; // arm of a point's cross, as a share of what is shown

export function Versions({ image, versions }: { readonly image: CaseImage; readonly versions: readonly [Version, Version] }) {
  const [shapes, setShapes] = useState<readonly (Shape | null)[]>([]);
  useEffect(() => { void Promise.all(versions.map((version) => shapeOf(version, image))).then(setShapes); }, [image.url, ...versions]);
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

/** The edges between painted pixels and others: where a row's runs differ from those of the row above, and their ends. */
function maskShape(masks: readonly Toggles[], { width, height }: CaseImage): Shape | null {
  const parts: string[] = [];
  const box = { x: width, y: height, right: 0, bottom: 0 };
  for (const toggles of masks) {
    let above: number[] = [];
    let i = 0;
    let isInside = false;
    for (let y = 0; y <= height; y += 1) {
      const row: number[] = isInside ? [0] : [];
      for (; i < toggles.length && (toggles[i] as number) < (y + 1) * width; i += 1) {
        row.push((toggles[i] as number) - y * width);
        isInside = !isInside;
      }
      if (y === height) row.length = 0;
      if (row[1] === 0) row.splice(0, 2); // a run that ended with the row above
      if (row.length % 2 === 1) row.push(width);
      if (row.length > 0) Object.assign(box, { x: Math.min(box.x, row[0] as number), y: Math.min(box.y, y), right: Math.max(box.right, row.at(-1) as number), bottom: y + 1 });
      for (const x of row) parts.push(`M${String(x)} ${String(y)}v1`);
      const edges = [...row, ...above].sort((p, q) => p - q);
      for (let k = 0; k + 1 < edges.length; k += 2) if (edges[k] !== edges[k + 1]) parts.push(`M${String(edges[k])} ${String(y)}H${String(edges[k + 1])}`);
      above = row;
    }
  }
  return parts.length === 0 ? null : { d: parts.join(""), box };
}

function viewOf(boxes: readonly Box[], { width }: CaseImage): { x: number; y: number; width: number; height: number } {
  const [x, right] = [Math.min(...boxes.map((box) => box.x)), Math.max(...boxes.map((box) => box.right))];
  const [y, bottom] = [Math.min(...boxes.map((box) => box.y)), Math.max(...boxes.map((box) => box.bottom))];
  const size = Math.max(right - x, bottom - y, width * LEAST_SHARE) * (1 + 2 * MARGIN);
  return { x: (x + right - size) / 2, y: (y + bottom - size) / 2, width: size, height: size };
}
