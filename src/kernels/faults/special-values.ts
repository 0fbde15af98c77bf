import { ALL_LEVELS, type Fault, faultsIn, laddersIn, type ShaderEdit } from './fault.ts';

const STORE = 'finish(i * params.n + j, sum);';
const storing = (value: string): ShaderEdit[] => [[STORE, `finish(i * params.n + j, ${value});`]];

const BITS = '(bitcast<u32>(sum) & 0x7fffffffu)';
const IS_NAN = `${BITS} > 0x7f800000u`;
const IS_INFINITE = `${BITS} == 0x7f800000u`;
const ENTRY = /Entry \(\d+, \d+\) is/;

/** Faults in NaN, infinities, zeros, and numbers far from one. */
export const specialValueFaults: readonly Fault[] = [
  ...faultsIn('special-values', 'classical:naive', ALL_LEVELS, {
    'nan-to-zero': {
      what: 'NaN is replaced by zero',
      pointsAt: /is 0, expected NaN/,
      edits: storing(`select(sum, 0.0, ${IS_NAN})`),
    },
    'nan-to-infinity': {
      what: 'NaN becomes an infinity',
      pointsAt: /is Infinity, expected NaN/,
      edits: storing(`select(sum, bitcast<f32>(${BITS} & 0x7f800000u), ${IS_NAN})`),
    },
    'infinity-to-largest': {
      what: 'infinities become the largest finite number',
      pointsAt: /is -?3\.40282\d*e\+38, expected -?Infinity/,
      edits: storing(`select(sum, bitcast<f32>(bitcast<u32>(sum) - 1u), ${IS_INFINITE})`),
    },
    'infinity-without-sign': {
      what: 'infinities lose their sign',
      pointsAt: /is Infinity, expected -Infinity/,
      edits: storing(`select(sum, abs(sum), ${IS_INFINITE})`),
    },
    'infinity-to-nan': {
      what: 'infinities become NaN',
      pointsAt: /is NaN, expected -?Infinity/,
      edits: storing(`select(sum, bitcast<f32>(bitcast<u32>(sum) | 0x400000u), ${IS_INFINITE})`),
    },
    'zero-shortcut-a': {
      what: 'terms with a zero in A are skipped, and with them NaN and infinities of B',
      pointsAt: ENTRY,
      edits: [[/sum = (fma\((x\[.*?\]), .*\));/, 'if ($2 != 0.0) { sum = $1; }']],
    },
    'zero-shortcut-b': {
      what: 'terms with a zero in B are skipped, and with them NaN and infinities of A',
      pointsAt: ENTRY,
      edits: [[/sum = (fma\(x\[.*?\], (y\[.*?\]), sum\));/, 'if ($2 != 0.0) { sum = $1; }']],
    },
    'nan-skipped': {
      what: 'terms that are NaN are skipped',
      pointsAt: ENTRY,
      edits: [
        [
          /sum = (fma\(.*\));/,
          'let next = $1; if ((bitcast<u32>(next) & 0x7fffffffu) <= 0x7f800000u) { sum = next; }',
        ],
      ],
    },
    'nan-spreads': {
      what: 'the row below is multiplied by zero and added instead of left out',
      pointsAt: ENTRY,
      edits: [
        [/sum = (fma\(.*\));/, 'sum = $1 + f32(params.zero) * x[min(i + 1u, params.m - 1u) * params.k + p];'],
      ],
    },
    'negative-zero': {
      what: 'zeros of C are negative',
      edits: storing('select(sum, bitcast<f32>(0x80000000u), sum == 0.0)'),
      unseen:
        'zeros of both signs are equal, and the order and fusing of a sum, which are free, decide the sign',
    },
  }),
];

/** Faults by the size of numbers near zero or near overflow that are mistreated. */
export const specialValueLadders: readonly Fault[] = laddersIn(
  'special-values',
  'classical:naive',
  ALL_LEVELS,
  {
    flush: {
      what: 'products below ‹2^-#› count as zero',
      sizes: [10, 20, 40, 60, 80, 100, 120, 125],
      plant: (power) => ({
        edits: [
          [
            /sum = (fma\((x\[.*?\]), (y\[.*?\]), sum\));/,
            `if (!(abs($2 * $3) < 0x1p-${power})) { sum = $1; }`,
          ],
        ],
      }),
    },
    'flushed-results': {
      what: 'entries of C below ‹2^-#› count as zero',
      sizes: [10, 20, 40, 60, 80, 100, 120, 125],
      plant: (power) => ({ edits: storing(`select(sum, 0.0, abs(sum) < 0x1p-${power})`) }),
    },
    saturation: {
      what: 'finite entries of C beyond ‹2^#› become that',
      sizes: [10, 20, 40, 60, 80, 100, 120, 127],
      plant: (power) => ({
        edits: storing(
          `select(sum, sign(sum) * 0x1p${power}, abs(sum) > 0x1p${power} && ${BITS} < 0x7f800000u)`,
        ),
      }),
    },
  },
);
