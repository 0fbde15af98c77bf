import { seeded } from '../inputs/random.ts';
import type { Kernel, Manner } from '../kernel/kernel.ts';
import { Problem } from '../problems.ts';
import { algorithm } from './algorithm.ts';
import { Asker, Stopped } from './asker.ts';
import { batch } from './batch.ts';
import { blockSums } from './block-sums.ts';
import { determinism } from './determinism.ts';
import { exceptions } from './exceptions.ts';
import { extremes } from './extremes.ts';
import { grade } from './grade.ts';
import type { Finding, Inspection, Measured } from './inspection.ts';
import type { Lab, Line } from './lab.ts';
import { multiplies } from './multiplies.ts';
import { order } from './order.ts';
import { path } from './path.ts';
import { precision } from './precision.ts';

export interface InspectOptions {
  /** @defaultValue 1 */
  readonly seed?: number | undefined;
  /** Sizes n of n×n×n at which the algorithm is asked; all of them are. By default larger ones while they take little time. */
  readonly sizes?: readonly number[] | undefined;
  /** About 100 small products, in at most a few seconds. @defaultValue false */
  readonly quick?: boolean | undefined;
  /** How kernels of our own are to multiply; others have one manner. @defaultValue no levels, padded, guarded */
  readonly manner?: Manner | undefined;
  /** Called with every finding as it is made. */
  readonly onFinding?: ((finding: Finding) => void) | undefined;
  /** Asked before every product: true ends the inspection with what is found. */
  readonly stop?: (() => boolean) | undefined;
}

/** The lines in the order they are asked: the first tell the others how questions must be put. */
const LINES: readonly (Line & { readonly full?: boolean })[] = [
  multiplies,
  determinism,
  algorithm,
  precision,
  blockSums,
  order,
  exceptions,
  extremes,
  grade,
  batch,
  { ...path, full: true },
];

const SIZES = { quick: [32, 64, 128], full: [16, 32, 64, 128, 256, 512, 1024] };

/**
 * What a kernel is, from its outputs alone: its algorithm and levels, what it rounds to how many bits, in which order it
 * sums, whether it repeats itself. A question on which the kernel fails is answered "could not be asked".
 * @throws Problem `device-lost`
 */
export async function inspectKernel(kernel: Kernel, options: InspectOptions = {}): Promise<Inspection> {
  const { seed = 1, quick = false, stop = () => false, sizes } = options;
  const { manner = { levels: 0, border: 'pad', edge: 'guard' }, onFinding } = options;
  const start = performance.now();
  const asker = new Asker(kernel, manner, stop);
  const measured: Measured = {};
  const lab: Lab = {
    asker,
    // Sums of coarse numbers are exact in wide formats, whatever their order.
    random: seeded(seed, 0, asker.stored.precision > 24 ? 'fine' : 'coarse'),
    quick,
    sizes: sizes ?? (quick ? SIZES.quick : SIZES.full),
    allSizes: sizes !== undefined,
    measured,
    stop,
  };
  const findings: Finding[] = [];
  for (const line of LINES) {
    if (stop() || (quick && line.full === true)) continue;
    const made = await answersTo(line, lab);
    findings.push(...made);
    for (const finding of made) onFinding?.(finding);
  }
  return {
    kernel: kernel.name,
    precision: kernel.arithmetic.precision,
    quick,
    seed,
    findings,
    measured,
    products: asker.products,
    seconds: (performance.now() - start) / 1000,
  };
}

async function answersTo(line: Line, lab: Lab): Promise<Finding[]> {
  try {
    return await line.ask(lab);
  } catch (error) {
    if (!(error instanceof Stopped) && (!(error instanceof Problem) || error.code === 'device-lost'))
      throw error;
    const { id, question } = line;
    return [
      {
        id,
        question,
        answer: 'could not be asked',
        value: null,
        confidence: 'unknown',
        evidence: error instanceof Stopped ? 'The inspection was ended before.' : error.message,
      },
    ];
  }
}
