import type { Numeric } from '../../../precision/wgsl/numeric.ts';
import { type StagedTiling, tileOf } from '../tiling.ts';

/** Invocations of a workgroup, and bytes of its memory. */
export function needsOf(block: StagedTiling): { invocations: number; bytes: number } {
  const { x, y } = arraysOf(block);
  const vectors = block.buffers * (x.outer * x.inner + y.outer * y.inner);
  return { invocations: block.across * block.down, bytes: 16 * vectors };
}

/**
 * The arrays in workgroup memory, in vec4s: x by step and then row, or by row and then step. One vec4 more than needed in
 * its inner dimension keeps neighbouring rows in different banks.
 */
export function arraysOf({ rows, cols, across, down, depth, stage }: StagedTiling) {
  const [outer, inner] = stage === 'rows' ? [rows * down, depth / 4 + 1] : [depth, (rows * down) / 4 + 1];
  return { x: { outer, inner }, y: { outer: depth, inner: (cols * across) / 4 } };
}

/** A vec4 of x that an invocation brings: four steps of a row, or four rows of a step. In WGSL, of `local`. */
export interface PlaceOfX {
  readonly row: string;
  readonly step: string;
}

/** Where the vec4s that an invocation brings lie in the block of x: rows from `row`, steps from `step`. */
export function placesOfX(block: StagedTiling): PlaceOfX[] {
  const { stage, across, down, depth } = block;
  const threads = across * down;
  const count = (tileOf(block).m * depth) / 4 / threads;
  return Array.from({ length: count }, (_, t) => {
    const e = `(local + ${(stage === 'blocks' ? Math.floor(t / 4) : t) * threads}u)`;
    if (stage === 'columns') return { row: `4u * (${e} / ${depth}u)`, step: `${e} % ${depth}u` };
    const row = `${e} / ${depth / 4}u`;
    return { row: stage === 'rows' ? row : `4u * (${row}) + ${t % 4}u`, step: `4u * (${e} % ${depth / 4}u)` };
  });
}

/** A vec4 of y that an invocation brings: four columns of a step. In WGSL, of `local`. */
export interface PlaceOfY {
  readonly step: string;
  readonly col: string;
}

/** The same of y: a step, and columns from `col`. */
export function placesOfY(block: StagedTiling): PlaceOfY[] {
  const { across, down, depth } = block;
  const threads = across * down;
  const { n } = tileOf(block);
  const count = (n * depth) / 4 / threads;
  return Array.from({ length: count }, (_, t) => {
    const e = `(local + ${t * threads}u)`;
    return { step: `${e} / ${n / 4}u`, col: `4u * (${e} % ${n / 4}u)` };
  });
}

/** Four neighbouring sums of an invocation: the register they are in, and where they lie from its first ones on. */
export interface SumOfFour {
  readonly register: string;
  readonly rowsBelow: number;
  readonly colsRight: number;
}

/** The row and the column of C that an invocation's first sums lie in, in WGSL. */
export const firstSum = ({ stage }: StagedTiling): { row: string; col: string } => ({
  row: `(top + ${stage === 'rows' ? 'ty' : '4u * ty'})`,
  col: '(left + 4u * tx)',
});

/** What an invocation computes. */
export function sumsOf({ rows, cols, stage, across, down }: StagedTiling): SumOfFour[] {
  const below = (r: number) => (stage === 'rows' ? r * down : 4 * Math.floor(r / 4) * down + (r % 4));
  return Array.from({ length: rows }, (_, r) =>
    Array.from({ length: cols / 4 }, (_, v) => ({
      register: `c${r}_${v}`,
      rowsBelow: below(r),
      colsRight: 4 * v * across,
    })),
  ).flat();
}

/** What a shader's text depends on beside the step. */
export interface Form extends StagedTiling {
  readonly numeric: Numeric;
  /** Whether k is no multiple of the steps of a trip. */
  readonly ragged: boolean;
  /** Terms that are summed apart, a multiple of the steps of a trip; undefined where that is all of k. */
  readonly run?: number | undefined;
}

/** The registers that hold the sums of an invocation. */
export const registersOf = (tiling: StagedTiling): string[] => sumsOf(tiling).map(({ register }) => register);
