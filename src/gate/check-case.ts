import { precisions } from '../formats/precision.ts';
import { inputOf } from '../inputs/edits/edited-family.ts';
import { builtinPlan, parseKernelName } from '../kernel/builtin.ts';
import { builtinCatalogue, type Catalogue } from '../kernel/catalogue.ts';
import { refusal } from '../kernel/check-kernel.ts';
import { findFault } from '../kernel/faults/faults.ts';
import type { UserKernel } from '../kernel/user-kernel.ts';
import { problem } from '../problems.ts';
import { type Case, formatCase } from './case.ts';

/** Plans of so few levels always exist. */
const FEW_LEVELS = 5;

/**
 * Finds out, before anything is run, whether a case can be: a run that stops at a wrong one would lose the others.
 * @throws Problem `unknown-name`, `input-refused`, `bad-number`, `kernel-refuses`, `bad-case`
 */
export function checkCase(value: Case, catalogue: Catalogue = builtinCatalogue): void {
  const { kernel, fault, input, m, k, n, levels } = value;
  const spec = catalogue.foreign(kernel);
  if (spec === undefined) parseKernelName(kernel);
  else checkForeign(value, spec);
  if (fault !== undefined) findFault(fault);
  const answer = inputOf(value).accepts({
    m,
    k,
    n,
    levels,
    precision: precisions[value.precision ?? 'f32'],
  });
  if (!answer.ok) {
    throw problem('input-refused', { input, shape: `${m}×${k}×${n}`, reason: answer.reason });
  }
  if (spec === undefined && levels > FEW_LEVELS) builtinPlan(kernel, value, value);
}

/** A kernel that is not ours has one precision and shapes of its own, and no planted faults. */
function checkForeign(value: Case, spec: UserKernel): void {
  const { kernel, fault, precision = 'f32', m, k, n } = value;
  const shape = `${m}×${k}×${n}`;
  const why = refusal(spec, value);
  if (why !== undefined) throw problem('kernel-refuses', { kernel, shape, why });
  const own = spec.precision ?? 'f32';
  const unfit =
    fault !== undefined
      ? 'faults are planted in built-in kernels only'
      : precision !== own
        ? `${kernel} computes in ${own}`
        : undefined;
  if (unfit !== undefined) throw problem('bad-case', { given: formatCase(value), why: unfit });
}
