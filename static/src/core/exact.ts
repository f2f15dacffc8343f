// Signs of polynomials in floating-point numbers, without rounding: every double is a whole multiple of 2^-1074, so that
// whole-number arithmetic decides what floating point leaves in doubt. Slow, and asked only near a boundary.

const FRACTION_BITS = 52n;
const bits = new DataView(new ArrayBuffer(8));

/** The value in units of 2^-1074; finite values only. */
export function exactly(value: number): bigint {
  bits.setFloat64(0, value);
  const word = bits.getBigUint64(0);
  const exponent = (word >> FRACTION_BITS) & 0x7ffn;
  const fraction = word & ((1n << FRACTION_BITS) - 1n);
  const whole = exponent === 0n ? fraction : (fraction | (1n << FRACTION_BITS)) << (exponent - 1n);
  return word >> 63n === 0n ? whole : -whole;
}

export function sign(value: bigint): -1 | 0 | 1 {
  return value > 0n ? 1 : value < 0n ? -1 : 0;
}

/** Coordinates beyond this are refused, as on the server. */
export const LARGEST_PX = 1e7;

export function checkCoordinate(value: number, name: string): void {
  if (!(Math.abs(value) <= LARGEST_PX)) throw new RangeError(`${name} is ${value}, not finite or beyond ${LARGEST_PX}`);
}
