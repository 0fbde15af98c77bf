import { createRandom } from '../../base/random.ts';
import { type GivenStep, readEpilogue } from '../../epilogue/chain.ts';
import { type Chain, drawSteps, readChain } from '../../epilogue/chain-text.ts';
import { doubleReals } from '../../epilogue/double-reals.ts';
import type { EntrySizes } from '../../epilogue/entry-numbers.ts';
import { exactResults } from '../../epilogue/evaluate.ts';
import type { Matrix } from '../../matrix/dense.ts';
import { type EpilogueCall, mapTensors } from '../../matrix/epilogue-call.ts';
import type { Gemm } from '../../matrix/gemm.ts';
import { memberOf, readsFactors, type StackedOperands } from '../../matrix/members.ts';
import { type Format, f32, isWholeFormat } from '../../precision/format.ts';
import type { Precision } from '../../precision/precision.ts';
import { beginsWithAddend } from './begins-with-addend.ts';

/** A stream that no family draws from. */
const STREAM = 4100;

/** The largest addend of sums that must stay whole. */
const LARGEST = 2 ** 10;

export interface EpilogueDrawing {
  readonly seed: number;
  readonly precision: Precision;
  /** The bits of sums that stay whole; undefined where they need not. */
  readonly bits?: number | undefined;
}

export function drawEpilogue(
  operands: StackedOperands,
  gemm: Gemm & { readonly chain: NonNullable<Gemm['chain']> },
  { seed, precision: { c }, bits }: EpilogueDrawing,
): readonly EpilogueCall[] {
  const { steps }: Chain = readChain(gemm.chain.text);
  const format = isWholeFormat(c) ? f32 : c;
  const product = { sizes: gemm, entry: entryOf(operands, gemm), format };
  const drawn = drawSteps(steps, {
    ...{ sizes: gemm, format, sizeBehind: (before) => typicalSize(before, product) },
    random: createRandom(seed, STREAM, c.bytes > 4 ? 'fine' : 'coarse'),
  }) as readonly EpilogueCall[];
  if (bits === undefined || !beginsWithAddend(gemm)) return drawn;
  const [{ values, ...first }, ...others] = drawn;
  const largest = Math.min(LARGEST, 2 ** bits);
  const whole = (x: number) => Math.sign(x) * Math.min(largest, Math.ceil(Math.abs(x)));
  const step = typeof values === 'number' ? { ...first, values: whole(values) } : { ...first, values };
  return [mapTensors(step as EpilogueCall, (x) => ({ ...x, data: x.data.map(whole) })), ...others];
}

/** Returns a function that computes about an entry of a product. */
function entryOf({ a, b, c }: StackedOperands, gemm: Gemm): (i: number, j: number) => number {
  const { m, k, n, alpha, beta } = gemm;
  const dot = (x: Matrix, y: Matrix, i: number, j: number) => {
    let sum = 0;
    for (let p = 0; p < k; p++) sum += x.data[i * k + p] * y.data[p * n + j];
    return sum;
  };
  return (i, j) => {
    const [member, row] = [Math.floor(i / m), i % m];
    const sum = readsFactors(gemm) ? alpha * dot(memberOf(a, m, member), memberOf(b, k, member), row, j) : 0;
    return c === undefined || beta === 0 ? sum : sum + beta * memberOf(c, m, member).data[row * n + j];
  };
}

/** A product of which some entries are computed. */
export interface SampledProduct {
  readonly sizes: EntrySizes;
  /** Returns about the value of an entry; rows of a batch lie one below the other. */
  entry(i: number, j: number): number;
  /** The format in which kernels have the numbers. */
  readonly format: Pick<Format, 'maxFinite' | 'minNormal'>;
}

/** The factor by which sizes stay away from the ends of the range. */
const ROOM = 2 ** 6;

/** The most entries of which the typical size is taken. */
const SAMPLE = 15;

/** Returns the power of two nearest to the middle size of some entries after steps; 1 where all are 0 or not finite. */
export function typicalSize(steps: readonly GivenStep[], { sizes, entry, format }: SampledProduct): number {
  const { m, n, batch } = sizes;
  const epilogue = readEpilogue(steps, sizes);
  const cols = epilogue.steps.reduce((all, { record }) => (record.isGate === true ? all / 2 : all), n);
  const result = exactResults(epilogue, doubleReals, (i, j) => ({ lo: entry(i, j), hi: entry(i, j) }));
  const count = Math.min(SAMPLE, m * batch * cols);
  const found = Array.from({ length: count }, (_, at) => {
    const place = Math.floor((at * m * batch * cols) / count);
    return Math.abs(result(Math.floor(place / cols), place % cols).lo);
  });
  const [least, most] = [format.minNormal * ROOM, format.maxFinite / ROOM];
  const finite = found.filter((x) => x > 0 && x < Number.POSITIVE_INFINITY);
  // An activation makes about half of the entries vanish, which say nothing about the others.
  const kept = finite.filter((x) => x >= least).sort((x, y) => x - y);
  const middle = kept[Math.floor(kept.length / 2)] ?? (finite.length > 0 ? least : 1);
  return 2 ** Math.round(Math.log2(Math.min(most, middle)));
}
