import type { Matrix, RealArray } from '../../matrix/dense.ts';
import {
  denseLayout,
  extentsOf,
  type Gemm,
  leastLine,
  type MatrixLayout,
  startOf,
  stepsOf,
  storedLinesOf,
} from '../../matrix/gemm.ts';
import { layOutRealOperands } from '../../precision/operand-memory.ts';
import { type EntryPrediction, scaledEntry, type WrongProductScene } from './cause.ts';

type Memory = Readonly<Record<'a' | 'b' | 'c', RealArray>>;

const memories = new WeakMap<WrongProductScene, Memory>();

/** Returns the operands as they lay in memory, from a cache per scene. */
export function memoryOf(scene: WrongProductScene): Memory {
  const { evidence, gemm } = scene;
  const memory =
    memories.get(scene) ?? layOutRealOperands(evidence.operands, gemm, evidence.machine.precision);
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
  scene: WrongProductScene,
  change: Partial<Gemm>,
  { memory = memoryOf(scene), beyond }: ReadOptions = {},
): EntryPrediction {
  const read = { ...scene.gemm, ...change };
  const { k } = read;
  const [a, b, c] = [read.a, read.b, read.c].map((laid) => ({ ...laid, ...stepsOf(laid) }));
  const product: EntryPrediction = (i, j, p) => {
    const [row, col] = [startOf(a, p) + i * a.row, startOf(b, p) + j * b.col];
    let sum = 0;
    for (let q = 0; q < k; q++) {
      const x = memory.a[row + q * a.col] ?? beyond;
      const y = memory.b[col + q * b.row] ?? beyond;
      if (x === undefined || y === undefined) return undefined;
      sum += x * y;
    }
    return sum;
  };
  const added: EntryPrediction = (i, j, p) => memory.c[startOf(c, p) + i * c.row + j * c.col] ?? beyond;
  return scaledEntry(read, product, added);
}

/** Returns the product if dense copies of the operands, such as packing kernels make, are read in a changed way. */
export function readDense(scene: WrongProductScene, change: (dense: Gemm) => Partial<Gemm>): EntryPrediction {
  const { a, b, c } = scene.evidence.operands;
  const { m, k, n } = scene.gemm;
  const laid = (matrix: Matrix, rows: number, cols: number): MatrixLayout => ({
    ...denseLayout({ rows, cols }),
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

/** Returns the least leading dimension that a matrix can have. */
export const leastLeadingDimension = (
  name: 'a' | 'b' | 'c',
  gemm: Gemm,
  laid: Pick<MatrixLayout, 'op' | 'order' | 'inc'>,
): number => leastLine(storedLinesOf(laid, extentsOf(gemm)[name]).entries, laid.inc);

/** Returns a changed layout; a leading dimension that was the least stays the least. */
export function transposeLayout(
  name: 'a' | 'b' | 'c',
  gemm: Gemm,
  change: Partial<MatrixLayout>,
): MatrixLayout {
  const laid = gemm[name];
  const other = { ...laid, ...change };
  return {
    ...other,
    ld:
      laid.ld === leastLeadingDimension(name, gemm, laid)
        ? leastLeadingDimension(name, gemm, other)
        : laid.ld,
  };
}

export const otherOp = ({ op }: MatrixLayout): Pick<MatrixLayout, 'op'> => ({ op: op === 'n' ? 't' : 'n' });
export const otherOrder = ({ order }: MatrixLayout): Pick<MatrixLayout, 'order'> => ({
  order: order === 'row' ? 'column' : 'row',
});
