import type { Numeric } from '../../../precision/wgsl/numeric.ts';
import { type StagedTiling, tileShapeOf } from '../tilings.ts';

/** Returns the invocations of a workgroup, and the bytes of its memory. */
export function needsOf(block: StagedTiling): { invocations: number; bytes: number } {
  const { x, y } = arraysOf(block);
  const vectors = block.buffers * (x.outer * x.inner + y.outer * y.inner);
  return { invocations: block.across * block.down, bytes: 16 * vectors };
}

/**
 * Returns the sizes of the arrays in workgroup memory, in vec4s: x by step and then row, or by row and then step. One extra vec4 in the
 * inner dimension of x keeps neighboring rows in different banks.
 */
export function arraysOf({ rows, cols, across, down, depth, stage }: StagedTiling) {
  const [outer, inner] = stage === 'rows' ? [rows * down, depth / 4 + 1] : [depth, (rows * down) / 4 + 1];
  return { x: { outer, inner }, y: { outer: depth, inner: (cols * across) / 4 } };
}

/** The place of a vec4 of x that an invocation loads: four steps of a row, or four rows of a step. In WGSL, as functions of `local`. */
export interface PositionOfX {
  readonly row: string;
  readonly step: string;
}

/** Returns the places of the vec4s that an invocation loads in the block of x: rows from `row`, steps from `step`. */
export function placesOfX(block: StagedTiling): PositionOfX[] {
  const { stage, across, down, depth } = block;
  const threads = across * down;
  const count = (tileShapeOf(block).m * depth) / 4 / threads;
  return Array.from({ length: count }, (_, t) => {
    const e = `(local + ${(stage === 'blocks' ? Math.floor(t / 4) : t) * threads}u)`;
    if (stage === 'columns') return { row: `4u * (${e} / ${depth}u)`, step: `${e} % ${depth}u` };
    const row = `${e} / ${depth / 4}u`;
    return {
      row: stage === 'blocks' ? `4u * (${row}) + ${t % 4}u` : row,
      step: `4u * (${e} % ${depth / 4}u)`,
    };
  });
}

/** The place of a vec4 of y that an invocation loads: four columns of a step. In WGSL, as functions of `local`. */
export interface PositionOfY {
  readonly step: string;
  readonly col: string;
}

/** Returns the places of the vec4s that an invocation loads in the block of y: a step, and columns from `col`. */
export function placesOfY(block: StagedTiling): PositionOfY[] {
  const { across, down, depth } = block;
  const threads = across * down;
  const { n } = tileShapeOf(block);
  const count = (n * depth) / 4 / threads;
  return Array.from({ length: count }, (_, t) => {
    const e = `(local + ${t * threads}u)`;
    return { step: `${e} / ${n / 4}u`, col: `4u * (${e} % ${n / 4}u)` };
  });
}

/** Four adjacent sums of an invocation: their register, and their place relative to its first sums. */
export interface SumOfFour {
  readonly register: string;
  readonly rowsBelow: number;
  readonly colsRight: number;
}

/** Returns the row and the column of C of an invocation's first sums, in WGSL. */
export const firstSum = ({ stage }: StagedTiling): { row: string; col: string } => ({
  row: `(top + ${stage === 'rows' ? 'ty' : '4u * ty'})`,
  col: '(left + 4u * tx)',
});

export function listSums({ rows, cols, stage, across, down }: StagedTiling): SumOfFour[] {
  const below = (r: number) => (stage === 'rows' ? r * down : 4 * Math.floor(r / 4) * down + (r % 4));
  return Array.from({ length: rows }, (_, r) =>
    Array.from({ length: cols / 4 }, (_, v) => ({
      register: `c${r}_${v}`,
      rowsBelow: below(r),
      colsRight: 4 * v * across,
    })),
  ).flat();
}

/** The properties, besides the step, on which a shader's text depends. */
export interface StagedForm extends StagedTiling {
  readonly numeric: Numeric;
  /** True if k is not a multiple of the steps of a trip. */
  readonly ragged: boolean;
  /** The length of a run, whose terms are summed separately: a multiple of the steps of a trip. Undefined if all of k is one sum. */
  readonly run?: number | undefined;
}

export const registersOf = (tiling: StagedTiling): string[] =>
  listSums(tiling).map(({ register }) => register);
