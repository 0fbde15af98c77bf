import type { Gemm } from '../../matrix/gemm.ts';
import type { Evidence } from '../evidence.ts';

/** Entry (i, j) of product p; undefined where it is made of what nobody knows. */
export type EntryOf = (i: number, j: number, p: number) => number | undefined;

/** A wrong product, and what of its operands mistakes are made of. */
export interface Scene {
  readonly evidence: Evidence;
  readonly gemm: Gemm;
  /** What was found, and the exact entry of alpha·A·B + beta·C. */
  readonly found: (i: number, j: number, p: number) => number;
  readonly expected: (i: number, j: number, p: number) => number;
  /** What the exact entries have beyond a double, where all of them are known. */
  readonly low: Float64Array | undefined;
  /** Entries of op(A), op(B) and C. */
  readonly a: (i: number, q: number, p: number) => number;
  readonly b: (q: number, j: number, p: number) => number;
  readonly c: (i: number, j: number, p: number) => number;
}

/** A product that a mistake would have given. */
export interface Prediction {
  /** What the result looks like, in a clause: "as if B were read as its transpose". */
  readonly says: string;
  readonly entry: EntryOf;
  /** Evidence that went into making it fit, in bits. @defaultValue 0 */
  readonly price?: number;
  /** Whether it is rounded where exact products are not. @defaultValue false */
  readonly rounded?: boolean;
  /** Whether entries that are not finite are what it is about. @defaultValue false */
  readonly special?: boolean;
  /** Whether it takes what nobody knows to be 0: so much is explained by it that it is not named beside another. @defaultValue false */
  readonly isGuess?: boolean;
}

/** A mistake that leaves a recognisable product. */
export interface Cause {
  /** What groups failures: `b-transposed`. */
  readonly name: string;
  /** What it would give for the operands of a product, the likeliest first; nothing where it changes nothing. */
  readonly predict: (scene: Scene) => Iterable<Prediction>;
}

/** A cause of one prediction, where there is one. */
export const oneWay = (
  name: string,
  says: string,
  predict: (scene: Scene) => EntryOf | undefined,
  more: Pick<Prediction, 'special'> = {},
): Cause => ({
  name,
  *predict(scene) {
    const entry = predict(scene);
    if (entry !== undefined) yield { says, entry, ...more };
  },
});

/** 2, 4, 8, … up to a largest. */
export function powers(least: number, most: number): number[] {
  const all: number[] = [];
  for (let power = least; power <= most; power *= 2) all.push(power);
  return all;
}
