// The pixels of an ellipse, by the rule that the server uses: a pixel is held when its centre lies inside or on the shape.
import { direction, type Ellipse, halfHeight, halfWidth, type Size } from "./geometry";
import { type Mask, maskOf, type Shape } from "./mask";

/**
 * With p, q the centre's offset along the semi-axes a, b: (p·b)² + (q·a)² ≤ (a·b)². The order of the operations is that
 * of the server's rule, so that both round alike and ties fall alike. Only the bounding box is looked at.
 */
export function ellipseShape(ellipse: Ellipse): Shape {
  checkEllipse(ellipse);
  const { a, b, cx, cy } = ellipse;
  const [cosine, sine] = direction(ellipse.theta_deg);
  const limit = a * b * (a * b);

  function holds(dx: number, dy: number): boolean {
    const pb = (dx * cosine + dy * sine) * b;
    const qa = (dy * cosine - dx * sine) * a;
    return pb * pb + qa * qa <= limit;
  }

  return (size, take) => {
    const [left, right] = span(cx, halfWidth(ellipse), size.width);
    const [top, bottom] = span(cy, halfHeight(ellipse), size.height);
    for (let y = top; y < bottom; y += 1) {
      const dy = y + 0.5 - cy;
      for (let x = left; x < right; x += 1) {
        if (!holds(x + 0.5 - cx, dy)) continue;
        const start = x;
        while (x < right && holds(x + 0.5 - cx, dy)) x += 1;
        take(y, start, x);
      }
    }
  };
}

export function rasteriseEllipse(ellipse: Ellipse, size: Size): Mask {
  return maskOf(ellipseShape(ellipse), size);
}

function checkEllipse(ellipse: Ellipse): void {
  for (const name of ["cx", "cy", "a", "b", "theta_deg"] as const) {
    if (!Number.isFinite(ellipse[name])) throw new RangeError(`${name} is ${ellipse[name]}, not a finite number`);
  }
  for (const name of ["a", "b"] as const) {
    if (!(ellipse[name] > 0)) throw new RangeError(`${name} is ${ellipse[name]}, a semi-axis must be positive`);
  }
}

/** First and past-the-last pixel that may be touched; one pixel wider than needed, against rounding. */
function span(centre: number, half: number, size: number): readonly [number, number] {
  return [Math.max(0, Math.floor(centre - half) - 1), Math.min(size, Math.ceil(centre + half) + 1)];
}
