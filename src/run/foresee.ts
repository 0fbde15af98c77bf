import { ParanoiaError } from '../base/errors.ts';
import { planOf } from '../evidence/prepare.ts';
import { isDevice, type Machine, type OpenDevice } from '../gpu/device.ts';
import { compileAhead } from '../gpu/queue/pipelines.ts';
import { neededBy } from '../gpu/runner/needed.ts';
import type { Kernel } from '../kernels/kernel.ts';
import type { Case } from '../problem/case.ts';

/** How many cases before its own a pipeline is begun at most, and how many are compiled at a time. */
const AHEAD = { cases: 16, pipelines: 3 };

/** Which plans of a device were looked at. */
const seen = new WeakMap<OpenDevice, Set<object>>();

/**
 * Begins to compile what the cases from a place on will need, while this thread and the device are busy with those
 * before: of most cases nothing, for others had the same pipelines.
 * @param kernelFor the kernel of a case, if there is one yet.
 */
export function foresee(
  cases: readonly Case[],
  from: number,
  open: Machine,
  kernelFor: (value: Case) => Kernel | undefined,
): void {
  if (!isDevice(open)) return;
  const known = seen.get(open) ?? new Set();
  seen.set(open, known);
  for (const value of cases.slice(from, from + AHEAD.cases)) {
    // A planted fault may count the programs it is asked for.
    if (known.has(value) || value.fault !== undefined) continue;
    const kernel = kernelFor(value);
    if (kernel === undefined) continue;
    known.add(value);
    if (begin(value, kernel, open) >= AHEAD.pipelines) return;
  }
}

/** @returns how many pipelines the device is compiling. */
function begin(value: Case, kernel: Kernel, open: OpenDevice): number {
  try {
    const executable = kernel.executable?.(planOf(value, kernel));
    return executable === undefined ? 0 : compileAhead(open, executable.made.dispatches.map(neededBy));
  } catch (error) {
    // The case itself will say so.
    if (error instanceof ParanoiaError) return 0;
    throw error;
  }
}
