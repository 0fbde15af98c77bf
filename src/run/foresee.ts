import { ParanoiaError } from '../base/errors.ts';
import { planOf } from '../evidence/prepare.ts';
import type { OpenDevice } from '../gpu/device.ts';
import { compileAhead } from '../gpu/queue/pipelines.ts';
import { shaderRequestOf } from '../gpu/wgsl/dispatch.ts';
import type { Kernel } from '../kernels/kernel.ts';
import type { Case } from '../problem/case.ts';

/** Limits of compiling ahead: the distance of a pipeline from its case, in cases, and the pipelines that compile at a time. */
const AHEAD = { cases: 16, pipelines: 3 };

/** The examined plans of each device. */
const seen = new WeakMap<OpenDevice, Set<object>>();

/**
 * Starts to compile what the next cases need, while this thread and the device are busy with earlier ones. Most cases need nothing:
 * others had the same pipelines.
 * @param kernelFor returns the kernel of a case, if there is one yet.
 */
export function compileAheadOfCases(
  cases: readonly Case[],
  open: OpenDevice,
  kernelFor: (value: Case) => Kernel | undefined,
): void {
  const known = seen.get(open) ?? new Set();
  seen.set(open, known);
  for (const value of cases.slice(0, AHEAD.cases)) {
    // A planted fault may count its requested programs.
    if (known.has(value) || value.fault !== undefined) continue;
    const kernel = kernelFor(value);
    if (kernel === undefined) continue;
    known.add(value);
    if (begin(value, kernel, open) >= AHEAD.pipelines) return;
  }
}

/** @returns the number of pipelines that the device is compiling. */
function begin(value: Case, kernel: Kernel, open: OpenDevice): number {
  try {
    const executable = kernel.executable?.(planOf(value, kernel));
    return executable === undefined ? 0 : compileAhead(open, executable.made.dispatches.map(shaderRequestOf));
  } catch (error) {
    // The case itself will report it.
    if (error instanceof ParanoiaError) return 0;
    throw error;
  }
}
