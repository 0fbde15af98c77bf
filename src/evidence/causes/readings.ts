import type { Matrix, Real } from '../../matrix/dense.ts';
import { denseLaid, extentsOf, type Gemm, type Laid, linesOf, stepsOf } from '../../matrix/gemm.ts';
import { layOutAll } from '../../precision/laid-operands.ts';
import type { EntryOf, Scene } from './cause.ts';
import { scaledEntry } from './scaled-entry.ts';

type Memory = Readonly<Record<'a' | 'b' | 'c', Real>>;

const memories = new WeakMap<Scene, Memory>();

/** Returns the operands as they lay in memory, from a cache per scene. */
export function memoryOf(scene: Scene): Memory {
  const { evidence, gemm } = scene;
  const memory = memories.get(scene) ?? layOutAll(evidence.operands, gemm, evidence.machine.precision);
  memories.set(scene, memory);
  return memory;
}

interface ReadOptions {
  /** @defaultValue the memory of the operands */
  readonly memory?: Memory;
  /** The value outside the memory. @defaultValue undefined: unknown */
  readonly beyond?: number;
}

/** Returns the product, in doubles, if memory is read in a changed way. */
export function readAs(
  scene: Scene,
  change: Partial<Gemm>,
  { memory = memoryOf(scene), beyond }: ReadOptions = {},
): EntryOf {
  const read = { ...scene.gemm, ...change };
  const { k } = read;
  const [a, b, c] = [read.a, read.b, read.c].map((laid) => ({ ...laid, ...stepsOf(laid) }));
  const product: EntryOf = (i, j, p) => {
    const [row, col] = [a.offset + p * a.stride + i * a.row, b.offset + p * b.stride + j * b.col];
    let sum = 0;
    for (let q = 0; q < k; q++) {
      const x = memory.a[row + q * a.col] ?? beyond;
      const y = memory.b[col + q * b.row] ?? beyond;
      if (x === undefined || y === undefined) return undefined;
      sum += x * y;
    }
    return sum;
  };
  const added: EntryOf = (i, j, p) => memory.c[c.offset + p * c.stride + i * c.row + j * c.col] ?? beyond;
  return scaledEntry(read, product, added);
}

/** Returns the product if dense copies of the operands, such as packing kernels make, are read in a changed way. */
export function readDense(scene: Scene, change: (dense: Gemm) => Partial<Gemm>): EntryOf {
  const { a, b, c } = scene.evidence.operands;
  const { m, k, n } = scene.gemm;
  const laid = (matrix: Matrix, rows: number, cols: number): Laid => ({
    ...denseLaid({ rows, cols }),
    stride: matrix.rows > rows ? rows * cols : 0,
  });
  const read = {
    ...scene.gemm,
    a: laid(a, m, k),
    b: laid(b, k, n),
    c: c === undefined ? scene.gemm.c : laid(c, m, n),
  };
  const memory = { a: a.data, b: b.data, c: c?.data ?? new Float32Array(0) };
  return readAs(scene, { ...read, ...change(read) }, { memory });
}

/** The least leading dimension that a matrix can have. */
export const leastOf = (name: 'a' | 'b' | 'c', gemm: Gemm, laid: Pick<Laid, 'op' | 'order'>): number =>
  Math.max(1, linesOf(laid, extentsOf(gemm)[name]).entries);

/** Returns a changed layout; a leading dimension that was the least stays the least. */
export function turned(name: 'a' | 'b' | 'c', gemm: Gemm, change: Partial<Laid>): Laid {
  const laid = gemm[name];
  const other = { ...laid, ...change };
  return { ...other, ld: laid.ld === leastOf(name, gemm, laid) ? leastOf(name, gemm, other) : laid.ld };
}

export const otherOp = ({ op }: Laid): Pick<Laid, 'op'> => ({ op: op === 'n' ? 't' : 'n' });
export const otherOrder = ({ order }: Laid): Pick<Laid, 'order'> => ({
  order: order === 'row' ? 'column' : 'row',
});
