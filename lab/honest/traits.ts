import type { BilinearTable } from '../../src/algorithms/bilinear-table.ts';
import { threeM, threeMVariants } from '../../src/algorithms/three-m.ts';
import { createRandom } from '../../src/base/random.ts';
import type { Claims } from '../../src/kernels/claims.ts';
import type { Format } from '../../src/precision/format.ts';
import type { Precision } from '../../src/precision/precision.ts';
import { codedEntries, type EntryFunction } from './codes.ts';
import { cutIn, eitherIn, unevenly } from './sums.ts';

/** The behavior of a kernel apart from its sums; absent parts are as usual. */
export interface KernelBehavior {
  readonly alphaFirst?: boolean;
  readonly betaFirst?: boolean;
  /** The real products of a complex one, as a table on the halves of the real matrices that stand for it. */
  readonly parts?: BilinearTable;
  /** Computes an entry from elements and factors of blocks. */
  readonly entry?: EntryFunction;
  /** Returns the rounding of operands and of complete sums. */
  readonly operand?: (format: Format) => (x: number) => number;
  readonly result?: (format: Format) => (x: number) => number;
}

/** A trait of a kernel, and the claims that are true of it. */
export interface HonestTrait {
  readonly name: string;
  /** The kind of trait; a kernel has at most one of each. */
  readonly kind: 'factors' | 'parts' | 'scales' | 'subnormals' | 'operands' | 'results';
  readonly claims: Claims;
  readonly does: KernelBehavior;
  /** True if it must be claimed; kernels that claim nothing leave out the other traits. */
  readonly isTold: boolean;
  /** True if it is limited to classical products, whose terms are all in one sum. */
  readonly isWhole: boolean;
  readonly fits: (precision: Precision) => boolean;
}

type Row = readonly [name: string, claims: Claims, does: KernelBehavior, isWhole?: boolean];

const rows = (
  kind: HonestTrait['kind'],
  isTold: boolean,
  fits: HonestTrait['fits'],
  all: readonly Row[],
): HonestTrait[] =>
  all.map(([name, claims, does, isWhole = false]) => ({ name, kind, claims, does, isTold, isWhole, fits }));

const real = { base: threeM.base };
const AR = [1, 0, 0, 0];
const AI = [0, 0, 1, 0];
const BOTH = [1, 0, 1, 0];
const fourProducts: BilinearTable = {
  ...real,
  u: [AR, AI, AR, AI],
  v: [
    [1, 0],
    [0, 1],
    [0, 1],
    [1, 0],
  ],
  w: [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, 1],
  ],
};
/** (Ar + Ai)·Br, Ar·(Bi − Br), Ai·(Br + Bi). */
const gauss: BilinearTable = {
  ...real,
  u: [BOTH, AR, AI],
  v: [
    [1, 0],
    [-1, 1],
    [1, 1],
  ],
  w: [
    [1, 1],
    [0, 1],
    [-1, 0],
  ],
};
/** Ar·(Br + Bi), (Ar + Ai)·Bi, (Ai − Ar)·Br. */
const knuth: BilinearTable = {
  ...real,
  u: [AR, BOTH, [-1, 0, 1, 0]],
  v: [
    [1, 1],
    [0, 1],
    [1, 0],
  ],
  w: [
    [1, 1],
    [-1, 0],
    [0, 1],
  ],
};

const arithmetic = (claimed: Claims['arithmetic']): Claims => ({ arithmetic: claimed });
const flushed =
  ({ round, minNormal }: Format) =>
  (x: number) =>
    Math.abs(x) < minNormal ? x * 0 : round(x);

const byChance = () => {
  const random = createRandom(0, 1, 'fine');
  return (share: number) => random.uniform01() < share;
};

const saturated =
  ({ round, maxFinite }: Format) =>
  (x: number) =>
    Math.abs(x) > maxFinite ? Math.sign(x) * maxFinite : round(x);

const isCoded: HonestTrait['fits'] = ({ coded }) => coded !== undefined;
const isComplex: HonestTrait['fits'] = ({ complex }) => complex === true;
const isWhole: HonestTrait['fits'] = ({ accumulated }) => accumulated.unitRoundoff === 0;
const isReal: HonestTrait['fits'] = (precision) => !isWhole(precision);

/** Traits that may be claimed in addition to sums; a new one is a row. */
export const honestTraits: readonly HonestTrait[] = [
  ...rows('factors', false, () => true, [
    ['alpha-first', { alpha: 'first' }, { alphaFirst: true }],
    ['alpha-last', { alpha: 'last', beta: 'last' }, {}],
    ['beta-last', { beta: 'last' }, { alphaFirst: true }],
    ['beta-first', { alpha: 'first', beta: 'first' }, { alphaFirst: true, betaFirst: true }, true],
  ]),
  ...rows('parts', false, isComplex, [['four-products', { algorithm: '4m' }, { parts: fourProducts }, true]]),
  ...rows(
    'parts',
    true,
    isComplex,
    (
      [
        ['higham', threeM],
        ['gauss', gauss],
        ['knuth', knuth],
        ...threeMVariants.map((table, at): [string, BilinearTable] => [`variant-${at + 1}`, table]),
      ] as const
    ).map(([name, parts]): Row => [`three-products-${name}`, { algorithm: '3m' }, { parts }, true]),
  ),
  ...rows(
    'scales',
    true,
    isCoded,
    Object.entries(codedEntries).map(
      ([name, entry]): Row => [
        name,
        name === 'zeros-last' ? arithmetic({ zeroPoints: 'last' }) : {},
        { entry },
        true,
      ],
    ),
  ),
  ...rows('subnormals', false, isReal, [['subnormals-kept', arithmetic({ subnormals: 'kept' }), {}]]),
  ...rows('operands', true, (precision) => !isCoded(precision), [
    ['operands-cut', arithmetic({ operands: { rounding: 'toward-zero' } }), { operand: cutIn }],
    ['operands-flushed', arithmetic({ operands: { subnormals: 'flushed' } }), { operand: flushed }],
  ]),
  ...rows('results', true, isReal, [
    ['results-cut', arithmetic({ result: { rounding: 'toward-zero' } }), { result: cutIn }],
    ['results-faithful', arithmetic({ result: { rounding: 'faithful' } }), { result: eitherIn(unevenly) }],
    [
      'results-stochastic',
      { ...arithmetic({ result: { rounding: 'stochastic' } }), deterministic: false },
      { result: eitherIn(byChance()) },
    ],
    ['results-saturated', arithmetic({ result: { overflow: 'saturate' } }), { result: saturated }],
  ]),
  ...rows('results', true, isWhole, [
    [
      'results-wrapped',
      arithmetic({ result: { overflow: 'wraps' } }),
      { result: () => (x) => x - 2 ** 32 * Math.floor(x / 2 ** 32 + 1 / 2) },
    ],
    [
      'results-saturated',
      arithmetic({ result: { overflow: 'saturate' } }),
      { result: () => (x) => Math.min(2 ** 31 - 1, Math.max(-(2 ** 31), x)) },
    ],
  ]),
];
