import { roundingIn } from '../precision/claimed-rounding.ts';
import { bf16, f16, f32 } from '../precision/format.ts';

/** Terms of one block: numbers of A and B without factors, and the factors. */
export interface FactorProbe {
  readonly terms: readonly (readonly [x: number, y: number])[];
  readonly fa: number;
  readonly fb: number;
}

/** The numbers that factors multiply. */
export type FactorTarget =
  | 'elements'
  | 'products'
  | 'sums'
  | 'elements of A, sums for B'
  | 'elements of B, sums for A';

/** One way in which a kernel may apply factors, with the value that it gives for terms. */
export interface FactorMethod {
  readonly where: FactorTarget;
  /** The rounding, as a clause. */
  readonly how: string;
  value(probe: FactorProbe): number;
}

type Round = (x: number) => number;
type Add = (x: number, y: number) => number;

const single = Math.fround;
const { add: nearest } = roundingIn(f32, 'nearest');
const { add: cut } = roundingIn(f32, 'toward-zero');

/** Ways in which two products reach a sum of binary32: rounded first, added as by fma, added exactly, or truncated. */
const SUMS: readonly Add[] = [
  (p, q) => single(single(p) + single(q)),
  (p, q) => nearest(p, single(q)),
  (p, q) => nearest(single(p), q),
  (p, q) => single(p + q),
  cut,
];

/** Roundings of scaled elements. */
const ELEMENTS: readonly (readonly [how: string, Round])[] = [
  ['rounded to binary32', single],
  ['rounded to bf16', bf16.round],
  ['rounded to f16', f16.round],
  ['not rounded', (x) => x],
];

/** Orders in which a product or a sum is multiplied by both factors. */
const CHAINS: readonly (readonly [how: string, (t: number, fa: number, fb: number) => number])[] = [
  ['by the product of both factors, rounded first', (t, fa, fb) => single(t * single(fa * fb))],
  ['by the factor of A, then by that of B', (t, fa, fb) => single(single(t * fa) * fb)],
  ['by the factor of B, then by that of A', (t, fa, fb) => single(single(t * fb) * fa)],
  ['by both with one rounding', (t, fa, fb) => single(t * fa * fb)],
];

const summed = (products: readonly number[], add: Add): number => products.reduce((sum, p) => add(sum, p));

/**
 * Returns all ways that can be distinguished, once for each kind of sum. If only one operand has factors, they are applied at one place.
 */
export const waysFor = (sides: readonly { readonly coding?: unknown }[]): readonly FactorMethod[] =>
  sides.every(({ coding }) => coding !== undefined)
    ? ways
    : ways.filter(({ where }) => where === 'elements' || where === 'products' || where === 'sums');

const ways: readonly FactorMethod[] = SUMS.flatMap((add): FactorMethod[] => [
  ...ELEMENTS.map(
    ([how, round]): FactorMethod => ({
      where: 'elements',
      how,
      value: ({ terms, fa, fb }) =>
        summed(
          terms.map(([x, y]) => round(x * fa) * round(y * fb)),
          add,
        ),
    }),
  ),
  ...CHAINS.flatMap(([how, chain]): FactorMethod[] => [
    {
      where: 'products',
      how,
      value: ({ terms, fa, fb }) =>
        summed(
          terms.map(([x, y]) => chain(single(x * y), fa, fb)),
          add,
        ),
    },
    {
      where: 'sums',
      how,
      value: ({ terms, fa, fb }) =>
        chain(
          summed(
            terms.map(([x, y]) => x * y),
            add,
          ),
          fa,
          fb,
        ),
    },
  ]),
  // Unrounded factors on elements of one operand equal factors on sums.
  ...ELEMENTS.slice(0, -1).flatMap(([how, round]): FactorMethod[] => [
    {
      where: 'elements of A, sums for B',
      how,
      value: ({ terms, fa, fb }) =>
        single(
          summed(
            terms.map(([x, y]) => round(x * fa) * y),
            add,
          ) * fb,
        ),
    },
    {
      where: 'elements of B, sums for A',
      how,
      value: ({ terms, fa, fb }) =>
        single(
          summed(
            terms.map(([x, y]) => x * round(y * fb)),
            add,
          ) * fa,
        ),
    },
  ]),
]);
