import type { Kernel } from '../kernel/kernel.ts';
import type { Plan } from '../plan/plan.ts';
import type { Case } from './case.ts';
import { Memo } from './memo.ts';

/** Plans that are kept: those of the cases that are prepared while others run. */
const plans = new Memo<Plan>(24);
const numbers = new WeakMap<Kernel, number>();
let kernels = 0;

/** The plan of a case, the same object each time it is asked for while the case is prepared, run and judged. */
export function planOf({ m, k, n, levels, border, edge }: Case, kernel: Kernel): Plan {
  const number = numbers.get(kernel) ?? kernels++;
  numbers.set(kernel, number);
  const key = [number, m, k, n, levels, border, edge].join();
  return plans.keep(key, plans.find(key) ?? kernel.plan({ m, k, n }, { levels, border, edge }));
}
