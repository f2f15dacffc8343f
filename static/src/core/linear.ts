// The little linear algebra that fitting needs.

export type Vector3 = readonly [number, number, number];
export type Matrix3 = readonly [Vector3, Vector3, Vector3];

/** Solution of a square system by Gaussian elimination with partial pivoting; null when it is singular. */
export function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] | null {
  const n = right.length;
  const rows = matrix.map((row, i) => [...row, right[i] ?? 0]);
  const largest = Math.max(...matrix.flat().map(Math.abs));
  for (let column = 0; column < n; column += 1) {
    const pivot = pivotRow(rows, column);
    const row = rows[pivot] ?? [];
    if (!(Math.abs(row[column] ?? 0) > 1e-12 * largest)) return null;
    [rows[column], rows[pivot]] = [row, rows[column] ?? []];
    for (const other of rows) {
      if (other === row) continue;
      const factor = (other[column] ?? 0) / (row[column] ?? 1);
      for (let j = column; j <= n; j += 1) other[j] = (other[j] ?? 0) - factor * (row[j] ?? 0);
    }
  }
  return rows.map((row, i) => (row[n] ?? 0) / (row[i] ?? 1));
}

function pivotRow(rows: readonly (readonly number[])[], column: number): number {
  let best = column;
  for (let i = column + 1; i < rows.length; i += 1) {
    if (Math.abs(rows[i]?.[column] ?? 0) > Math.abs(rows[best]?.[column] ?? 0)) best = i;
  }
  return best;
}

/** Unit eigenvector of the largest eigenvalue of a matrix whose eigenvalues are real. */
export function largestEigenvector(matrix: Matrix3): Vector3 {
  const value = largestEigenvalue(matrix);
  const [r0, r1, r2] = matrix.map((row, i) => row.map((entry, j) => (i === j ? entry - value : entry))) as unknown as Matrix3;
  // The eigenvector is at right angles to every row; the longest product comes from the two rows least alike.
  const normals = [cross(r0, r1), cross(r1, r2), cross(r2, r0)].sort((u, v) => norm(v) - norm(u));
  const [best] = normals;
  if (best === undefined) throw new Error("three rows give three products");
  const length = norm(best);
  return [best[0] / length, best[1] / length, best[2] / length];
}

/** Largest root of the characteristic cubic: by the cosine formula, then polished by Newton's steps. */
function largestEigenvalue(m: Matrix3): number {
  const trace = m[0][0] + m[1][1] + m[2][2];
  const minors = minor(m, 0, 1) + minor(m, 0, 2) + minor(m, 1, 2);
  const determinant = m[0][0] * minor(m, 1, 2) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
    + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  const third = trace / 3;
  const p = Math.max(0, third * third - minors / 3);
  const q = third ** 3 - (third * minors) / 2 + determinant / 2;
  const angle = Math.acos(Math.min(1, Math.max(-1, p === 0 ? 1 : q / p ** 1.5)));
  let root = third + 2 * Math.sqrt(p) * Math.cos(angle / 3);
  for (let step = 0; step < 3; step += 1) {
    const slope = 3 * root * root - 2 * trace * root + minors;
    if (slope === 0) break;
    root -= (((root - trace) * root + minors) * root - determinant) / slope;
  }
  return root;
}

/** Principal minor of rows and columns i and j. */
function minor(m: Matrix3, i: 0 | 1, j: 1 | 2): number {
  return m[i][i] * m[j][j] - m[i][j] * m[j][i];
}

function cross(u: Vector3, v: Vector3): Vector3 {
  return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
}

function norm(v: Vector3): number {
  return Math.hypot(...v);
}
