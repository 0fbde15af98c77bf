import { createRandom } from '../../src/base/random.ts';
import type { Claims } from '../../src/kernels/claims.ts';
import { assumed } from '../../src/precision/arithmetic.ts';
import type { Format } from '../../src/precision/format.ts';
import type { Precision } from '../../src/precision/precision.ts';
import { possibleRunningSums } from '../../src/precision/sums.ts';
import {
  blocksOf,
  fromLast,
  grouped,
  lanesOf,
  partsOf,
  restLast,
  reversed,
  type SumFunction,
  sorted,
  sumsIn,
  tilesOf,
} from './sums.ts';

/** A way to sum products, and the claims that are true of it. */
export interface SummationMethod {
  readonly name: string;
  readonly claims: Claims;
  /** True if it is a classical product in some order, so that it may also claim nothing. */
  readonly isUsual: (precision: Precision) => boolean;
  /** True if these sums can be computed here in double. */
  readonly fits: (precision: Precision) => boolean;
  readonly sumIn: (format: Format) => SumFunction;
}

type Sums = ReturnType<typeof sumsIn>;
type Row = readonly [name: string, claims: Claims, sum: (sums: Sums) => SumFunction];

const groups = [2, 8, 32, 256];
const kept = (accumulator: NonNullable<Claims['arithmetic']>['accumulator']): Claims => ({
  arithmetic: { accumulator },
});

/** Sums in the format of sums, rounded to nearest. */
const usual: readonly Row[] = [
  ['sequential', { order: 'sequential' }, ({ sequential }) => sequential],
  ['fused', { order: 'sequential' }, ({ fused }) => fused],
  ['backwards', { order: 'sequential' }, ({ sequential }) => reversed(sequential)],
  ...[1, 4, 32, 128].map(
    (of): Row => [`pairwise-${of}`, { order: 'pairwise', partition: of }, ({ pairwise }) => pairwise(of)],
  ),
  ['pairwise-unsaid', { order: 'pairwise' }, ({ pairwise }) => pairwise(16)],
  ...groups.map(
    (of): Row => [`blocked-${of}`, { order: 'blocked', partition: of }, ({ blocked }) => blocked(of)],
  ),
  [
    'blocked-from-ends',
    { order: 'blocked', partition: 16 },
    ({ sequential }) => grouped(fromLast(blocksOf(16)), reversed(sequential), sequential),
  ],
  ['blocked-unsaid', { order: 'blocked' }, ({ blocked }) => blocked(64)],
  ...[2, 8, 64].map(
    (of): Row => [
      `split-${of}`,
      { order: 'split-k', parts: of, cut: 'even' },
      ({ sequential }) => grouped(partsOf(of), sequential, sequential),
    ],
  ),
  ...(
    [
      ['rest-last', 'rest-last', restLast(8)],
      ['tiles', { tile: 32 }, tilesOf(8, 32)],
      ['unsaid', undefined, restLast(8)],
    ] as const
  ).map(
    ([name, cut, groups]): Row => [
      `split-8-${name}`,
      { order: 'split-k', parts: 8, cut },
      ({ sequential }) => grouped(groups, sequential, sequential),
    ],
  ),
  ...[4, 16].map(
    (of): Row => [
      `lanes-${of}`,
      { order: 'split-k', parts: of, cut: 'even' },
      ({ sequential, pairwise }) => grouped(lanesOf(of), sequential, of === 4 ? pairwise(1) : sequential),
    ],
  ),
  ['lanes-unsaid', {}, ({ sequential }) => grouped(lanesOf(8), sequential, sequential)],
];

/** ∞ − ∞ is NaN, so compensated sums lose infinities. */
const compensated = (by: 'kahan' | 'neumaier'): Claims => ({
  arithmetic: { accumulator: { compensated: by }, exceptions: 'nan' },
});
const better: readonly Row[] = [
  ['kahan', compensated('kahan'), ({ kahan }) => kahan],
  ['neumaier', compensated('neumaier'), ({ neumaier }) => neumaier],
  ...[4, 16].map(
    (of): Row => [
      `kahan-lanes-${of}`,
      { order: 'split-k', parts: of, cut: 'even', ...compensated('kahan') },
      ({ kahan, sequential }) => grouped(lanesOf(of), kahan, sequential),
    ],
  ),
  ['kahan-unsaid', { arithmetic: { exceptions: 'nan' } }, ({ kahan }) => kahan],
];

const sorts: readonly Row[] = [
  ['sorted', { order: 'data-dependent' }, ({ sequential }) => sorted(sequential)],
  ['sorted-from-largest', { order: 'data-dependent' }, ({ sequential }) => sorted(sequential, -1)],
  ['signs-apart', { order: 'signs-apart' }, ({ signsApart }) => signsApart],
];

/** Sums that a kernel must claim, unless a documented matrix unit computes so. */
const told: readonly Row[] = [
  ['cut', { arithmetic: { rounding: 'toward-zero' } }, ({ towardZero }) => towardZero],
  ['faithful', { arithmetic: { rounding: 'faithful' } }, ({ faithful }) => faithful],
  [
    'stochastic',
    { arithmetic: { rounding: 'stochastic' }, deterministic: false },
    (() => {
      const random = createRandom(0, 1, 'fine');
      return ({ stochastic }: Sums) => stochastic(() => random.uniform01());
    })(),
  ],
];

const fewer: readonly Row[] = [
  ...[20, 16, 12].map((bits): Row => [`bits-${bits}`, kept({ bits }), ({ inBits }) => inBits(bits)]),
  ['bits-16-promoted', kept({ bits: 16, promoted: 64 }), ({ blocked, inBits }) => blocked(64, inBits(16))],
];

/** Claims of sums in double, with the way in which products reach them. */
const inDouble = (fma: 'once' | 'twice'): Claims => ({ arithmetic: { fma, accumulator: { bits: 53 } } });

const doubles: readonly Row[] = [
  ['doubles', kept({ bits: 53 }), ({ inDoubles }) => inDoubles],
  ['doubles-whole', inDouble('once'), ({ inDoubles }) => inDoubles],
  ['doubles-rounded', inDouble('twice'), ({ inDoublesRounded }) => inDoublesRounded],
  ['doubles-rounded-unsaid', kept({ bits: 53 }), ({ inDoublesRounded }) => inDoublesRounded],
  ['doubles-promoted', kept({ bits: 53, promoted: 64 }), ({ blocked, inDoubles }) => blocked(64, inDoubles)],
];

/** A matrix unit: Blanchard, Higham, Lopez, Mary, Pranesh 2020; Fasi, Higham, Mikaitis, Pranesh 2021. */
const unit = (terms: number, bits: number, promoted?: number): Row => [
  `unit-${terms}-${bits}${promoted === undefined ? '' : '-promoted'}`,
  { arithmetic: { rounding: 'toward-zero', accumulator: { terms, bits, promoted } } },
  ({ atOnce, blockedCut }) =>
    promoted === undefined ? atOnce(terms, bits) : blockedCut(promoted, atOnce(terms, bits)),
];
const units = [unit(4, 24), unit(8, 26), unit(16, 25), unit(32, 14), unit(32, 14, 128)];

type Test = SummationMethod['fits'];
const always: Test = () => true;
const never: Test = () => false;
/** True if double holds the sum of a product and a running sum almost exactly, so that its rounding affects no bit. */
const isNarrow: Test = ({ accumulated }) => accumulated.precision <= 24 && accumulated.unitRoundoff > 0;
const isSingle: Test = ({ accumulated }) => accumulated.precision === 24;

/** True if a documented matrix unit computes so; products of narrower numbers need not claim it. */
const isDocumented =
  ({ arithmetic: { rounding, accumulator = {} } = {} }: Claims): Test =>
  (precision) =>
    possibleRunningSums(precision, assumed, {}).some(
      (one) =>
        one.rounding === rounding &&
        (one.bits ?? 0) <= (accumulator.bits ?? Number.POSITIVE_INFINITY) &&
        one.terms === accumulator.terms &&
        accumulator.promoted === undefined,
    );

const ways = (rows: readonly Row[], fits: Test, isUsual: (claims: Claims) => Test): SummationMethod[] =>
  rows.map(([name, claims, sum]) => ({
    ...{ name, claims, fits, isUsual: isUsual(claims) },
    sumIn: (format) => sum(sumsIn(format)),
  }));

/** All ways of summing that can be claimed. */
export const honestWays: readonly SummationMethod[] = [
  ...ways(usual, always, () => always),
  ...ways([...better, ...sorts], always, () => never),
  ...ways(told, isNarrow, isDocumented),
  ...ways(fewer, isSingle, () => never),
  ...ways(doubles, isNarrow, () => always),
  ...ways(units, isSingle, isDocumented),
];
