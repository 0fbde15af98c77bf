import { optionsOf } from '../../config/node/options-of.ts';
import type { KernelCatalog } from '../../kernels/kernel-catalog.ts';
import { shapeOf } from '../../options/kinds.ts';
import { requireExactRoom } from '../../run/node/host-room.ts';
import type { Entrant } from '../../study/bench/measurement.ts';
import { isHostKernel } from '../../study/bench/node/host-kernels.ts';
import type { BenchRound } from '../../study/bench/sweep.ts';
import type { KernelsRequest } from './options.ts';
import { benchNames, runBench } from './run.ts';

const SIZES_ON_GPU = [512, 1024, 2048, 4096, 8192];
const SIZES_IN_SOFTWARE = [128, 256, 512];

/** Times kernels against one another over sizes. @returns the exit code */
export async function runBenchKernels(request: KernelsRequest): Promise<number> {
  const { config, adapter, toggles, verbose, levels = [0, 1, 2], sizes } = request;
  const command = await optionsOf({ config, adapter, toggles, verbose });
  const kernels = kernelsOf(request, command.catalog);
  const precision = command.catalog.precisions.find(request.precision ?? 'f32').name;
  const { fringe: fringes = ['pad'], tail: tails = ['mask'] } = request;
  const manners = fringes.flatMap((fringe) => tails.map((tail) => ({ fringe, tail })));
  const input = command.catalog.inputs.find(request.input ?? 'uniform').name;
  // Sizes that exceed a device's memory are skipped, and the report says so.
  if (kernels.some(isHostKernel)) for (const size of sizes ?? []) requireExactRoom(size);
  const entrants = kernels.flatMap((kernel) =>
    entrantsOf(kernel, command.catalog, { levels, precision, manners }),
  );
  const rounds = (onGpu: boolean): BenchRound[] =>
    (sizes ?? (onGpu ? SIZES_ON_GPU : SIZES_IN_SOFTWARE).map(shapeOf)).map((shape) => ({
      ...{ shape, input, entrants },
    }));
  return runBench({ title: 'Kernels, timed', notes: [], kernels, rounds }, request, command);
}

/** Selects the kernels. @throws ParanoiaError `unknown-name` */
function kernelsOf({ kernels: patterns = [':register'] }: KernelsRequest, catalog: KernelCatalog): string[] {
  const expand = (pattern: string) => (benchNames.includes(pattern) ? [pattern] : catalog.expand(pattern));
  return [...new Set(patterns.flatMap(expand))];
}

interface Manners {
  readonly levels: readonly number[];
  readonly precision: string;
  readonly manners: readonly Pick<Entrant, 'fringe' | 'tail'>[];
}

/** The variants of a kernel: levels for our fast algorithms, fringes and tails for all of ours. */
function entrantsOf(
  kernel: string,
  catalog: KernelCatalog,
  { levels, precision, manners }: Manners,
): Entrant[] {
  const spec = catalog.external(kernel);
  if (spec !== undefined) return [{ kernel, precision: spec.precision ?? 'f32' }];
  if (isHostKernel(kernel)) return [{ kernel, precision: kernel === 'host:double' ? 'f32' : 'f64' }];
  const fast = levels.filter((level) => level > 0);
  // Without recursion a fast algorithm is the classical one.
  const own = kernel.startsWith('classical:') ? [0] : fast.length > 0 ? fast : levels;
  // A property that all variants share is left out of their names.
  const told = manners.length === 1 ? manners.map(plainManner) : manners;
  return own.flatMap((level) => told.map((manner) => ({ kernel, levels: level, precision, ...manner })));
}

function plainManner({ fringe, tail }: Pick<Entrant, 'fringe' | 'tail'>): Pick<Entrant, 'fringe' | 'tail'> {
  return { ...(fringe !== 'pad' && { fringe }), ...(tail !== 'mask' && { tail }) };
}
