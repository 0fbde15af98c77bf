import { ALL_LEVELS, edited, type Fault, type Ladder } from './fault.ts';

const STORE = 'finish(i * params.n + j, sum);';
const storing = (value: string) => edited([STORE, `finish(i * params.n + j, ${value});`]);

const BITS = '(bitcast<u32>(sum) & 0x7fffffffu)';
const IS_NAN = `${BITS} > 0x7f800000u`;
const IS_INFINITE = `${BITS} == 0x7f800000u`;
const ENTRY = /Entry \(\d+, \d+\) is/;

/** Faults in NaN, infinities, zeros, and numbers far from one. */
export const specialValueFaults: readonly Fault[] = (
  [
    {
      name: 'nan-to-zero',
      what: 'NaN is replaced by zero',
      pointsAt: /is 0, where .* NaN/,
      tampering: storing(`select(sum, 0.0, ${IS_NAN})`),
    },
    {
      name: 'nan-to-infinity',
      what: 'NaN becomes an infinity',
      pointsAt: /is Infinity, where .* NaN/,
      tampering: storing(`select(sum, bitcast<f32>(${BITS} & 0x7f800000u), ${IS_NAN})`),
    },
    {
      name: 'infinity-to-largest',
      what: 'infinities become the largest finite number',
      pointsAt: /is -?3\.40282\d*e\+38, where .* -?Infinity/,
      tampering: storing(`select(sum, bitcast<f32>(bitcast<u32>(sum) - 1u), ${IS_INFINITE})`),
    },
    {
      name: 'infinity-without-sign',
      what: 'infinities lose their sign',
      pointsAt: /is Infinity, where .* -Infinity/,
      tampering: storing(`select(sum, abs(sum), ${IS_INFINITE})`),
    },
    {
      name: 'infinity-to-nan',
      what: 'infinities become NaN',
      pointsAt: /is NaN, where .* -?Infinity/,
      tampering: storing(`select(sum, bitcast<f32>(bitcast<u32>(sum) | 0x400000u), ${IS_INFINITE})`),
    },
    {
      name: 'zero-shortcut-a',
      what: 'terms with a zero in A are skipped, and with them NaN and infinities of B',
      pointsAt: ENTRY,
      tampering: edited([/sum = (fma\((x\[.*?\]), .*\));/, 'if ($2 != 0.0) { sum = $1; }']),
    },
    {
      name: 'zero-shortcut-b',
      what: 'terms with a zero in B are skipped, and with them NaN and infinities of A',
      pointsAt: ENTRY,
      tampering: edited([/sum = (fma\(x\[.*?\], (y\[.*?\]), sum\));/, 'if ($2 != 0.0) { sum = $1; }']),
    },
    {
      name: 'nan-skipped',
      what: 'terms that are NaN are skipped',
      pointsAt: ENTRY,
      tampering: edited([
        /sum = (fma\(.*\));/,
        'let next = $1; if ((bitcast<u32>(next) & 0x7fffffffu) <= 0x7f800000u) { sum = next; }',
      ]),
    },
    {
      name: 'nan-spreads',
      what: 'the row below is multiplied by zero and added, where it should be left out',
      pointsAt: ENTRY,
      tampering: edited([
        /sum = (fma\(.*\));/,
        'sum = $1 + f32(params.zero) * x[min(i + 1u, params.m - 1u) * params.k + p];',
      ]),
    },
    {
      name: 'negative-zero',
      what: 'zeros of C are negative',
      pointsAt: /entries/,
      tampering: storing('select(sum, bitcast<f32>(0x80000000u), sum == 0.0)'),
      unseen: 'zeros of either sign are equal, and the order and fusing of a sum, which are free, decide it',
    },
  ] satisfies Omit<Fault, 'class' | 'kernel' | 'levels'>[]
).map((fault) => ({ ...fault, class: 'special-values', kernel: 'classical:naive', levels: ALL_LEVELS }));

/** How near to zero or to overflow numbers must be to be treated wrongly unseen. */
export const specialValueLadders: readonly Ladder[] = [
  {
    name: 'flush',
    class: 'special-values',
    what: 'products below … count as zero',
    kernel: 'classical:naive',
    levels: ALL_LEVELS,
    rungs: [10, 20, 40, 60, 80, 100, 120, 125].map((power) => ({
      size: `2^-${power}`,
      tampering: edited([
        /sum = (fma\((x\[.*?\]), (y\[.*?\]), sum\));/,
        `if (!(abs($2 * $3) < 0x1p-${power})) { sum = $1; }`,
      ]),
    })),
  },
  {
    name: 'flushed-results',
    class: 'special-values',
    what: 'entries of C below … count as zero',
    kernel: 'classical:naive',
    levels: ALL_LEVELS,
    rungs: [10, 20, 40, 60, 80, 100, 120, 125].map((power) => ({
      size: `2^-${power}`,
      tampering: storing(`select(sum, 0.0, abs(sum) < 0x1p-${power})`),
    })),
  },
  {
    name: 'saturation',
    class: 'special-values',
    what: 'finite entries of C beyond … become that',
    kernel: 'classical:naive',
    levels: ALL_LEVELS,
    rungs: [10, 20, 40, 60, 80, 100, 120, 127].map((power) => ({
      size: `2^${power}`,
      tampering: storing(
        `select(sum, sign(sum) * 0x1p${power}, abs(sum) > 0x1p${power} && ${BITS} < 0x7f800000u)`,
      ),
    })),
  },
];
