import { median } from 'd3-array';
import { EXIT, ParanoiaError } from '../../base/errors.ts';
import { Evaluator } from '../../evidence/evaluate.ts';
import type { Evidence, KnownOperands } from '../../evidence/evidence.ts';
import { builtinItems, type JudgingItems } from '../../evidence/items.ts';
import { brief, type ExactMultiply } from '../../evidence/reference.ts';
import { weigh } from '../../evidence/weigh.ts';
import type { Machine, OpenDevice } from '../../gpu/device.ts';
import { checkRoom } from '../../gpu/runner/panels.ts';
import type { DeviceTimingOptions } from '../../gpu/runner/time.ts';
import type { Kernel } from '../../kernels/kernel.ts';
import type { Shape } from '../../matrix/dense.ts';
import type { Plan } from '../../plan/plan.ts';
import { type Entrant, labelOf, type Measurement, type UntimedProduct } from './measurement.ts';
import { bootstrapInterval } from './statistics.ts';
import { timeKernel, type WantedClock } from './trial.ts';

/** Entrants that run against one another on products of the same operands. */
export interface BenchRound {
  readonly shape: Shape;
  /** The family of the operands. */
  readonly input: string;
  readonly entrants: readonly Entrant[];
}

/** The machine, the kernels and the callbacks of rounds. */
export interface BenchTrack {
  readonly machine: Machine;
  /** Items that operands may use. @defaultValue the built-in ones */
  readonly items?: JudgingItems | undefined;
  /** True if kernels of ours run on a GPU. */
  readonly onGpu: boolean;
  readonly kernelOf: (entrant: Entrant) => Promise<Kernel>;
  readonly exactMultiply: ExactMultiply;
  readonly timing: DeviceTimingOptions;
  readonly clock?: WantedClock | undefined;
  readonly seed?: number | undefined;
  /** Called before every measurement. */
  readonly onEntrant?: ((label: string, shape: Shape) => void) | undefined;
  readonly onMeasured?: ((measured: Measurement | UntimedProduct) => void) | undefined;
  /** Called before every measurement. If it returns true, the sweep ends with the finished measurements. */
  readonly stop?: (() => boolean) | undefined;
}

/** The results of rounds. */
export interface BenchOutcome {
  readonly measurements: readonly Measurement[];
  readonly missed: readonly UntimedProduct[];
}

/**
 * Runs rounds one after the other. If a device or kernel cannot compute a product, it is missed, with the reason; the others continue.
 * @throws ParanoiaError that the caller can mend: unknown names, missing peers.
 */
export async function sweep(rounds: readonly BenchRound[], track: BenchTrack): Promise<BenchOutcome> {
  const measurements: Measurement[] = [];
  const missed: UntimedProduct[] = [];
  const { items = builtinItems } = track;
  const evaluator = new Evaluator(track.exactMultiply, { items, effort: brief });
  for (const round of rounds) {
    for (const precision of precisionsOf(round)) {
      // Operands take gigabytes, so that only one pair is kept at a time.
      let operands: KnownOperands | undefined;
      for (const entrant of round.entrants.filter((one) => (one.precision ?? 'f32') === precision)) {
        if (track.stop?.() === true) return { measurements, missed };
        track.onEntrant?.(labelOf(entrant), round.shape);
        const found = await orMissed(entrant, round.shape, async () => {
          const kernel = await track.kernelOf(entrant);
          requireAccepted(kernel, round.shape);
          requireRoom(kernel, entrant, round.shape, track.machine);
          operands ??= operandsOf(round, items, precision, track.seed);
          const reference = await evaluator.reference({ operands });
          return measureEntrant(entrant, kernel, round, { operands, reference }, track);
        });
        if ('why' in found) missed.push(found);
        else measurements.push(found);
        track.onMeasured?.(found);
      }
    }
  }
  return { measurements, missed };
}

function operandsOf(
  { shape, input }: BenchRound,
  items: JudgingItems,
  named: string,
  seed = 1,
): KnownOperands {
  const precision = items.precisions.find(named);
  const { a, b } = items.inputs.find(input).generate({ ...shape, seed, precision });
  return { a, b, seed };
}

const precisionsOf = ({ entrants }: BenchRound): readonly string[] => [
  ...new Set(entrants.map(({ precision = 'f32' }) => precision)),
];

function requireAccepted(kernel: Kernel, shape: Shape): void {
  const why = kernel.refuses?.(shape);
  if (why !== undefined) throw new Refused(`it does not support this shape: ${why}`);
}

/** Refuses a product that the device cannot hold, before operands of gigabytes are made. @throws ParanoiaError `too-large` */
function requireRoom(kernel: Kernel, entrant: Entrant, shape: Shape, machine: Machine): void {
  const executable = kernel.executable?.(planOf(kernel, entrant, shape));
  if (executable !== undefined) checkRoom(machine as OpenDevice, executable);
}

function planOf(kernel: Kernel, { levels = 0, fringe = 'pad', tail = 'mask' }: Entrant, shape: Shape): Plan {
  return kernel.plan(shape, { levels, fringe, tail });
}

class Refused extends Error {}

/** Errors of one kernel or size, whatever their exit code elsewhere. */
const ONE_PRODUCT: readonly string[] = ['leaf-refused', 'kernel-refuses', 'input-refused', 'bad-number'];

async function orMissed(
  entrant: Entrant,
  shape: Shape,
  run: () => Promise<Measurement>,
): Promise<Measurement | UntimedProduct> {
  try {
    return await run();
  } catch (error) {
    const why = reasonOf(error);
    if (why === undefined) throw error;
    return { label: labelOf(entrant), ...shape, why };
  }
}

/** Returns the reason why one product was missed; undefined for errors that concern the whole run. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof Refused) return error.message;
  // Typed arrays that do not fit throw this, here or in a kernel.
  const cause = error instanceof ParanoiaError ? error.cause : error;
  if (cause instanceof RangeError) return `the operands do not fit in memory: ${cause.message}`;
  if (!(error instanceof ParanoiaError)) return undefined;
  return error.exitCode !== EXIT.usage || ONE_PRODUCT.includes(error.code) ? error.message : undefined;
}

async function measureEntrant(
  entrant: Entrant,
  kernel: Kernel,
  { shape, input }: BenchRound,
  { operands, reference }: Pick<Evidence, 'operands' | 'reference'>,
  { onGpu, timing, clock, seed = 1 }: BenchTrack,
): Promise<Measurement> {
  const { fringe = 'pad', tail = 'mask', precision = 'f32' } = entrant;
  const plan = planOf(kernel, entrant, shape);
  const { product, seconds, ...trials } = await timeKernel({ kernel, plan, operands }, timing, clock);
  const { errors } = weigh({ kernel, plan, operands }, [product], { reference });
  const { onGpu: says = onGpu && kernel.leaf !== '', ...how } = trials;
  return {
    label: labelOf(entrant),
    kernel: kernel.name,
    algorithm: kernel.algorithm,
    ...(kernel.leafOf && { leaf: kernel.leafOf(plan) }),
    levels: plan.levels,
    fringe,
    tail,
    precision,
    input,
    ...shape,
    ...how,
    absolute: says,
    seconds,
    median: median(seconds) as number,
    interval: bootstrapInterval(seconds, { seed }),
    bits: errors.exact.bits,
    checked: reference.checked,
  };
}
