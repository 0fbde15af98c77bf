import { quadrantPath } from '../accuracy/quadrant-path.ts';
import { describeRegion } from '../accuracy/region.ts';
import { precisions } from '../formats/precision.ts';
import { findLeaf } from '../gpu/leaves/leaves.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Plan } from '../plan/plan.ts';
import type { Evidence } from './evidence.ts';
import { recognise } from './hypotheses.ts';

/**
 * Says where the wrong entries are and, where it can tell, what the result looks like instead: a phrase that
 * points at the cause.
 * @param wrong marks the wrong entries, m·n, row-major.
 */
export function diagnose(evidence: Evidence, wrong: Uint8Array): string {
  const { plan, kernel, measures } = evidence;
  const { m, n } = plan.shape;
  const hints = { levels: plan.levels, border: plan.border, ...tileOf(kernel, plan) };
  const { text } = describeRegion(wrong, m, n, hints);
  const { worst } = measures.exact;
  const shown = worst === undefined ? '' : `; worst at ${describeWorst(evidence, worst)}`;
  const guess = recognise(evidence, wrong);
  return `${text}${shown}${guess === undefined ? '' : `; ${guess}`}`;
}

/** A square tile that regions may follow; other people's kernels have tiles of which nothing is known, fused ones several. */
function tileOf({ leaf, leafOf }: Kernel, plan: Plan): { tile?: number } {
  if (leaf === '' || plan.fused !== undefined) return {};
  const { tile } = findLeaf(leafOf?.(plan) ?? leaf, plan.leaf);
  return tile.m === tile.n ? { tile: tile.m } : {};
}

function describeWorst(
  { plan, kernel }: Evidence,
  { i, j, computed, expected }: { i: number; j: number; computed: number; expected: number },
): string {
  const path =
    plan.levels === 0
      ? ''
      : ` in ${quadrantPath(i, j, plan.shape.m, plan.shape.n, plan.levels, plan.border)}`;
  const { precision } = precisions[kernel.arithmetic.precision].stored;
  // As many digits as tell two numbers of the format apart.
  const shown = (x: number) => Number(x.toPrecision(precision <= 24 ? 9 : 17));
  return `(${i}, ${j})${path}: found ${shown(computed)}, expected ${shown(expected)}`;
}
