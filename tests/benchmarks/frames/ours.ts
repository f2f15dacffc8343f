// The scene on our own stage, with our own tools.
import type { MaskLayer } from "../../../static/src/core/layer";
import { type Rect, type Shape } from "../../../static/src/core/mask";
import { pointAt } from "../../../static/src/core/geometry";
import type { Easel } from "../../../static/src/tools/painting";
import { Colour8Source } from "../../../static/src/view/colour8";
import { createStage } from "../../../static/src/view/stage";
import type { Mark } from "../../../static/src/view/types";
import { type Bench, ellipses, masks, picture, point, RADIUS, type SceneSize } from "./scene";

/** Paints into one mask and tells where it changed, as the page's own easel does. */
function easelOn(layer: MaskLayer, told: (rect: Rect) => void): Easel {
  const nothing = (): void => undefined;
  return {
    settings: { radius: RADIUS, pressure: false, tolerance: 24 },
    change: nothing, begin: () => true, keep: nothing, giveUp: nothing, anew: nothing, apply: nothing,
    flood: () => nothing as unknown as Shape,
    paint: (shape) => told(layer.paint(shape, 1)),
  };
}

export async function build(host: HTMLElement, size: SceneSize): Promise<Bench> {
  const source = new Colour8Source(await createImageBitmap(picture(size)));
  const stage = createStage(host, { label: "scene" });
  stage.show(source);
  const [disc, cup] = ellipses(size);
  const look = { selected: false, visible: true } as const;
  const marks: readonly Mark[] = [
    { ...look, kind: "ellipse", key: "disc", colour: 0, line: "solid", value: disc },
    { ...look, kind: "ellipse", key: "cup", colour: 1, line: "dashed", value: cup },
    { ...look, kind: "point", key: "fovea", colour: 2, line: "solid", value: point(size) },
  ];
  stage.setMarks(marks);
  const layers = masks(size);
  stage.setLayers(layers.map((layer, i) => ({
    key: `mask${i}`, width: size.width, height: size.height, pixels: layer.pixels, colour: i, line: "solid", opacity: 0.35, visible: true, outline: true,
  })));
  const first = layers[0];
  return {
    pan: () => stage.setTool(null),
    turn: () => {
      stage.setMarks(marks);
      stage.setTool({ kind: "ellipse", key: "disc" });
      // The handle stands 26 CSS pixels off the end of the first axis.
      const scale = Math.min(host.clientWidth / size.width, host.clientHeight / size.height);
      const { x, y } = pointAt(disc, 1 + 26 / (scale * disc.a), 0);
      return { x: (host.clientWidth - size.width * scale) / 2 + x * scale, y: (host.clientHeight - size.height * scale) / 2 + y * scale };
    },
    brush: () => {
      if (first !== undefined) stage.setTool({ kind: "brush", key: "mask0", easel: easelOn(first, (rect) => stage.layerChanged("mask0", [rect])) });
    },
    fit: () => stage.fit(),
  };
}
