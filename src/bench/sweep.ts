import type { PrecisionName } from '../formats/precision.ts';
import type { ExactMultiply } from '../gate/evidence.ts';
import type { Yardstick } from '../gate/measure.ts';
import type { Machine, OpenDevice } from '../gpu/device.ts';
import { checkRoom } from '../gpu/panels.ts';
import type { Timing } from '../gpu/time-program.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Shape } from '../matrix/dense.ts';
import type { Plan } from '../plan/plan.ts';
import { EXIT, Problem, type ProblemCode } from '../problems.ts';
import { bitsOf, layOperands } from './accuracy.ts';
import { type Entrant, labelOf, type Measurement, type Missed } from './measurement.ts';
import { bootstrapInterval, median } from './statistics.ts';
import { timeKernel, type WantedClock } from './trial.ts';

/** Entrants that run against one another on products of the same operands. */
export interface Round {
  readonly shape: Shape;
  /** The family of the operands. */
  readonly input: string;
  readonly entrants: readonly Entrant[];
}

/** Where and how rounds are run. */
export interface Track {
  readonly machine: Machine;
  /** Whether kernels of ours run on a GPU. */
  readonly onGpu: boolean;
  readonly kernelOf: (entrant: Entrant) => Promise<Kernel>;
  readonly exactMultiply: ExactMultiply;
  readonly timing: Timing;
  readonly clock?: WantedClock | undefined;
  readonly seed?: number | undefined;
  /** Told before every measurement. */
  readonly onEntrant?: ((label: string, shape: Shape) => void) | undefined;
  readonly onMeasured?: ((measured: Measurement | Missed) => void) | undefined;
  /** Asked before every measurement: true ends with what is finished. */
  readonly stop?: (() => boolean) | undefined;
}

/** What rounds gave. */
export interface Outcome {
  readonly measurements: readonly Measurement[];
  readonly missed: readonly Missed[];
}

/**
 * Runs rounds one after the other. What a device or a kernel cannot do at a size is missed, with the reason; the others
 * go on.
 * @throws Problem that whoever called can mend: unknown names, peers that are missing.
 */
export async function sweep(rounds: readonly Round[], track: Track): Promise<Outcome> {
  const measurements: Measurement[] = [];
  const missed: Missed[] = [];
  for (const round of rounds) {
    for (const precision of precisionsOf(round)) {
      // Operands take gigabytes: one pair at a time.
      let laid: Yardstick | undefined;
      for (const entrant of round.entrants.filter((one) => (one.precision ?? 'f32') === precision)) {
        if (track.stop?.() === true) return { measurements, missed };
        track.onEntrant?.(labelOf(entrant), round.shape);
        const found = await orMissed(entrant, round.shape, async () => {
          const kernel = await track.kernelOf(entrant);
          requireAccepted(kernel, round.shape);
          requireRoom(kernel, entrant, round.shape, track.machine);
          const draw = { shape: round.shape, input: round.input, precision, seed: track.seed ?? 1 };
          laid ??= await layOperands(draw, track.exactMultiply);
          return measureEntrant(entrant, kernel, round, laid, track);
        });
        if ('why' in found) missed.push(found);
        else measurements.push(found);
        track.onMeasured?.(found);
      }
    }
  }
  return { measurements, missed };
}

const precisionsOf = ({ entrants }: Round): readonly PrecisionName[] => [
  ...new Set(entrants.map(({ precision = 'f32' }) => precision)),
];

function requireAccepted(kernel: Kernel, shape: Shape): void {
  const why = kernel.refuses?.(shape);
  if (why !== undefined) throw new Refused(`it does not multiply this shape, because ${why}`);
}

/** Operands of gigabytes are not made for a product that the device cannot hold. @throws Problem `too-large` */
function requireRoom(kernel: Kernel, entrant: Entrant, shape: Shape, machine: Machine): void {
  if (kernel.work === undefined || !('device' in machine)) return;
  const none = { rows: 0, cols: 0, data: new Float32Array() };
  const planFor = (shape: Shape) => planOf(kernel, entrant, shape);
  const { plan, made } = kernel.work(none, none, planFor(shape));
  checkRoom(machine as OpenDevice, { plan, planFor, numeric: made.numeric, kernel: kernel.name });
}

function planOf(kernel: Kernel, { levels = 0, border = 'pad', edge = 'guard' }: Entrant, shape: Shape): Plan {
  return kernel.plan(shape, { levels, border, edge });
}

class Refused extends Error {}

/** Problems of one kernel or size, whatever exit code they lead to elsewhere. */
const ONE_PRODUCT: readonly ProblemCode[] = ['leaf-refused', 'kernel-refuses', 'input-refused', 'bad-number'];

async function orMissed(
  entrant: Entrant,
  shape: Shape,
  run: () => Promise<Measurement>,
): Promise<Measurement | Missed> {
  try {
    return await run();
  } catch (error) {
    const why = reasonOf(error);
    if (why === undefined) throw error;
    return { label: labelOf(entrant), ...shape, why };
  }
}

/** Why one product was missed; undefined for what concerns the whole run. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof Refused) return error.message;
  // What typed arrays throw that do not fit.
  if (error instanceof RangeError) return `this computer cannot hold the operands: ${error.message}`;
  if (!(error instanceof Problem)) return undefined;
  return error.exitCode !== EXIT.usage || ONE_PRODUCT.includes(error.code) ? error.message : undefined;
}

async function measureEntrant(
  entrant: Entrant,
  kernel: Kernel,
  { shape, input }: Round,
  laid: Yardstick,
  { machine, onGpu, timing, clock, seed = 1 }: Track,
): Promise<Measurement> {
  const { border = 'pad', edge = 'guard', precision = 'f32' } = entrant;
  const plan = planOf(kernel, entrant, shape);
  const { execution, seconds, ...trials } = await timeKernel(
    machine,
    kernel,
    plan,
    laid.operands,
    timing,
    clock,
  );
  const { onGpu: says = onGpu && kernel.leaf !== '', ...how } = trials;
  return {
    label: labelOf(entrant),
    kernel: kernel.name,
    algorithm: kernel.algorithm,
    ...(kernel.leafOf && { leaf: kernel.leafOf(plan) }),
    levels: plan.levels,
    border,
    edge,
    precision,
    input,
    ...shape,
    ...how,
    absolute: says,
    seconds,
    median: median(seconds),
    interval: bootstrapInterval(seconds, { seed }),
    bits: bitsOf(execution.c, laid, kernel.arithmetic),
    checked: laid.sample.fraction,
  };
}
