import { unknownName } from '../../base/messages.ts';
import { type Certificate, emptyTally, mergeCertificates } from '../../exact/certificate.ts';
import type { ExactProduct } from '../../exact/exact.ts';
import { requireAllRounded, requireExact } from '../../exact/postcondition.ts';
import { ReferenceFault } from '../../exact/rounded.ts';
import { chooseSample, takeCols, takeRows } from '../../exact/sampled.ts';
import type { listPasses } from '../../exact/slices.ts';
import { type Matrix, productShape, type Shape } from '../../matrix/dense.ts';
import type { OpenDevice } from '../device.ts';
import { compileShader } from '../queue/errors.ts';
import { findUnit } from '../subgroup-matrix-configs.ts';
import { type DigitMultiply, dotFunctions, dotPlain, dotStaged } from './dots.ts';
import { GpuWork } from './gpu-work.ts';
import { matrixSlices } from './matrix-slices.ts';
import type { Multiplier } from './multiplier.ts';
import { type ExactPanel, exactPanels } from './panels.ts';

/** An exact product that a GPU computed, with a report. */
export interface GpuExactProduct extends ExactProduct {
  readonly gpu: GpuExactReport;
}

/** A report on a GPU's computation of an exact product. */
export interface GpuExactReport {
  /** The multiplier of slices: "dot4I8Packed, staged". */
  readonly by: string;
  /** The most slices of any row of A, and of any column of B. */
  readonly slices: readonly [number, number];
  /** The number of panels that the product was computed in. */
  readonly panels: number;
  /** Seconds of device time, by the device's clock; undefined if it has none. */
  readonly seconds: number | undefined;
  /** Rows that the CPU computed too. Values agree to the last bit, remainders within the CPU's certificate. */
  readonly checkedRows: readonly number[];
  /** The numbers of rows of A and columns of B that only the CPU computed, because of their exponents or special values. */
  readonly cpuRows: number;
  readonly cpuCols: number;
}

/** Options for an exact product on a GPU. */
export interface GpuExactOptions {
  /** Computes the rows to compare, and the lines that the GPU cannot: {@link exactProduct}, or the pool's. */
  readonly cpu: (a: Matrix, b: Matrix) => ExactProduct | Promise<ExactProduct>;
  /** The seed that chooses the compared rows. @defaultValue 1 */
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
 * the `worstAbsolute` of its certificate. The certificate counts all entries as decided by integers. The CPU recomputes and compares random
 * rows.
 * @throws ParanoiaError `shapes-differ`, `unknown-name`; from the device: `too-large`, out-of-gpu-memory, gpu-error, bad-shader,
 * device-lost. ReferenceFault if a compared row differs, or the product is not exact.
 */
export async function exactProductOnGpu(
  open: OpenDevice,
  a: Matrix,
  b: Matrix,
  options: GpuExactOptions,
): Promise<GpuExactProduct> {
  const { m, k, n } = productShape(a, b);
  const by = await findMultiplier(open, options.by);
  const value = new Float64Array(m * n);
  const low = new Float64Array(m * n);
  const rows = chooseRows({ m, k, n }, options.seed ?? 1);
  // The CPU computes these rows while the GPU computes the rest.
  const expected = Promise.resolve().then(() => options.cpu(takeRows(a, rows), b));
  expected.catch(() => {});
  const made = await onDevice(open, a, b, by, { ...options, value, low });
  const product = { product: { rows: m, cols: n, data: value }, low };
  const certificate = await fillUnfit(a, b, product, made.report, options);
  checkRows(open, { m, k, n }, { at: rows, expected: await expected } satisfies ChosenRows, product);
  requireAllRounded(a, b, { ...product, certificate });
  requireExact(a, b, { ...product, certificate }, options.seed);
  const { slices, panels, unfitRows, unfitCols } = made.report;
  const cpu = { cpuRows: unfitRows.length, cpuCols: unfitCols.length };
  return {
    ...product,
    certificate,
    gpu: { by: by.what, slices, panels, seconds: made.seconds, checkedRows: rows, ...cpu },
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

/** Rows of a product that the CPU computed. */
interface ChosenRows {
  readonly at: readonly number[];
  readonly expected: ExactProduct;
}

/** The most products of entries that the comparison may cost beyond one row. */
const CHECKED = 2 ** 30;
const MOST_ROWS = 16;

/** Chooses the rows of a product to compute twice: one at random, by seed, from each of several equal ranges of rows. */
export function chooseRows({ m, k, n }: Shape, seed: number): readonly number[] {
  const count = Math.max(1, Math.min(m, MOST_ROWS, Math.floor(CHECKED / Math.max(1, k * n))));
  // A sample of columns of the transposed product, which takes half of the limit, is a sample of rows.
  return chooseSample({ m, k: 1, n: 1 }, { seed, limit: Math.min(2 * count, m) }).rows;
}

/**
 * Compares rows with the CPU's: values bit for bit, remainders within the error that the CPU's certificate allows.
 * @throws ReferenceFault if a row differs.
 */
function checkRows(
  { fingerprint }: OpenDevice,
  shape: Shape,
  { at, expected }: ChosenRows,
  { product, low }: Pick<ExactProduct, 'product' | 'low'>,
): void {
  const { data } = expected.product;
  const { worstAbsolute } = expected.certificate;
  at.forEach((i, row) => {
    for (let j = 0; j < product.cols; j++) {
      const [here, there] = [i * product.cols + j, row * product.cols + j];
      const rest = expected.low[there];
      const isSame =
        Object.is(product.data[here], data[there]) &&
        Math.abs(low[here] - rest) <= worstAbsolute + 2 ** -52 * Math.abs(rest);
      if (isSame) continue;
      throw new ReferenceFault(
        shape,
        `entry (${i}, ${j}) is ${product.data[here]} on ${fingerprint.name}, but ${data[there]} on the CPU. Do not use this device for exact products: give --on cpu`,
      );
    }
  });
}
