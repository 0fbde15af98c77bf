import type { Matrix, Shape } from '../matrix/dense.ts';
import type { Operand } from '../precision/coding/coding.ts';
import type { OperandFactor, OperandNumber } from './made-operand.ts';
import {
  describeOperands,
  type ExponentSpan,
  factorSpan,
  isSigned,
  type OperandFormat,
  oddOf,
  spanOf,
} from './operand-format.ts';
import type { DotProduct } from './terms.ts';
import { SkippedQuestion } from './wrong-product.ts';

/** The part of a session that makes operands. */
interface Maker {
  readonly sides: readonly [OperandFormat, OperandFormat];
  readonly stride: number;
  matrix(of: Operand, rows: number, cols: number, entry: (i: number, j: number) => number): Matrix;
  coded(of: Operand, rows: number, cols: number, element: OperandNumber, factor?: OperandFactor): Matrix;
}

/** Operands that hold dot products, row r of A by column r of B. Each answer is multiplied by 2^shift. */
interface Asked {
  readonly a: Matrix;
  readonly b: Matrix;
  readonly shifts: readonly number[];
}

/** Puts dot products into operands with their numbers unchanged. */
export function encodeUnchanged(maker: Maker, { m, k, n }: Shape, some: readonly DotProduct[]): Asked {
  return {
    a: maker.matrix('a', m, k, (i, p) => some[i]?.a[p] ?? 0),
    b: maker.matrix('b', k, n, (p, j) => some[j]?.b[p] ?? 0),
    shifts: some.map(() => 0),
  };
}

/** Puts dot products into elements and factors that hold their products, up to a power of two. @throws {@link SkippedQuestion} */
export function encodeScaled(maker: Maker, { m, k, n }: Shape, some: readonly DotProduct[]): Asked {
  const { stride, sides } = maker;
  const put = some.map((question) => {
    const found = putTerms(question, sides, stride > 1);
    if (found !== undefined) return found;
    throw new SkippedQuestion(`${describeOperands(sides)} do not hold the terms of this question together.`);
  });
  const entry = (list: readonly EncodedEntry[] | undefined, place: number) => {
    const at = place / stride;
    return Number.isInteger(at) ? list?.[at] : undefined;
  };
  const made = (of: Operand, rows: number, cols: number) =>
    maker.coded(
      of,
      rows,
      cols,
      (line, place) => entry(put[line]?.[of], place)?.element ?? 0,
      (line, place, level) => (level > 0 ? 1 : (entry(put[line]?.[of], place)?.factor ?? 1)),
    );
  return { a: made('a', m, k), b: made('b', k, n), shifts: put.map(({ shift }) => shift) };
}

/** A number of an operand: an element, and the factor of its block. */
export interface EncodedEntry {
  readonly element: number;
  readonly factor: number;
}

/** A dot product in entries that operands hold, with all products multiplied by 2^shift. */
interface EncodedDotProduct {
  readonly a: readonly EncodedEntry[];
  readonly b: readonly EncodedEntry[];
  readonly shift: number;
}

/** A dot product to convert: numbers of A and of B. */
interface Terms {
  readonly a: readonly number[];
  readonly b: readonly number[];
}

const NOTHING: EncodedEntry = { element: 0, factor: 1 };

/** One term of two numbers that are not 0, as odd parts and exponents. */
interface Split {
  readonly odd: readonly [number, number];
  readonly exponents: readonly [number, number];
}

/**
 * Converts a dot product to entries that both operands hold exactly. The odd part of a number stays; powers of two move from one number of
 * a term to the other. If necessary, all products are multiplied by one power of two.
 * @param apart whether every term has blocks of its own, so that factors bring powers of two.
 * @returns undefined where no entries hold it.
 */
export function putTerms(
  { a, b }: Terms,
  sides: readonly [OperandFormat, OperandFormat],
  apart: boolean,
): EncodedDotProduct | undefined {
  const splits = a.map((x, at) => (x === 0 || b[at] === 0 ? undefined : split(x, b[at], sides)));
  for (const low of ['normal', 'any'] as const) {
    const reaches = splits.map((one) => one && reachOf(one, sides, apart, low));
    const known = reaches.flatMap((one) => one ?? []);
    if (known.length < splits.filter((one) => one !== undefined).length) continue;
    const least = Math.max(Number.NEGATIVE_INFINITY, ...known.map(({ shift }) => shift.least));
    const most = Math.min(Number.POSITIVE_INFINITY, ...known.map(({ shift }) => shift.most));
    if (least > most) continue;
    const shift = Math.min(most, Math.max(least, 0));
    const entries = reaches.map((one) => (one === undefined ? [NOTHING, NOTHING] : placed(one, shift)));
    return { a: entries.map(([x]) => x), b: entries.map(([, y]) => y), shift };
  }
  return undefined;
}

/** Splits both numbers of a term. Where one operand has no sign, the other carries that of the product. */
function split(x: number, y: number, [left, right]: readonly [OperandFormat, OperandFormat]): Split {
  const turn = (x < 0 && !isSigned(left)) || (y < 0 && !isSigned(right)) ? -1 : 1;
  const [oddX, exponentX] = oddOf(turn * x);
  const [oddY, exponentY] = oddOf(turn * y);
  return { odd: [oddX, oddY], exponents: [exponentX, exponentY] };
}

/** The entries that a term may take. */
interface Reach extends Split {
  readonly elements: readonly [ExponentSpan, ExponentSpan];
  readonly factors: readonly [ExponentSpan, ExponentSpan];
  /** Exponents that the product may be shifted by. */
  readonly shift: ExponentSpan;
}

const NO_FACTOR: ExponentSpan = { least: 0, most: 0 };

function reachOf(
  { odd, exponents }: Split,
  [left, right]: readonly [OperandFormat, OperandFormat],
  apart: boolean,
  low: 'normal' | 'any',
): Reach | undefined {
  const [x, y] = [spanOf(left, odd[0], low), spanOf(right, odd[1], low)];
  if (x === undefined || y === undefined) return undefined;
  const [f, g] = apart ? [factorSpan(left), factorSpan(right)] : [NO_FACTOR, NO_FACTOR];
  const asked = exponents[0] + exponents[1];
  const shift = {
    least: x.least + f.least + y.least + g.least - asked,
    most: x.most + f.most + y.most + g.most - asked,
  };
  return { odd, exponents, elements: [x, y], factors: [f, g], shift };
}

const within = (x: number, { least, most }: ExponentSpan): number => Math.min(most, Math.max(least, x));

/** Returns both numbers of a term, as near to the requested ones as possible. */
function placed({ odd, exponents, elements, factors }: Reach, shift: number): [EncodedEntry, EncodedEntry] {
  const total = exponents[0] + exponents[1] + shift;
  const [x, y] = elements.map((span, side) => ({
    least: span.least + factors[side].least,
    most: span.most + factors[side].most,
  }));
  const wanted = exponents[0] + Math.round(shift / 2);
  const first = within(wanted, {
    least: Math.max(x.least, total - y.most),
    most: Math.min(x.most, total - y.least),
  });
  const entry = (side: 0 | 1, exponent: number): EncodedEntry => {
    const span = elements[side];
    const factor = factors[side];
    const own = within(within(0, span), { least: exponent - factor.most, most: exponent - factor.least });
    return { element: odd[side] * 2 ** own, factor: 2 ** (exponent - own) };
  };
  return [entry(0, first), entry(1, total - first)];
}
