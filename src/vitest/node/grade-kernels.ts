import { type Reached, worseGrade } from '../../accuracy/grade.ts';
import { type GradedTrial, type GradingOptions, gradeKernel } from '../../accuracy/grade-kernel.ts';
import { knownNames } from '../../config/node/known-names.ts';
import { ownKernels, parseConfig } from '../../config/schema.ts';
import type { PrecisionName } from '../../formats/precision.ts';
import type { Case } from '../../gate/case.ts';
import { openWorkshop } from '../../gate/node/workshop.ts';
import { catalogueOf } from '../../kernel/catalogue.ts';
import { clientKernels } from '../../kernel/node/clients/clients.ts';
import { openSession } from '../../kernel/node/open-session.ts';
import type { UserKernel } from '../../kernel/user-kernel.ts';

/** How kernels are graded, and on what. */
export interface GradeOptions extends Omit<GradingOptions, 'manner'> {
  /** The GPU adapter, for kernels that compute on it: `hardware`, `software`, or a part of its name. */
  readonly adapter?: string | undefined;
  /** Dawn toggles to enable. */
  readonly toggles?: readonly string[] | undefined;
  /** Levels of recursion of a built-in kernel. @defaultValue 1, of the classical algorithm 0 */
  readonly levels?: number | undefined;
  /** What a built-in kernel computes in. @defaultValue 'f32' */
  readonly precision?: PrecisionName | undefined;
}

/** One trial of one kernel. */
export interface KernelTrial extends GradedTrial {
  readonly kernel: string;
}

/** The worst grade of all trials. */
export interface GradedKernels {
  readonly grade: Reached;
  readonly trials: readonly KernelTrial[];
  /** What it ran on. */
  readonly machine: string;
}

/**
 * Grades a kernel, or all that a name stands for, in this process.
 * @throws Problem `bad-config`, `bad-kernel`, `no-adapter`, and those of {@link gradeKernel}.
 */
export async function gradeKernels(
  given: string | UserKernel,
  { adapter, toggles, levels, precision, sizes, seed }: GradeOptions = {},
): Promise<GradedKernels> {
  const own = ownKernels(parseConfig({ kernels: [given], adapter, toggles }, knownNames()));
  const catalogue = catalogueOf([...own, ...clientKernels]);
  const names = typeof given === 'string' ? catalogue.expand(given) : [given.name];
  const workshop = await openWorkshop(names, {
    ...{ catalogue, adapter, toggles },
    sessionOf: (spec, device) => openSession(spec, { device, cwd: process.cwd() }),
  });
  try {
    const { machine } = workshop;
    const trials: KernelTrial[] = [];
    for (const name of names) {
      const kernel = await workshop.kernelOf({ ...ANY_CASE, kernel: name, precision }, machine);
      const manner = levels === undefined ? {} : { levels };
      const graded = await gradeKernel(kernel, { sizes, seed, manner });
      trials.push(...graded.trials.map((trial) => ({ kernel: name, ...trial })));
    }
    const grade = trials.reduce<Reached>((worst, trial) => worseGrade(worst, trial.grade), 'A');
    return { grade, trials, machine: machine.fingerprint.name };
  } finally {
    await workshop.close();
  }
}

/** Kernels are looked up by case; of this one only its kernel and precision matter. */
const ANY_CASE: Omit<Case, 'kernel'> = {
  levels: 0,
  border: 'pad',
  edge: 'guard',
  input: 'uniform',
  m: 1,
  k: 1,
  n: 1,
  seed: 1,
};
