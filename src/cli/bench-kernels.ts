import type { Flags } from '../config/flags.ts';
import { parseChoices, parseList, parseSizes, shapeOf } from '../config/flags.ts';
import { optionsOf } from '../config/node/options-of.ts';
import type { Catalogue } from '../kernels/catalogue.ts';
import { fringes, tails } from '../problem/method.ts';
import { ranges } from '../problem/ranges.ts';
import { requireExactRoom } from '../run/node/host-room.ts';
import type { Entrant } from '../study/bench/measurement.ts';
import { isHostKernel } from '../study/bench/node/host-kernels.ts';
import type { Round } from '../study/bench/sweep.ts';
import { parseLevels, textOr } from './bench-options.ts';
import { benchNames, runBench } from './bench-run.ts';

const SIZES_ON_GPU = [512, 1024, 2048, 4096, 8192];
const SIZES_IN_SOFTWARE = [128, 256, 512];

/** Times kernels against one another over sizes. @returns the exit code. */
export async function runBenchKernels(flags: Flags): Promise<number> {
  const { config, adapter, toggle, verbose } = flags;
  const command = await optionsOf({ config, adapter, toggle, verbose });
  const kernels = kernelsOf(flags, command.catalogue);
  const levels = flags.levels === undefined ? [0, 1, 2] : parseLevels(flags.levels);
  const precision = command.catalogue.precisions.find(textOr('--precision', flags.precision, 'f32')).name;
  const chosen = <T extends string>(name: 'fringe' | 'tail', known: readonly T[]) =>
    flags[name] === undefined ? [known[0]] : parseChoices(`--${name}`, flags[name], known);
  const manners = chosen('fringe', fringes).flatMap((fringe) =>
    chosen('tail', tails).map((tail) => ({ fringe, tail })),
  );
  const input = command.catalogue.inputs.find(textOr('--input', flags.input, 'uniform')).name;
  const sizes = flags.sizes === undefined ? undefined : parseSizes('--sizes', flags.sizes, ranges.size);
  // What a device does not hold is left out, and said.
  if (kernels.some(isHostKernel)) for (const size of sizes ?? []) requireExactRoom(shapeOf(size));
  const entrants = kernels.flatMap((kernel) =>
    entrantsOf(kernel, command.catalogue, { levels, precision, manners }),
  );
  const rounds = (onGpu: boolean): Round[] =>
    (sizes ?? (onGpu ? SIZES_ON_GPU : SIZES_IN_SOFTWARE)).map((size) => ({
      shape: shapeOf(size),
      input,
      entrants,
    }));
  return runBench({ title: 'Kernels, timed', notes: [], kernels, rounds }, flags, command);
}

/** @throws ParanoiaError `unknown-name` */
function kernelsOf({ kernels }: Flags, catalogue: Catalogue): string[] {
  const patterns = kernels === undefined ? [':register'] : parseList('--kernels', kernels);
  const expand = (pattern: string) => (benchNames.includes(pattern) ? [pattern] : catalogue.expand(pattern));
  return [...new Set(patterns.flatMap(expand))];
}

interface Manners {
  readonly levels: readonly number[];
  readonly precision: string;
  readonly manners: readonly Pick<Entrant, 'fringe' | 'tail'>[];
}

/** A kernel in every manner that it has: levels for fast algorithms of ours, fringes and tails for ours. */
function entrantsOf(
  kernel: string,
  catalogue: Catalogue,
  { levels, precision, manners }: Manners,
): Entrant[] {
  const spec = catalogue.external(kernel);
  if (spec !== undefined) return [{ kernel, precision: spec.precision ?? 'f32' }];
  if (isHostKernel(kernel)) return [{ kernel, precision: kernel === 'host:double' ? 'f32' : 'f64' }];
  const fast = levels.filter((level) => level > 0);
  // Without recursion a fast algorithm is the classical one.
  const own = kernel.startsWith('classical:') ? [0] : fast.length > 0 ? fast : levels;
  // What everybody has in common is not a part of names.
  const told = manners.length === 1 ? manners.map(plainManner) : manners;
  return own.flatMap((level) => told.map((manner) => ({ kernel, levels: level, precision, ...manner })));
}

function plainManner({ fringe, tail }: Pick<Entrant, 'fringe' | 'tail'>): Pick<Entrant, 'fringe' | 'tail'> {
  return { ...(fringe !== 'pad' && { fringe }), ...(tail !== 'mask' && { tail }) };
}
