import { bf16, type Format, f16, f32, tf32 } from '../../precision/format.ts';
import type { Cause, EntryPrediction, WrongProductScene } from './cause.ts';

/** A way to round, with its name. */
interface Rounding {
  readonly name: string;
  readonly precision: number;
  readonly round: (x: number) => number;
}

const bits = new Float32Array(1);
const word = new Uint32Array(bits.buffer);
/** Truncates a binary32 number to its first significand bits, as units do that drop bits they do not read. */
function cut(x: number, precision: number): number {
  bits[0] = x;
  word[0] &= -1 << (24 - precision);
  return bits[0];
}

const toNearest = ({ name, precision, round }: Format): Rounding => ({ name, precision, round });
const truncated = ({ name, precision }: Format): Rounding => ({
  ...{ name: `${name} (truncated)`, precision },
  round: (x) => cut(x, precision),
});

/** Roundings to fewer bits than the precision of a product has; f16 differs from tf32 in range alone. */
function roundingsBelow(precision: number): Rounding[] {
  const eleven = { ...toNearest(tf32), name: 'tf32 or f16' };
  const nearest = [toNearest(f32), eleven, toNearest(bf16), toNearest(f16)];
  return [...nearest, truncated(bf16), truncated(tf32)].filter((one) => one.precision < precision);
}

type Round = (x: number) => number;
const same: Round = (x) => x;

/** Returns the product of rounded operands, with the sum rounded after each term. */
function summed(
  { a, b, c, gemm }: WrongProductScene,
  inA: Round,
  inB: Round,
  product: Round,
  sum: Round,
): EntryPrediction {
  const { alpha, beta, k } = gemm;
  return (i, j, p) => {
    let total = 0;
    for (let q = 0; q < k; q++) total = sum(total + product(inA(a(i, q, p)) * inB(b(q, j, p))));
    return alpha * total + (beta === 0 ? 0 : beta * c(i, j, p));
  };
}

const operands: Cause = {
  name: 'narrow-operands',
  *predict(scene) {
    for (const { name, round } of roundingsBelow(scene.evidence.machine.precision.multiplied.precision)) {
      for (const [which, inA, inB] of [
        ['A and B', round, round],
        ['A', round, same],
        ['B', same, round],
      ] as const) {
        const says = `${which} ${which === 'A and B' ? 'were' : 'was'} rounded to ${name} before multiplication`;
        yield { says, entry: summed(scene, inA, inB, same, same), rounded: true };
      }
    }
  },
};

const sums: Cause = {
  name: 'narrow-sums',
  *predict(scene) {
    for (const { name, round } of roundingsBelow(scene.evidence.machine.precision.accumulated.precision)) {
      const says = `sums were rounded to ${name} after each term`;
      yield { says, entry: summed(scene, same, same, same, round), rounded: true };
      yield { says, entry: summed(scene, same, same, round, round), rounded: true };
      yield { says, entry: summed(scene, round, round, round, round), rounded: true };
    }
  },
};

/**
 * D rounded to a narrower format. An entry that is a neighbor of the exact value in the format is accepted, since rounding decides between
 * the two.
 */
const results: Cause = {
  name: 'narrow-results',
  *predict(scene) {
    const { expected, found } = scene;
    for (const { name, precision, round } of roundingsBelow(scene.evidence.machine.precision.d.precision)) {
      const entry: EntryPrediction = (i, j, p) => {
        const [is, should] = [found(i, j, p), expected(i, j, p)];
        const isNear = Math.abs(is - should) <= Math.abs(should) * 2 ** (1 - precision) * 1.01;
        return isNear && round(is) === is ? is : round(should);
      };
      yield { says: `D was rounded to ${name}`, entry, rounded: true };
    }
  },
};

/** Sums of whole numbers that overflow in another way than the kernel claims. */
const wholeSums: Cause = {
  name: 'whole-sums-beyond',
  *predict({ expected, evidence: { machine } }) {
    const { maxFinite, unitRoundoff } = machine.precision.accumulated;
    if (unitRoundoff > 0) return;
    const { overflow } = machine.result ?? {};
    if (overflow !== 'wraps')
      yield { says: 'sums wrapped around at 32 bits', entry: (...at) => expected(...at) | 0 };
    if (overflow !== 'saturate')
      yield {
        says: 'sums saturated at 32 bits',
        entry: (...at) => Math.min(maxFinite, Math.max(-maxFinite - 1, expected(...at))),
      };
    yield { says: 'sums kept more than 32 bits', entry: expected, rounded: true };
  },
};

/** Mistakes that leave fewer bits. */
export const narrowCauses: readonly Cause[] = [operands, sums, results, wholeSums];
