import { unknownName } from '../../base/messages.ts';
import type { ExactProduct } from '../../exact/exact.ts';
import { type Certificate, emptyTally, mergeCertificates } from '../../exact/exact-product.ts';
import { requireAllRounded, requireExact } from '../../exact/postcondition.ts';
import { ReferenceFault } from '../../exact/rounded.ts';
import { createUniform, pickOneOfEach, takeCols, takeRows } from '../../exact/sampled.ts';
import type { listPasses } from '../../exact/slices.ts';
import { type Matrix, productShape, type Shape } from '../../matrix/dense.ts';
import type { OpenDevice } from '../device.ts';
import { compileShader } from '../queue/errors.ts';
import { findUnit } from '../subgroup-matrix-configs.ts';
import { GpuWork } from './gpu-work.ts';
import { matrixSlices } from './matrix-slices.ts';
import { type DigitMultiply, dotFunctions, dotPlain, dotStaged, type Multiplier } from './multiplier.ts';
import { type ExactPanel, exactPanels } from './panels.ts';

/** An exact product that a GPU computed, with a report. */
export interface GpuExactProduct extends ExactProduct {
  readonly gpu: GpuExactReport;
}

/** Rows and columns of a product, ascending. */
export interface Crossing {
  readonly rows: readonly number[];
  readonly cols: readonly number[];
}

export interface GpuExactReport {
  /** The multiplier of slices: "dot4I8Packed, staged". */
  readonly by: string;
  /** The most slices of any row of A, and of any column of B. */
  readonly slices: readonly [number, number];
  readonly panels: number;
  /** Seconds of device time, by the device's clock; undefined if it has none. */
  readonly seconds: number | undefined;
  /** Entries that the CPU computed too, where these cross. Values agree to the last bit, remainders within the CPU's certificate. */
  readonly checked: Crossing;
  /** The numbers of rows of A and columns of B that only the CPU computed, because of their exponents or special values. */
  readonly cpuRows: number;
  readonly cpuCols: number;
}

/** Threads of the CPU that handle the entries of a product: {@link callingThread}, or the pool's. */
export interface EntryThreads {
  /** Returns zeros, which the GPU's panels replace. */
  zeros(entries: number): Float64Array | Promise<Float64Array>;
  /** Checks the rounding of every entry. @throws ReferenceFault */
  requireAllRounded(a: Matrix, b: Matrix, product: ExactProduct): void | Promise<void>;
}

const callingThread: EntryThreads = { zeros: (entries) => new Float64Array(entries), requireAllRounded };

export interface GpuExactOptions {
  /** Computes the entries to compare, and the lines that the GPU cannot: {@link exactProduct}, or the pool's. */
  readonly cpu: (a: Matrix, b: Matrix) => ExactProduct | Promise<ExactProduct>;
  /** @defaultValue the calling thread */
  readonly threads?: EntryThreads;
  /** The seed that chooses the compared entries. @defaultValue 1 */
  readonly seed?: number;
  /** The name of the multiplier of slices. @defaultValue the fastest that the device has */
  readonly by?: string;
  /** The passes of a product; a planted fault replaces them. */
  readonly schedule?: typeof listPasses;
}

/**
 * Computes the exact product of A (m×k) and B (k×n), f32 or f64 each, by integer slices on a GPU: see `reference/slices.ts`. The value
 * equals that of {@link exactProduct} to the last bit.
 * `low` is the remainder, correctly rounded, unless the CPU computed some row or column. The `low` of {@link exactProduct} may differ by
 * the `worstAbsolute` of its certificate. The certificate counts all entries as decided by integers. The CPU recomputes and compares entries
 * where random rows and columns cross.
 * @throws ParanoiaError `shapes-differ`, `unknown-name`; from the device: `too-large`, out-of-gpu-memory, gpu-error, bad-shader,
 * device-lost. ReferenceFault if a compared entry differs, or the product is not exact.
 */
export async function exactProductOnGpu(
  open: OpenDevice,
  a: Matrix,
  b: Matrix,
  options: GpuExactOptions,
): Promise<GpuExactProduct> {
  const { m, k, n } = productShape(a, b);
  const { threads = callingThread } = options;
  const by = await findMultiplier(open, options.by);
  const [value, low] = [await threads.zeros(m * n), await threads.zeros(m * n)];
  const checked = chooseCrossing({ m, k, n }, options.seed ?? 1);
  // The CPU computes these entries while the GPU computes all.
  const expected = Promise.resolve().then(() =>
    options.cpu(takeRows(a, checked.rows), takeCols(b, checked.cols)),
  );
  expected.catch(() => {});
  const made = await onDevice(open, a, b, by, { ...options, value, low });
  const product = { product: { rows: m, cols: n, data: value }, low };
  const certificate = await fillUnfit(a, b, product, made.report, options);
  checkEntries(open, { m, k, n }, { ...checked, expected: await expected }, product);
  await threads.requireAllRounded(a, b, { ...product, certificate });
  requireExact(a, b, { ...product, certificate }, options.seed);
  const { slices, panels, unfitRows, unfitCols } = made.report;
  const cpu = { cpuRows: unfitRows.length, cpuCols: unfitCols.length };
  return {
    ...product,
    certificate,
    gpu: { by: by.what, slices, panels, seconds: made.seconds, checked, ...cpu },
  };
}

async function onDevice(
  open: OpenDevice,
  a: Matrix,
  b: Matrix,
  by: Multiplier,
  { value, low, ...options }: GpuExactOptions & Pick<ExactPanel, 'value' | 'low'>,
) {
  const running = { kernel: 'the exact product', step: `integer slices by ${by.what}` };
  const work = await GpuWork.start(open, running.kernel);
  const take = (panel: ExactPanel) => {
    for (let i = 0; i < panel.rows; i++) {
      const from = i * panel.cols;
      const to = (panel.row + i) * b.cols + panel.col;
      value.set(panel.value.subarray(from, from + panel.cols), to);
      low.set(panel.low.subarray(from, from + panel.cols), to);
    }
  };
  try {
    const tampering = options.schedule === undefined ? {} : { schedule: options.schedule };
    const report = await exactPanels(work, a, b, { by, running, take, ...tampering });
    return { report, seconds: await work.seconds() };
  } finally {
    work.close();
  }
}

/** Computes the lines that the GPU left, and certifies the whole product. */
async function fillUnfit(
  a: Matrix,
  b: Matrix,
  { product, low }: Pick<ExactProduct, 'product' | 'low'>,
  { unfitRows, unfitCols }: { readonly unfitRows: readonly number[]; readonly unfitCols: readonly number[] },
  { cpu }: GpuExactOptions,
): Promise<Certificate> {
  const n = b.cols;
  const parts: Certificate[] = [];
  if (unfitRows.length > 0) {
    const made = await cpu(takeRows(a, unfitRows), b);
    unfitRows.forEach((i, at) => {
      product.data.set(made.product.data.subarray(at * n, (at + 1) * n), i * n);
      low.set(made.low.subarray(at * n, (at + 1) * n), i * n);
    });
    parts.push(made.certificate);
  }
  const gone = new Set(unfitRows);
  const left = Array.from({ length: a.rows }, (_, i) => i).filter((i) => !gone.has(i));
  if (unfitCols.length > 0 && left.length > 0) {
    const made = await cpu(takeRows(a, left), takeCols(b, unfitCols));
    left.forEach((i, row) => {
      unfitCols.forEach((j, at) => {
        product.data[i * n + j] = made.product.data[row * unfitCols.length + at];
        low[i * n + j] = made.low[row * unfitCols.length + at];
      });
    });
    parts.push(made.certificate);
  }
  const entries = left.length * (n - unfitCols.length);
  return mergeCertificates([...parts, { ...emptyTally(), entries, byBigInt: entries }]);
}

const dots = new WeakMap<GPUDevice, Promise<DigitMultiply>>();

/** Finds out whether the device's WGSL has `dot4I8Packed`, by compiling it: only browsers list language features. */
function dotOf(open: OpenDevice): Promise<DigitMultiply> {
  const running = { kernel: 'the exact product', step: 'asking for dot4I8Packed' };
  const known =
    dots.get(open.device) ??
    compileShader(open, dotFunctions.native, running).then(
      () => 'native' as const,
      () => 'shifts' as const,
    );
  dots.set(open.device, known);
  return known;
}

/** Returns the multipliers of slices that a device has, the fastest first. */
async function multipliersOf(open: OpenDevice): Promise<readonly Multiplier[]> {
  const dot = await dotOf(open);
  const unit = findUnit(open.device, 'i8', 'i32');
  const all = [...(unit === undefined ? [] : [matrixSlices(unit)]), dotStaged(dot), dotPlain(dot)];
  return open.fingerprint.kind === 'hardware' ? all : all.reverse();
}

/** Finds a multiplier of slices by name; by default the fastest. @throws ParanoiaError `unknown-name` */
async function findMultiplier(open: OpenDevice, name?: string): Promise<Multiplier> {
  const all = await multipliersOf(open);
  const found = name === undefined ? all[0] : all.find((one) => one.name === name);
  if (found !== undefined) return found;
  throw unknownName({
    what: 'way to multiply slices',
    given: name ?? '',
    known: all.map((one) => one.name),
  });
}

/** The most products of entries that the comparison may cost, and the most rows and columns that it compares. */
const MOST = { work: 2 ** 30, rows: 256, cols: 256 };

/** Chooses rows and columns, one at random, by seed, from each of several equal ranges. Where they cross, the CPU computes entries too. */
export function chooseCrossing({ m, k, n }: Shape, seed: number): Crossing {
  const next = createUniform(seed);
  const cols = pickOneOfEach(n, MOST.cols, next);
  const affordable = Math.floor(MOST.work / Math.max(1, k * cols.length));
  return { rows: pickOneOfEach(m, Math.min(MOST.rows, affordable), next), cols };
}

/**
 * Compares entries with the CPU's: values bit for bit, remainders within the error that the CPU's certificate allows.
 * @throws ReferenceFault if an entry differs.
 */
function checkEntries(
  { fingerprint }: OpenDevice,
  shape: Shape,
  { rows, cols, expected }: Crossing & { readonly expected: ExactProduct },
  { product, low }: Pick<ExactProduct, 'product' | 'low'>,
): void {
  const { data } = expected.product;
  const { worstAbsolute } = expected.certificate;
  rows.forEach((i, row) => {
    cols.forEach((j, col) => {
      const [here, there] = [i * product.cols + j, row * cols.length + col];
      const rest = expected.low[there];
      const isSame =
        Object.is(product.data[here], data[there]) &&
        Math.abs(low[here] - rest) <= worstAbsolute + 2 ** -52 * Math.abs(rest);
      if (isSame) return;
      throw new ReferenceFault(
        shape,
        `entry (${i}, ${j}) is ${product.data[here]} on ${fingerprint.name}, but ${data[there]} on the CPU. Do not use this device for exact products: give --on cpu`,
      );
    });
  });
}
