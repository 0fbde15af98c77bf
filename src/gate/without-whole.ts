import { sharedGrowth } from '../algorithms/shared-growth.ts';
import { inputOf } from '../inputs/edits/edited-family.ts';
import { claimedAlgorithmFor } from '../kernels/claims.ts';
import type { KernelCatalog } from '../kernels/kernel-catalog.ts';
import { type Case, changeCase } from '../problem/case.ts';
import type { PlannedCase } from '../run/planned-case.ts';
import { RANDOM } from './drawn-entries.ts';

/** Replaces whole numbers by random entries in cases of external kernels that claim a table with rounded factors, such as 1/3. */
export function withoutWhole(cases: readonly PlannedCase[], catalogue: KernelCatalog): PlannedCase[] {
  const own = <T extends Case>(value: T): T =>
    isRounded(value, catalogue) ? { ...value, ...changeCase(value, { input: RANDOM, edit: 'none' }) } : value;
  return cases.map((value) => ({ ...own(value), ...(value.after && { after: value.after.map(own) }) }));
}

function isRounded({ kernel, problem, method: { levels } }: Case, catalogue: KernelCatalog): boolean {
  const claims = catalogue.external(kernel)?.claims;
  if (claims?.algorithm === undefined || levels === 0) return false;
  const { m, k, n } = problem;
  const growth = sharedGrowth(claimedAlgorithmFor(claims, { m, k, n }, catalogue.algorithms).table);
  const precision = catalogue.precisions.find(problem.precision);
  const family = inputOf(problem, catalogue.inputs);
  return growth.rounds === true && !family.accepts({ m, k, n, levels, growth, precision }).ok;
}
