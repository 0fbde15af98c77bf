import { availableParallelism, totalmem } from 'node:os';
import { ownScript } from '../base/node/own-script.ts';
import type { Flags } from '../config/flags.ts';
import type { Catalogue } from '../kernels/catalogue.ts';
import type { Jobs } from '../run/node/jobs.ts';
import type { PlannedCase } from '../run/planned-case.ts';
import type { JobArgs } from './job.ts';

/** The module of the processes that judge. */
const JOB = ownScript('./job', import.meta.url);
/** Of the processes that judge where none are asked for: the most, the cases that each is worth, and the memory that each has. */
const MOST = 4;
const WORTH = 100;
const BYTES = 3 * 2 ** 30;

/** Who judges the cases of a gate: as many processes as are asked for, or as pay. */
export function jobsOf(
  asked: number | undefined,
  flags: Flags,
  cases: readonly PlannedCase[],
  catalogue: Catalogue,
): Jobs {
  const kernels = [...new Set(cases.map(({ kernel }) => kernel))];
  const usual = () => (kernels.every((name) => isAlone(name, catalogue)) ? paying(cases.length) : 1);
  return {
    // Cases that are named are judged one after the other in one process: a failure may need those before it.
    count: flags.case === undefined ? (asked ?? usual()) : 1,
    module: JOB,
    args: { flags, kernels } satisfies JobArgs,
  };
}

/** Whether a kernel is a function that shares nothing with another process: no device, no program. */
function isAlone(name: string, catalogue: Catalogue): boolean {
  const spec = catalogue.external(name);
  return spec !== undefined && 'multiply' in spec && spec.usesAdapter !== true;
}

const paying = (cases: number): number =>
  Math.max(
    1,
    Math.min(MOST, availableParallelism(), Math.floor(totalmem() / BYTES), Math.floor(cases / WORTH)),
  );
