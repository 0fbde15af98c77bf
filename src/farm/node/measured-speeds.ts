import type { KernelCatalog } from '../../kernels/kernel-catalog.ts';
import type { PlannedCase } from '../../run/planned-case.ts';
import type { Scheduler } from '../../run/scheduler.ts';
import { countCaseProducts } from '../../run/spending.ts';
import type { KernelSpeed } from '../cut.ts';

/** The most multiplications of a case that a kernel is timed on. */
const TIMED = 2 ** 22;
/** Seconds of overhead a case, and the shortest time of a product. */
const [OVERHEAD, SHORTEST] = [0.002, 1e-4];

/** Measures the speeds of external kernels here: each judges one of its larger cases, once to warm up and once timed. */
export async function measuredSpeeds(
  cases: readonly PlannedCase[],
  judge: Pick<Scheduler, 'one'>,
  catalog: Pick<KernelCatalog, 'external'>,
): Promise<Map<string, KernelSpeed>> {
  const timed = new Map<string, PlannedCase>();
  for (const value of cases) {
    if (catalog.external(value.kernel) === undefined || countCaseProducts(value) > TIMED) continue;
    const before = timed.get(value.kernel);
    if (before === undefined || countCaseProducts(before) < countCaseProducts(value))
      timed.set(value.kernel, value);
  }
  const speeds = new Map<string, KernelSpeed>();
  for (const [kernel, value] of timed) {
    await judge.one(value);
    const start = performance.now();
    await judge.one(value);
    const seconds = Math.max(SHORTEST, (performance.now() - start) / 1000);
    speeds.set(kernel, { overhead: OVERHEAD, rate: Math.max(1, countCaseProducts(value)) / seconds });
  }
  return speeds;
}
