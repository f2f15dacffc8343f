// A short text over the picture, legible on any ground and never off the stage.
import { clamp, type Size } from "../core/geometry";
import { set, svg } from "./svg";

/** Half of the text's box, about. */
export function halfBox(words: string): Size {
  return { width: (words.length * LETTER) / 2, height: FONT / 2 };
}

export interface Caption {
  readonly node: SVGTextElement;
  draw(words: string, x: number, y: number, stage: Size): void;
}

/** CSS pixels; a letter's mean width serves to keep the text on the stage without measuring it. */
const FONT = 12;
const LETTER = 6.6;
const MARGIN = 4;

export function caption(anchor: "start" | "middle"): Caption {
  const node = svg("text", {
    fill: "#fff", stroke: "#000", "stroke-opacity": 0.7, "stroke-width": 3, "paint-order": "stroke",
    "font-size": FONT, "text-anchor": anchor, "dominant-baseline": "middle",
  });
  Object.assign(node.style, { fontFamily: "var(--font)", fontVariantNumeric: "tabular-nums" });

  function draw(words: string, x: number, y: number, stage: Size): void {
    const width = words.length * LETTER + MARGIN;
    const before = anchor === "middle" ? width / 2 : MARGIN;
    set(node, { x: clamp(x, before, Math.max(before, stage.width - width + before)), y: clamp(y, FONT, Math.max(FONT, stage.height - FONT)) });
    if (node.textContent !== words) node.textContent = words;
  }

  return { node, draw };
}
