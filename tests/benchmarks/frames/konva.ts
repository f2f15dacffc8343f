// The same scene by Konva, as its guides draw it: picture, masks and shapes on a layer each; zoom and drag of the stage;
// its Transformer turns the ellipse; the brush is a growing line. Masks are ready-made images, which is kind to it: kept as
// lines, five hundred strokes would be drawn anew in each frame.
import Konva from "konva";
import type { Point } from "../../../static/src/core/geometry";
import type { MaskLayer } from "../../../static/src/core/layer";
import { type Bench, COLOURS, ellipses, masks, picture, point, RADIUS, type SceneSize } from "./scene";

const ZOOM_STEP = 0.002;

function tinted(layer: MaskLayer, colour: string): OffscreenCanvas {
  const canvas = new OffscreenCanvas(layer.width, layer.height);
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("the browser gives no drawing context");
  const image = context.createImageData(layer.width, layer.height);
  const words = new Uint32Array(image.data.buffer);
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const word = (0x59000000 | (blue << 16) | (green << 8) | red) >>> 0;
  for (let i = 0; i < words.length; i += 1) if (layer.pixels[i] !== 0) words[i] = word;
  context.putImageData(image, 0, 0);
  return canvas;
}

export async function build(host: HTMLElement, size: SceneSize): Promise<Bench> {
  const container = document.createElement("div");
  host.append(container);
  const stage = new Konva.Stage({ container, width: host.clientWidth, height: host.clientHeight });
  const [ground, tints, shapes] = [new Konva.Layer({ listening: false }), new Konva.Layer({ listening: false }), new Konva.Layer()];
  stage.add(ground, tints, shapes);
  ground.add(new Konva.Image({ image: await createImageBitmap(picture(size)) }));
  for (const [i, layer] of masks(size).entries()) {
    tints.add(new Konva.Image({ image: await createImageBitmap(tinted(layer, COLOURS[i % COLOURS.length] ?? COLOURS[0])) }));
  }
  const [disc, cup] = ellipses(size).map((ellipse, i) => new Konva.Ellipse({
    x: ellipse.cx, y: ellipse.cy, radiusX: ellipse.a, radiusY: ellipse.b, rotation: ellipse.theta_deg,
    stroke: COLOURS[i] ?? COLOURS[0], strokeWidth: 2, strokeScaleEnabled: false, dash: i === 0 ? [] : [9, 7],
  }));
  const { x, y } = point(size);
  const fovea = new Konva.Circle({ x, y, radius: 7, stroke: COLOURS[2], strokeWidth: 2, strokeScaleEnabled: false });
  const handles = new Konva.Transformer();
  if (disc !== undefined && cup !== undefined) shapes.add(disc, cup);
  shapes.add(fovea, handles);

  const fit = (): void => {
    const scale = Math.min(stage.width() / size.width, stage.height() / size.height);
    stage.scale({ x: scale, y: scale });
    stage.position({ x: (stage.width() - size.width * scale) / 2, y: (stage.height() - size.height * scale) / 2 });
  };
  stage.on("wheel", ({ evt }) => {
    evt.preventDefault();
    const at = stage.getPointerPosition();
    if (at === null) return;
    const before = stage.scaleX();
    const after = before * Math.exp(-evt.deltaY * ZOOM_STEP);
    const held = { x: (at.x - stage.x()) / before, y: (at.y - stage.y()) / before };
    stage.scale({ x: after, y: after });
    stage.position({ x: at.x - held.x * after, y: at.y - held.y * after });
  });
  let stroke: Konva.Line | null = null;
  let brushing = false;
  const place = (): readonly [number, number] => {
    const at = stage.getRelativePointerPosition();
    return [at?.x ?? 0, at?.y ?? 0];
  };
  stage.on("mousedown", () => {
    if (!brushing) return;
    stroke = new Konva.Line({ points: [...place(), ...place()], stroke: COLOURS[0], strokeWidth: 2 * RADIUS, lineCap: "round", lineJoin: "round", opacity: 0.35, listening: false });
    shapes.add(stroke);
  });
  stage.on("mousemove", () => { stroke?.points([...stroke.points(), ...place()]); });
  stage.on("mouseup", () => { stroke = null; });
  fit();
  const take = (what: "pan" | "turn" | "brush"): void => {
    stage.draggable(what === "pan");
    brushing = what === "brush";
    handles.nodes(what === "turn" && disc !== undefined ? [disc] : []);
  };
  return {
    pan: () => take("pan"),
    turn: (): Point => {
      take("turn");
      stage.draw();
      return handles.findOne(".rotater")?.getAbsolutePosition() ?? { x: 0, y: 0 };
    },
    brush: () => take("brush"),
    fit,
  };
}
