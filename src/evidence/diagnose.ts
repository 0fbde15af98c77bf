import { findLeaf } from '../gpu/wgsl/leaves/leaves.ts';
import { cutsOf, path, pathName } from '../plan/path.ts';
import type { Evidence } from './evidence.ts';
import { recognise } from './hypotheses.ts';
import { describeRegion } from './region.ts';

/**
 * Says where the wrong entries are and, where it can tell, what the result looks like instead: a phrase that
 * points at the cause.
 * @param wrong marks the wrong entries, m·n, row-major.
 */
export function diagnose(evidence: Evidence, wrong: Uint8Array): string {
  const { plan, errors } = evidence;
  const { m, n } = plan.shape;
  const hints = { cuts: cutsOf(plan), ...tileOf(evidence) };
  const { text } = describeRegion(wrong, m, n, hints);
  const { worst } = errors.exact;
  const shown = worst === undefined ? '' : `; worst at ${describeWorst(evidence, worst)}`;
  const guess = recognise(evidence, wrong);
  return `${text}${shown}${guess === undefined ? '' : `; ${guess}`}`;
}

/** A square tile that regions may follow; other people's kernels have tiles of which nothing is known, fused ones several. */
function tileOf({ leaf, plan }: Evidence): { tile?: number } {
  if (leaf === '' || plan.fused !== undefined) return {};
  const { tile } = findLeaf(leaf, plan.leaf);
  return tile.m === tile.n ? { tile: tile.m } : {};
}

function describeWorst(
  { plan, machine }: Evidence,
  { i, j, computed, expected }: { i: number; j: number; computed: number; expected: number },
): string {
  const where = plan.levels === 0 ? '' : ` in ${pathName(path(i, j, plan))}`;
  const { precision } = machine.precision.d;
  // As many digits as tell two numbers of the format apart.
  const shown = (x: number) => Number(x.toPrecision(precision <= 24 ? 9 : 17));
  return `(${i}, ${j})${where}: found ${shown(computed)}, expected ${shown(expected)}`;
}
