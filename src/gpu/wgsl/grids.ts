import type { Shape } from '../../matrix/dense.ts';
import { OPERATIONS_AT_ONCE } from '../tuning/tuning.ts';
import type { Leaf } from './leaves/leaf.ts';

/** The most workgroups along a dimension of a dispatch, on every device. */
export const MAX_WORKGROUPS = 65535;

/** Splits the rows of a product at tile boundaries, so that no dispatch has too many operations or workgroups. */
export function rowRanges(
  { m, k, n }: Shape,
  { tile }: Pick<Leaf, 'tile'>,
  operationsAtOnce = OPERATIONS_AT_ONCE,
): [number, number][] {
  const fitting = Math.floor(operationsAtOnce / (2 * k * n));
  const rows = Math.min(MAX_WORKGROUPS, Math.max(1, Math.floor(fitting / tile.m))) * tile.m;
  const ranges: [number, number][] = [];
  for (let first = 0; first < m; first += rows) ranges.push([first, Math.min(first + rows, m)]);
  return ranges;
}

/** Returns a two-dimensional grid for a linear pass: a dimension holds at most 65 535 workgroups. */
export function linearGrid(
  invocations: number,
  workgroup: number,
): { workgroups: [number, number]; width: number } {
  const groups = Math.ceil(invocations / workgroup);
  const across = Math.min(groups, MAX_WORKGROUPS);
  return { workgroups: [across, Math.ceil(groups / across)], width: across * workgroup };
}
