import { loadPart } from '../base/part.ts';
import type { ExactProduct } from '../exact/exact.ts';
import type { OpenDevice } from '../gpu/device.ts';
import type { EntryThreads } from '../gpu/exact/exact-on-gpu.ts';
import type { ExactProductFunction, Pace } from '../gpu/exact/pace.ts';
import { type Matrix, productShape } from '../matrix/dense.ts';

/** Computes exact products on the GPU or the CPU, whichever is faster. */
export interface Oracle {
  (a: Matrix, b: Matrix): Promise<ExactProduct>;
  /** Resolves to true if the GPU would compute every entry of this product faster than the CPU. */
  reaches(a: Matrix, b: Matrix): Promise<boolean>;
}

export interface OracleOptions {
  /** Returns the device in use; undefined if there is none. */
  readonly device: () => OpenDevice | undefined;
  /** Computes the exact product on the CPU, for whole products and for the entries that check the GPU's. */
  readonly cpu: ExactProductFunction;
  /** Threads that handle the entries of a GPU's products. @defaultValue the calling thread */
  readonly threads?: EntryThreads;
  /** Receives a sentence that says where a product was computed, and why. */
  readonly say: (sentence: string) => void;
  /** The products of entries below which the CPU computes without comparing speeds. @defaultValue {@link SMALL} */
  readonly from?: number;
  /** The side of the square product that measures both speeds. @defaultValue {@link TRIAL} */
  readonly trial?: number;
}

/** The CPU takes a fraction of a second for fewer products of entries. */
const SMALL = 2 ** 32;
/** The most entries of a product that is computed whole: 16384². Its values and remainders take 4 GiB. */
const MOST_ENTRIES = 2 ** 28;
/** The side of the square product that measures both speeds. */
const TRIAL = 768;

/** Creates an oracle that computes large products on the GPU if a trial shows it to be faster than the CPU. */
export function oracleOn(options: OracleOptions): Oracle {
  const { device, cpu, threads, say, from = SMALL, trial: side = TRIAL } = options;
  const trials = new WeakMap<OpenDevice, Promise<Pace | undefined>>();
  const choose = async (
    a: Matrix,
    b: Matrix,
  ): Promise<(Pace & { readonly open: OpenDevice }) | undefined> => {
    const shape = productShape(a, b);
    const { m, k, n } = shape;
    const open = device();
    if (open === undefined || m * k * n < from || m * n > MOST_ENTRIES) return undefined;
    const { predictSeconds, seemsNarrow, measurePace } = await comparing();
    if (!seemsNarrow(a, b)) return undefined;
    const known = trials.get(open) ?? measurePace(open, side, cpu, say);
    trials.set(open, known);
    const pace = await known;
    const time = pace && predictSeconds(pace, shape);
    return time !== undefined && time.gpu < time.cpu ? { open, ...time } : undefined;
  };
  const multiply = async (a: Matrix, b: Matrix): Promise<ExactProduct> => {
    const chosen = await choose(a, b);
    if (chosen === undefined) return cpu(a, b);
    const { open } = chosen;
    const { isRecoverable } = await comparing();
    try {
      const { exactProductOnGpu } = await multiplying();
      const { gpu, ...product } = await exactProductOnGpu(open, a, b, { cpu, ...(threads && { threads }) });
      const time = gpu.seconds === undefined ? '' : ` in ${gpu.seconds.toPrecision(2)} s of its time`;
      say(
        `The exact product of ${a.rows}×${a.cols} by ${b.rows}×${b.cols} was computed on ${open.fingerprint.name}${time}, by ${gpu.by} (about ${chosen.cpu.toPrecision(2)} s on the CPU). Its ${gpu.checked.rows.length * gpu.checked.cols.length} checked entries equal the CPU's bit for bit.`,
      );
      return product;
    } catch (error) {
      if (!isRecoverable(error)) throw error;
      // After a failure the GPU is not tried again: the next large product is sampled.
      trials.set(open, Promise.resolve(undefined));
      say(`The CPU computes the exact product: ${error.message}`);
      return cpu(a, b);
    }
  };
  return Object.assign(multiply, {
    reaches: async (a: Matrix, b: Matrix) => (await choose(a, b)) !== undefined,
  });
}

const PART = 'computes exact products on a GPU';
const comparing = () => loadPart(PART, () => import('../gpu/exact/pace.ts'));
const multiplying = () => loadPart(PART, () => import('../gpu/exact/exact-on-gpu.ts'));
