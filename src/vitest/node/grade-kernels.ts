import { builtinNodeItems, knownNames } from '../../config/node/node-items.ts';
import { ownKernels } from '../../config/own-items.ts';
import { parseConfig } from '../../config/schema.ts';
import { type ReachedGrade, worseGrade } from '../../evidence/grade.ts';
import {
  type GradedTrial,
  type GradingOptions,
  gradeKernel,
  type KernelGrade,
} from '../../evidence/grade-kernel.ts';
import { clientKernels } from '../../kernels/clients/node/clients.ts';
import { openExternal } from '../../kernels/host/node/open-in-process.ts';
import type { UserKernel } from '../../kernels/user-kernel.ts';
import { openNodeMachine } from '../../run/node/open-machine.ts';
import { makeRunCatalog } from '../../run/run-catalog.ts';

/** Options of grading a kernel. */
export interface GradeOptions extends Omit<GradingOptions, 'method'> {
  /** The GPU adapter, for kernels that compute on it: `hardware`, `software`, or a part of its name */
  readonly adapter?: string | undefined;
  /** Dawn toggles to enable. */
  readonly toggles?: readonly string[] | undefined;
  /** Levels of recursion of a built-in kernel. @defaultValue 1, or 0 for the classical algorithm */
  readonly levels?: number | undefined;
  /** The precision of a built-in kernel. @defaultValue 'f32' */
  readonly precision?: string | undefined;
}

export interface KernelTrial extends GradedTrial {
  readonly kernel: string;
}

export interface NamedGrade extends Omit<KernelGrade, 'trials'> {
  readonly kernel: string;
}

export interface GradedKernels {
  readonly grade: ReachedGrade;
  readonly trials: readonly KernelTrial[];
  readonly kernels: readonly NamedGrade[];
  readonly machine: string;
}

/**
 * Grades a kernel, or all kernels that a name stands for, in this process.
 * @throws ParanoiaError `bad-config`, `bad-kernel`, `no-adapter`, and those of {@link gradeKernel}
 */
export async function gradeKernels(
  given: string | UserKernel,
  { adapter, toggles, levels, precision, sizes, patience, seed }: GradeOptions = {},
): Promise<GradedKernels> {
  const own = ownKernels(
    parseConfig({ kernels: [given], adapter, toggles }, knownNames(builtinNodeItems)),
    builtinNodeItems,
  );
  const catalog = makeRunCatalog(own, builtinNodeItems, clientKernels);
  const names = typeof given === 'string' ? catalog.expand(given) : [given.name];
  const opened = await openNodeMachine(names, {
    ...{ catalog, adapter, toggles },
    sessionOf: (spec, device, precision) => openExternal(spec, { device, cwd: process.cwd() }, precision),
  });
  try {
    const { machine } = opened;
    const trials: KernelTrial[] = [];
    const kernels: NamedGrade[] = [];
    for (const name of names) {
      const kernel = await opened.kernelOf({ kernel: name, precision }, machine);
      const method = levels === undefined ? {} : { levels };
      const { trials: own, ...reached } = await gradeKernel(kernel, { sizes, patience, seed, method });
      trials.push(...own.map((trial) => ({ kernel: name, ...trial })));
      kernels.push({ kernel: name, ...reached });
    }
    const grade = kernels.reduce<ReachedGrade>((worst, one) => worseGrade(worst, one.grade), 'A');
    return { grade, trials, kernels, machine: machine.fingerprint.name };
  } finally {
    await opened.close();
  }
}
