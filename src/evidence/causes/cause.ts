import { type Gemm, readsAddend } from '../../matrix/gemm.ts';
import { readsFactors } from '../../matrix/members.ts';
import type { Evidence } from '../evidence.ts';

/** Entry (i, j) of product p; undefined where it depends on values that are not known. */
export type EntryPrediction = (i: number, j: number, p: number) => number | undefined;

export interface WrongProductScene {
  readonly evidence: Evidence;
  readonly gemm: Gemm;
  /** The computed entry; `expected` is the exact entry of alpha·A·B + beta·C. */
  readonly found: (i: number, j: number, p: number) => number;
  readonly expected: (i: number, j: number, p: number) => number;
  /** Parts of the exact entries beyond a double, where all entries are known. */
  readonly low: Float64Array | undefined;
  /** Entries of op(A), op(B) and C. */
  readonly a: (i: number, q: number, p: number) => number;
  readonly b: (q: number, j: number, p: number) => number;
  readonly c: (i: number, j: number, p: number) => number;
}

/** A product that a mistake would have given. */
export interface Prediction {
  /** Description of the result, as a clause: "B was read as its transpose". */
  readonly says: string;
  readonly entry: EntryPrediction;
  /** Bits of evidence spent on fitting it. @defaultValue 0 */
  readonly price?: number;
  /** True if the prediction is rounded where exact products are not. @defaultValue false */
  readonly rounded?: boolean;
  /** True if the prediction is about entries that are not finite. @defaultValue false */
  readonly special?: boolean;
  /**
   * True if the prediction takes unknown values to be 0. Such a guess explains so much that it is not named beside another.
   * @defaultValue false
   */
  readonly isGuess?: boolean;
}

/** A mistake that leaves a recognizable product. */
export interface Cause {
  /** The name that groups failures: `b-transposed`. */
  readonly name: string;
  /** Yields the products that the mistake would give, the likeliest first; none where it changes nothing. */
  readonly predict: (scene: WrongProductScene) => Iterable<Prediction>;
}

/** Returns a cause of at most one prediction. */
export const singlePrediction = (
  name: string,
  says: string,
  predict: (scene: WrongProductScene) => EntryPrediction | undefined,
  more: Pick<Prediction, 'special'> = {},
): Cause => ({
  name,
  *predict(scene) {
    const entry = predict(scene);
    if (entry !== undefined) yield { says, entry, ...more };
  },
});

/** Returns least, 2·least, 4·least, … up to `most`. */
export function listPowersOfTwo(least: number, most: number): number[] {
  const all: number[] = [];
  for (let power = least; power <= most; power *= 2) all.push(power);
  return all;
}

/** Returns the row of the other part of a complex entry, in the real product that stands for it: imaginary parts lie below real ones. */
export const otherPart = (i: number, m: number): number => (i + m / 2) % m;

/** Returns alpha·product + beta·added, entry by entry, in doubles; a term that the factors leave unread is not evaluated. */
export function scaledEntry(gemm: Gemm, product: EntryPrediction, added: EntryPrediction): EntryPrediction {
  const { m, alpha, beta, imaginary } = gemm;
  const times = (by: number, of: EntryPrediction, i: number, j: number, p: number): number | undefined => {
    const entry = of(i, j, p);
    return entry === undefined ? undefined : by * entry;
  };
  const scaled =
    (re: number, im: number, of: EntryPrediction): EntryPrediction =>
    (i, j, p) => {
      const own = re === 0 && im !== 0 ? 0 : times(re, of, i, j, p);
      if (im === 0 || own === undefined) return own;
      const other = times(im, of, otherPart(i, m), j, p);
      return other === undefined ? undefined : own + (i < m / 2 ? -other : other);
    };
  const ofProduct = readsFactors(gemm) ? scaled(alpha, imaginary?.alpha ?? 0, product) : () => 0;
  if (!readsAddend(gemm)) return ofProduct;
  const ofAddend = scaled(beta, imaginary?.beta ?? 0, added);
  return (i, j, p) => {
    const [x, y] = [ofProduct(i, j, p), ofAddend(i, j, p)];
    return x === undefined || y === undefined ? undefined : x + y;
  };
}
