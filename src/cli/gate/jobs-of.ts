import { availableParallelism, totalmem } from 'node:os';
import { ownScript } from '../../base/node/invocation.ts';
import type { RunRequest } from '../../config/command-options.ts';
import type { JobArgs } from '../../farm/node/serve-job.ts';
import type { KernelCatalog } from '../../kernels/kernel-catalog.ts';
import { isCounted, type RunLimit } from '../../run/budget.ts';
import type { JobOptions } from '../../run/node/job-process.ts';

/** The module of judging processes. */
const JOB = ownScript('../../farm/node/job', import.meta.url);
/**
 * The most judging processes by default: for functions, and for our kernels, which share a device. A shared device computes for one process
 * while others compare. Measured on an H200 with 16 cores: for the default gate one process takes 50 s, four take 14.9 s, six 12.2, eight
 * 13.1, twelve 14.0, sixteen 15.2.
 */
const [MOST_FUNCTIONS, MOST_SHARING] = [4, 8];
/** Cores for each process that shares a device, the cases that pay for a process, and its memory. */
const CORES_BY_A_DEVICE = 2;
const WORTH = 100;
const BYTES = 3 * 2 ** 30;

/** The request of a command whose cases are judged in processes. */
interface JobRequest extends RunRequest {
  readonly case?: readonly string[] | undefined;
}

/** Cases of a gate, before they are planned or after. */
interface JobCases {
  readonly kernels: readonly string[];
  readonly count: number;
  /** The limit of the cases of each kernel, if any. */
  readonly limit?: RunLimit | undefined;
}

/** Plans the processes that judge the cases of a gate: the requested number, or as many as pay. */
export function jobsOf(
  asked: number | undefined,
  request: JobRequest,
  { kernels, count, limit }: JobCases,
  catalog: KernelCatalog,
): JobOptions {
  const most = isCounted(limit) ? limit.cases * kernels.length : Number.POSITIVE_INFINITY;
  const usual = () =>
    Math.min(paying(Math.min(count, most)), ...kernels.map((name) => mostOf(name, catalog)));
  return {
    // Named cases are judged in order in one process: a failure may depend on earlier ones.
    count: request.case === undefined ? (asked ?? usual()) : 1,
    module: JOB,
    args: { request, kernels } satisfies JobArgs,
  };
}

/**
 * The most processes for a kernel. A function on the processor may have the maximum, and our kernels are limited by the cores.
 * Other kernels may run only once at a time.
 */
function mostOf(name: string, catalog: KernelCatalog): number {
  const spec = catalog.external(name);
  if (spec === undefined)
    return Math.min(MOST_SHARING, Math.max(2, Math.floor(availableParallelism() / CORES_BY_A_DEVICE)));
  return 'multiply' in spec && spec.usesAdapter !== true ? MOST_FUNCTIONS : 1;
}

const paying = (cases: number): number =>
  Math.max(1, Math.min(availableParallelism(), Math.floor(totalmem() / BYTES), Math.floor(cases / WORTH)));
