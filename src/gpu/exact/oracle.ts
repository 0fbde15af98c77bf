import { exponentOf, lowestBit } from '../../base/binary64.ts';
import { ParanoiaError } from '../../base/errors.ts';
import { part } from '../../base/part.ts';
import type { ExactProduct } from '../../exact/exact.ts';
import { bitsOf } from '../../exact/slices.ts';
import { findInput } from '../../inputs/inputs.ts';
import { type Matrix, productShape, type Real, type Shape } from '../../matrix/dense.ts';
import { singlePrecision } from '../../precision/single.ts';
import type { OpenDevice } from '../device.ts';

type Multiply = (a: Matrix, b: Matrix) => ExactProduct | Promise<ExactProduct>;

/** The exact product, computed where that takes less time. */
export interface Oracle {
  (a: Matrix, b: Matrix): Promise<ExactProduct>;
  /** Whether it computes every entry of this product in little time, however many products of entries that takes. */
  reaches(a: Matrix, b: Matrix): Promise<boolean>;
}

/** What an oracle works with. */
export interface OracleOptions {
  /** The device in use; undefined where there is none. */
  readonly device: () => OpenDevice | undefined;
  /** The exact product on the CPU, which also checks rows of the GPU's. */
  readonly cpu: Multiply;
  /** Takes a sentence on where a product was computed, and why. */
  readonly say: (sentence: string) => void;
  /** Products of two entries below which the CPU is not even compared. @defaultValue {@link SMALL} */
  readonly from?: number;
  /** A side of the product that shows how fast both are. @defaultValue {@link TRIAL} */
  readonly trial?: number;
}

/** Below this many products of entries, the CPU takes a fraction of a second. */
const SMALL = 2 ** 32;
/** The most entries of a product that is computed whole: 16384². Value and remainder of one take 4 GiB. */
const MOST_ENTRIES = 2 ** 28;
/** A side of the product that shows how fast both are. */
const TRIAL = 768;

/** An oracle that computes large products on the GPU where a trial shows it to be faster than the CPU. */
export function oracleOn({ device, cpu, say, from = SMALL, trial: side = TRIAL }: OracleOptions): Oracle {
  const trials = new WeakMap<OpenDevice, Promise<Pace | undefined>>();
  const paceOf = (open: OpenDevice): Promise<Pace | undefined> => {
    const known = trials.get(open) ?? trial(open, side, cpu, say);
    trials.set(open, known);
    return known;
  };
  const choose = async (
    a: Matrix,
    b: Matrix,
  ): Promise<(Pace & { readonly open: OpenDevice }) | undefined> => {
    const shape = productShape(a, b);
    const { m, k, n } = shape;
    const open = device();
    if (open === undefined || m * k * n < from || m * n > MOST_ENTRIES || !seemsNarrow(a, b))
      return undefined;
    const pace = await paceOf(open);
    const time = pace && predicted(pace, shape);
    return time !== undefined && time.gpu < time.cpu ? { open, ...time } : undefined;
  };
  const multiply = async (a: Matrix, b: Matrix): Promise<ExactProduct> => {
    const chosen = await choose(a, b);
    if (chosen === undefined) return cpu(a, b);
    const { open } = chosen;
    try {
      const { exactProductOnGpu } = await multiplying();
      const { gpu, ...product } = await exactProductOnGpu(open, a, b, { cpu });
      const time = gpu.seconds === undefined ? '' : ` in ${gpu.seconds.toPrecision(2)} s of its time`;
      say(
        `The exact product of ${a.rows}×${a.cols} by ${b.rows}×${b.cols} was computed on ${open.fingerprint.name}${time}, by ${gpu.by} (on the CPU about ${chosen.cpu.toPrecision(2)} s); ${gpu.checkedRows.length} rows of it are the CPU's to the last bit.`,
      );
      return product;
    } catch (error) {
      if (!(error instanceof ParanoiaError) || LASTING.includes(error.code)) throw error;
      // What did not go once is not tried again: the next large product is sampled.
      trials.set(open, Promise.resolve(undefined));
      say(`The exact product goes to the CPU: ${error.message}`);
      return cpu(a, b);
    }
  };
  return Object.assign(multiply, {
    reaches: async (a: Matrix, b: Matrix) => (await choose(a, b)) !== undefined,
  });
}

const multiplying = () => part('computes exact products on a GPU', () => import('./exact-on-gpu.ts'));

/** Lines of either operand that are looked at before a product is given to the GPU. */
const LOOKED_AT = 16;

/** Whether the GPU would leave few lines to the CPU, going by a few: more than one in five of many would show. */
function seemsNarrow(a: Matrix, b: Matrix): boolean {
  const some = (lines: number) =>
    Array.from({ length: Math.min(lines, LOOKED_AT) }, (_, at) =>
      Math.floor((at * lines) / Math.min(lines, LOOKED_AT)),
    );
  return (
    some(a.rows).every((i) => isFit(a.data, i * a.cols, 1, a.cols)) &&
    some(b.cols).every((j) => isFit(b.data, j, b.cols, b.rows))
  );
}

function isFit(data: Real, begin: number, stride: number, length: number): boolean {
  let top = Number.NEGATIVE_INFINITY;
  let grid = Number.POSITIVE_INFINITY;
  for (let t = 0; t < length; t++) {
    const x = data[begin + t * stride];
    if (!Number.isFinite(x)) return false;
    if (x === 0) continue;
    top = Math.max(top, exponentOf(x));
    grid = Math.min(grid, lowestBit(x));
  }
  return top < grid || bitsOf({ top, grid }) !== undefined;
}

/** What the CPU cannot make good. */
const LASTING: readonly string[] = ['device-lost', 'reference-stopped'];

/** Seconds that a product of two entries takes on the GPU and on the CPU. */
interface Pace {
  readonly gpu: number;
  readonly cpu: number;
}

/** Bytes a second that results come back with: less than any GPU in a slot has. */
const READ_BACK = 1e9;

/** What computing a shape takes, going by the pace of a trial. */
function predicted({ gpu, cpu }: Pace, { m, k, n }: Shape): Pace {
  const work = m * k * n;
  return { gpu: gpu * work + (16 * m * n) / READ_BACK, cpu: cpu * work };
}

/**
 * Multiplies once on both, the GPU having compiled its shaders before; undefined where the GPU cannot. Of a small product the GPU's
 * own time counts, where it has a clock: the rest does not grow with k.
 */
async function trial(
  open: OpenDevice,
  side: number,
  cpu: Multiply,
  say: OracleOptions['say'],
): Promise<Pace | undefined> {
  // Software adapters are the CPU, slower.
  if (open.fingerprint.kind === 'software') return undefined;
  const { a, b } = findInput('uniform').generate({
    m: side,
    k: side,
    n: side,
    levels: 0,
    seed: 1,
    precision: singlePrecision,
  });
  const since = (begun: number) => (performance.now() - begun) / 1000;
  try {
    const { exactProductOnGpu } = await multiplying();
    await exactProductOnGpu(open, a, b, { cpu });
    await cpu(a, b);
    let begun = performance.now();
    const { gpu } = await exactProductOnGpu(open, a, b, { cpu });
    const there = gpu.seconds ?? since(begun);
    begun = performance.now();
    await cpu(a, b);
    return { gpu: there / side ** 3, cpu: since(begun) / side ** 3 };
  } catch (error) {
    if (!(error instanceof ParanoiaError) || LASTING.includes(error.code)) throw error;
    say(`Exact products are computed on the CPU: ${error.message}`);
    return undefined;
  }
}
