import { sharedGrowth } from '../algorithms/shared-growth.ts';
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
export function withClaimedEntries(cases: readonly PlannedCase[], catalogue: KernelCatalog): PlannedCase[] {
  const own = <T extends Case>(value: T): T =>
    isRounded(value, catalogue) || isLost(value, catalogue)
      ? { ...value, ...changeCase(value, { input: RANDOM, edit: 'none' }) }
      : value;
  return cases.map((value) => ({ ...own(value), ...(value.after && { after: value.after.map(own) }) }));
}

/** True if an external kernel claims nothing about the NaN and infinities of a case. */
const isLost = ({ kernel, problem }: Case, catalogue: KernelCatalog): boolean =>
  catalogue.external(kernel)?.claims?.arithmetic?.exceptions === false &&
  hasSpecialEntries(problem, catalogue.inputs);

function isRounded({ kernel, problem, method: { levels } }: Case, catalogue: KernelCatalog): boolean {
  const claims = catalogue.external(kernel)?.claims;
  if (claims?.algorithm === undefined || levels === 0) return false;
  const { m, k, n } = problem;
  const growth = sharedGrowth(claimedAlgorithmFor(claims, { m, k, n }, catalogue.algorithms).table);
  const precision = catalogue.precisions.find(problem.precision);
  const family = inputOf(problem, catalogue.inputs);
  return growth.rounds === true && !family.accepts({ m, k, n, levels, growth, precision }).ok;
}
