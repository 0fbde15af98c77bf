import { precisions } from '../formats/precision.ts';
import { findInput } from '../inputs/inputs.ts';
import { builtinPlan, parseKernelName } from '../kernel/builtin.ts';
import { findFault } from '../kernel/faults/faults.ts';
import { problem } from '../problems.ts';
import type { Case } from './case.ts';

/** Plans of so few levels always exist. */
const FEW_LEVELS = 5;

/**
 * Finds out, before anything is run, whether a case can be: a run that stops at a wrong one would lose the others.
 * @throws Problem `unknown-name`, `input-refused`, `bad-number`
 */
export function checkCase(value: Case): void {
  const { kernel, fault, input, m, k, n, levels } = value;
  parseKernelName(kernel);
  if (fault !== undefined) findFault(fault);
  const answer = findInput(input).accepts({
    m,
    k,
    n,
    levels,
    precision: precisions[value.precision ?? 'f32'],
  });
  if (!answer.ok) {
    throw problem('input-refused', { input, shape: `${m}×${k}×${n}`, reason: answer.reason });
  }
  if (levels > FEW_LEVELS) builtinPlan(kernel, value, value);
}
