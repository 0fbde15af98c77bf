import { sharedGrowth } from '../algorithms/growth.ts';
import { hasSpecialEntries, inputOf } from '../inputs/edits/edited-family.ts';
import { claimedAlgorithmFor } from '../kernels/claims.ts';
import type { KernelCatalog } from '../kernels/kernel-catalog.ts';
import { type Case, changeCase } from '../problem/case.ts';
import type { PlannedCase } from '../run/planned-case.ts';
import { RANDOM } from './drawn-entries.ts';

/**
 * Replaces entries that external kernels do not claim to multiply by random ones: whole numbers, if they claim a table with rounded factors,
 * such as 1/3; NaN and infinities, if they claim `exceptions: false`.
 */
export function withClaimedEntries(cases: readonly PlannedCase[], catalog: KernelCatalog): PlannedCase[] {
  const own = <T extends Case>(value: T): T =>
    isRounded(value, catalog) || isLost(value, catalog)
      ? { ...value, ...changeCase(value, { input: RANDOM, edit: 'none' }) }
      : value;
  return cases.map((value) => ({ ...own(value), ...(value.after && { after: value.after.map(own) }) }));
}

/** True if an external kernel claims nothing about the NaN and infinities of a case. */
const isLost = ({ kernel, problem }: Case, catalog: KernelCatalog): boolean =>
  catalog.external(kernel)?.claims?.arithmetic?.exceptions === false &&
  hasSpecialEntries(problem, catalog.inputs);

function isRounded({ kernel, problem, method: { levels } }: Case, catalog: KernelCatalog): boolean {
  const claims = catalog.external(kernel)?.claims;
  if (claims?.algorithm === undefined || levels === 0) return false;
  const { m, k, n } = problem;
  const growth = sharedGrowth(claimedAlgorithmFor(claims, { m, k, n }, catalog.algorithms).table);
  const precision = catalog.precisions.find(problem.precision);
  const family = inputOf(problem, catalog.inputs);
  return growth.rounds === true && !family.accepts({ m, k, n, levels, growth, precision }).ok;
}
