import { availableParallelism, totalmem } from 'node:os';
import { ownScript } from '../../base/node/own-script.ts';
import type { RunRequest } from '../../config/command-options.ts';
import type { Catalogue } from '../../kernels/catalogue.ts';
import type { Jobs } from '../../run/node/job-process.ts';
import type { PlannedCase } from '../../run/planned-case.ts';
import type { JobArgs } from './serve-job.ts';

/** The module of the processes that judge. */
const JOB = ownScript('./job', import.meta.url);
/**
 * Of the processes that judge where none are asked for: the most, and the cores that each has where they share a device, which
 * computes for one while another compares; the cases that each is worth, and the memory that each has. Measured on an H100 with 16
 * cores: two take 55 s for the default gate, four 26, eight and twelve 21.
 */
const [MOST, CORES_BY_A_DEVICE] = [4, 4];
const WORTH = 100;
const BYTES = 3 * 2 ** 30;

/** The request of a command whose cases processes judge. */
interface JobRequest extends RunRequest {
  readonly case?: readonly string[] | undefined;
  readonly timing?: true | undefined;
}

/** Who judges the cases of a gate: as many processes as are asked for, or as pay. */
export function jobsOf(
  asked: number | undefined,
  request: JobRequest,
  cases: readonly PlannedCase[],
  catalogue: Catalogue,
): Jobs {
  const kernels = [...new Set(cases.map(({ kernel }) => kernel))];
  // Where the time of several goes, nobody adds up.
  const isTimed = request.timing === true;
  const usual = () =>
    isTimed ? 1 : Math.min(paying(cases.length), ...kernels.map((name) => mostOf(name, catalogue)));
  return {
    // Cases that are named are judged one after the other in one process: a failure may need those before it.
    count: request.case === undefined ? (asked ?? usual()) : 1,
    module: JOB,
    args: { request, kernels } satisfies JobArgs,
  };
}

/** How many processes a kernel may have: a function on the processor most, ours by the cores there are; others may not be there more than once. */
function mostOf(name: string, catalogue: Catalogue): number {
  const spec = catalogue.external(name);
  if (spec === undefined) return Math.max(2, Math.floor(availableParallelism() / CORES_BY_A_DEVICE));
  return 'multiply' in spec && spec.usesAdapter !== true ? MOST : 1;
}

const paying = (cases: number): number =>
  Math.max(
    1,
    Math.min(MOST, availableParallelism(), Math.floor(totalmem() / BYTES), Math.floor(cases / WORTH)),
  );
