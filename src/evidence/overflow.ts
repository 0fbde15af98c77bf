import { readsFactors } from '../matrix/members.ts';
import { unitRoundoffOf } from '../precision/device-errors.ts';
import { leafErrors } from '../readers/leaf-sums.ts';
import { placeOf } from './compared.ts';
import { type Analysed, type Evidence, isClassical } from './evidence.ts';

/** What is needed to say which entries may overflow. */
export type Overflowing = Omit<Analysed, 'analysis'> & Pick<Evidence, 'analysis'>;

/** Of the terms of an entry: what its finite ones add up to, times 2^-1040, and which of the others there are. */
interface Terms {
  readonly plus: number;
  readonly minus: number;
  readonly hasPlusInfinity: boolean;
  readonly hasMinusInfinity: boolean;
  readonly hasNaN: boolean;
}

/** Both factors of a term are scaled by it: products of binary64 numbers do not overflow then, and what underflows is nothing beside a limit. */
const SCALE = 2 ** -520;

/**
 * What is to be said of a compared entry beyond the format's largest number, or where one of the product's is not finite: `right` where
 * some order of its sums gives it, `wrong` where none does, undefined where it is to be compared with its bound.
 *
 * With P and N the sums of the positive terms and of the negative ones, of α·a·b and β·c, and g the loss of sums and 4u: the positive terms first
 * overflow where P·(1 + g) reaches the largest number, and +∞ then stays; likewise −∞; NaN follows from both, in partial sums that
 * are added last. Where |P − N| less g·(P + N) is above the largest number, every order overflows. Sums that are scaled by α last
 * overflow from P/|α| on. Of a fast algorithm nothing is known where its bound is not finite.
 */
export function beyondRange(evidence: Overflowing, e: number): 'right' | 'wrong' | undefined {
  const { outcomes, reference, analysis, machine } = evidence;
  const place = placeOf(reference, e);
  const found = outcomes[0].c.data[place];
  const { accumulated, d } = machine.precision;
  const largest = Math.min(accumulated.maxFinite, d.maxFinite);
  if (Number.isFinite(found) && Math.abs(reference.value[e]) <= largest) return undefined;
  if (!isClassical(evidence)) {
    const bound = analysis?.bound.data[e] ?? Number.NaN;
    if (!Number.isFinite(bound)) return 'right';
    const exact = reference.value[e];
    return Math.abs(exact) + bound >= largest && found === Math.sign(exact) * Number.POSITIVE_INFINITY
      ? 'right'
      : undefined;
  }
  if (!machine.arithmetic.exceptions) return 'right';
  const { plus, minus, hasPlusInfinity, hasMinusInfinity, hasNaN } = termsOf(evidence, place);
  const [limit, u] = [largest * SCALE * SCALE, unitRoundoffOf(machine)];
  const { alpha, k } = evidence.gemm;
  const g = (leafErrors(machine, k).loss + 4 * u) * 1.01;
  const unscaled = Math.max(1, 1 / Math.abs(alpha === 0 ? 1 : alpha));
  const reaches = (sum: number) => sum * unscaled * (1 + g) >= limit;
  const may = {
    plus: hasPlusInfinity || reaches(plus),
    minus: hasMinusInfinity || reaches(minus),
  };
  if (hasNaN || (hasPlusInfinity && hasMinusInfinity)) return Number.isNaN(found) ? 'right' : 'wrong';
  if (Number.isNaN(found)) return may.plus && may.minus ? 'right' : 'wrong';
  if (!Number.isFinite(found)) {
    const opposite = found > 0 ? hasMinusInfinity : hasPlusInfinity;
    return (found > 0 ? may.plus : may.minus) && !opposite ? 'right' : 'wrong';
  }
  // Rounded toward zero, what overflows is the largest number.
  const surely = Math.abs(plus - minus) - g * (plus + minus) > limit * (1 + 4 * u);
  const isNearest = machine.arithmetic.rounding === 'nearest';
  if (hasPlusInfinity || hasMinusInfinity || (surely && isNearest)) return 'wrong';
  return Number.isFinite(reference.value[e]) && Math.abs(reference.value[e]) <= largest ? undefined : 'right';
}

/** The terms of entry e of all entries of the products, one below the other. */
function termsOf({ operands, gemm }: Overflowing, e: number): Terms {
  const { m, k, n, alpha, beta } = gemm;
  const [row, j] = [Math.floor(e / n), e % n];
  const [p, i] = [Math.floor(row / m), row % m];
  const { a, b, c } = operands;
  let [plus, minus] = [0, 0];
  let [hasPlusInfinity, hasMinusInfinity, hasNaN] = [false, false, false];
  const add = (x: number, y: number) => {
    const term = x * SCALE * (y * SCALE);
    const isInfinite = !Number.isFinite(x) || !Number.isFinite(y);
    if (Number.isNaN(x * y)) hasNaN = true;
    else if (isInfinite && term > 0) hasPlusInfinity = true;
    else if (isInfinite) hasMinusInfinity = true;
    else if (term > 0) plus += term;
    else minus -= term;
  };
  const [aFrom, bFrom] = [a.rows > m ? p * m : 0, b.rows > k ? p * k : 0];
  if (readsFactors(gemm))
    for (let q = 0; q < k; q++) add(a.data[(aFrom + i) * k + q], alpha * b.data[(bFrom + q) * n + j]);
  if (beta !== 0 && c !== undefined) add(beta, c.data[(c.rows > m ? p * m + i : i) * n + j]);
  return { plus, minus, hasPlusInfinity, hasMinusInfinity, hasNaN };
}
