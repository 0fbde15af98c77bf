import {
  ALL_LEVELS,
  chopBits,
  declaring,
  type Edit,
  edited,
  FAST_LEVELS,
  type Fault,
  keepBits,
  type Ladder,
} from './fault.ts';

const BITS = /significant bits/;
const ENTRIES = /entries/;

const NAIVE_SUM: Edit = [/sum = (fma\(.*\));/, 'sum = keep($1);'];
const BLOCK_SUMS: readonly Edit[] = [
  [/(?<=P: f32\) \{[^}]*)(r\d) = (r\d [+-] r\d);/g, '$1 = keep($2);'],
  [/(?<=P: vec4<f32>\) \{[^}]*)(r\d) = (r\d [+-] r\d);/g, '$1 = keep4($2);'],
];
const REGISTER_SUMS: Edit = [/ = (fma\(.*\));/g, ' = keep4($1);'];

/** The edit that makes tf32's rounding one to so few bits less than binary32. */
const mixedRounding = (bits: number, to: (word: string) => string): Edit => {
  const half = (1 << (bits - 1)) - 1;
  return [
    new RegExp(
      `\\(bits \\+ ${half}u \\+ \\(\\(bits >> ([\\w<>]+)\\(${bits}u\\)\\) & [\\w<>]+\\(1u\\)\\)\\)`,
      'g',
    ),
    to('$1'),
  ];
};

/** The levels and kernels that the default gate samples in precisions other than binary32. */
const SAMPLED = { kernel: 'classical:register', levels: [0, 1] } as const;

/** Faults that are no faults of indexing: less precision than claimed. */
export const precisionFaults: readonly Fault[] = (
  [
    {
      name: 'f16-accumulator',
      what: 'sums are kept in 11 bits, as f16 would',
      kernel: 'classical:naive',
      levels: ALL_LEVELS,
      pointsAt: BITS,
      tampering: edited(declaring(keepBits(11)), NAIVE_SUM),
    },
    {
      name: 'tf32-products',
      what: 'operands are rounded to 11 bits before they are multiplied, as tf32 units do',
      kernel: 'classical:tiled',
      levels: ALL_LEVELS,
      pointsAt: BITS,
      tampering: edited(declaring(keepBits(11)), [
        /fma\((xs\[.*?\]), (ys\[.*?\]), sum\)/,
        'fma(keep($1), keep($2), sum)',
      ]),
    },
    {
      name: 'bf16-accumulator',
      what: 'sums are kept in 8 bits, as bf16 would, and long ones stop growing',
      kernel: 'classical:register',
      levels: ALL_LEVELS,
      pointsAt: BITS,
      tampering: edited(declaring(keepBits(8)), REGISTER_SUMS),
    },
    {
      name: 'f16-block-sums',
      what: 'the sums of blocks are rounded to 11 bits',
      kernel: 'winograd:naive',
      levels: FAST_LEVELS,
      pointsAt: BITS,
      tampering: edited(declaring(keepBits(11)), ...BLOCK_SUMS),
    },
    {
      name: 'f16-result',
      what: 'C is rounded to 11 bits when it is stored',
      kernel: 'classical:naive',
      levels: [0],
      pointsAt: BITS,
      tampering: edited(declaring(keepBits(11)), [
        'finish(i * params.n + j, sum);',
        'finish(i * params.n + j, keep(sum));',
      ]),
    },
    {
      name: 'bf16-for-tf32',
      what: 'operands are rounded to 8 bits where tf32 keeps 11',
      ...SAMPLED,
      precision: 'tf32-f32',
      pointsAt: ENTRIES,
      tampering: edited(
        mixedRounding(13, (word) => `(bits + 32767u + ((bits >> ${word}(16u)) & ${word}(1u)))`),
        [/4294959104u/g, '4294901760u'],
      ),
    },
    {
      name: 'bf16-truncated',
      what: 'operands are cut off after 8 bits where bf16 rounds them',
      ...SAMPLED,
      precision: 'bf16-f32',
      pointsAt: ENTRIES,
      tampering: edited(mixedRounding(16, () => 'bits')),
      unseen:
        'where signs are random most of its bias cancels, and the gate has no other sums that round in this precision',
    },
    {
      name: 'half-sums',
      what: 'sums are kept in 11 bits where only the operands are f16',
      ...SAMPLED,
      precision: 'f16-f32',
      pointsAt: ENTRIES,
      tampering: edited(declaring(keepBits(11)), REGISTER_SUMS),
    },
    {
      name: 'f16-carry-lost',
      what: 'rounding up to the next power of two loses the carry into the exponent',
      ...SAMPLED,
      precision: 'f16',
      pointsAt: ENTRIES,
      tampering: edited([
        'let rounded = (size + 0xfffu + ((size >> 13u) & 1u)) & 0xffffe000u;',
        'let rounded = (size & 0x7f800000u) | ((size + 0xfffu + ((size >> 13u) & 1u)) & 0x7fe000u);',
      ]),
    },
    {
      name: 'f16-cut-off',
      what: 'products and sums are cut off where f16 rounds them to nearest',
      ...SAMPLED,
      precision: 'f16',
      pointsAt: ENTRIES,
      tampering: edited(['(size + 0xfffu + ((size >> 13u) & 1u))', 'size']),
    },
    {
      name: 'f16-ties-away',
      what: 'ties are rounded away from zero where f16 rounds them to even',
      ...SAMPLED,
      precision: 'f16',
      pointsAt: ENTRIES,
      tampering: edited(['(size + 0xfffu + ((size >> 13u) & 1u))', '(size + 0x1000u)']),
      unseen: 'each rounding is still to a nearest neighbour, within the half unit that every bound allows',
    },
    {
      name: 'f64-carry-lost',
      what: 'the carry from the low word of a sum into the high one is lost',
      ...SAMPLED,
      precision: 'f64',
      pointsAt: ENTRIES,
      tampering: edited([' + bitcast<i32>(carry), lo, large.e', ', lo, large.e']),
    },
    {
      name: 'f64-low-limbs-lost',
      what: 'the products of low limbs are left out',
      ...SAMPLED,
      precision: 'f64',
      pointsAt: ENTRIES,
      tampering: edited(['let c4 = x.b * y.d + x.c * y.c + x.d * y.b + (c3 >> 14u);', 'let c4 = x.c * y.c;']),
    },
    {
      name: 'f64-no-rare-path',
      what: 'sums of numbers whose exponents are far apart take the path for those that are near',
      ...SAMPLED,
      precision: 'f64',
      pointsAt: ENTRIES,
      tampering: edited([' | (by > 31u)', '']),
      unseen: 'no two numbers that the gate adds in this precision have exponents more than 31 apart',
    },
    {
      name: 'f64-rounds-down',
      what: 'sums are rounded down where binary64 rounds to nearest',
      ...SAMPLED,
      precision: 'f64',
      pointsAt: ENTRIES,
      tampering: edited(['let rounded = lo + 0xffu + ((lo >> 9u) & 1u);', 'let rounded = lo;']),
    },
    {
      name: 'pair-low-part-lost',
      what: 'the low part of every sum of pairs is dropped',
      ...SAMPLED,
      precision: 'f32x2',
      pointsAt: ENTRIES,
      tampering: edited(['return vec2<f32>(opaque(w - opaque(zh - vh)), zh);', 'return vec2<f32>(0.0, zh);']),
    },
    {
      name: 'pair-cross-terms-lost',
      what: 'products of a high part and a low part are left out',
      ...SAMPLED,
      precision: 'f32x2',
      pointsAt: ENTRIES,
      tampering: edited(['let low = opaque(e + cross);', 'let low = e;']),
    },
    {
      name: 'pair-product-unsplit',
      what: 'the rounding error of the leading product is taken to be zero',
      ...SAMPLED,
      precision: 'f32x2',
      pointsAt: ENTRIES,
      tampering: edited(['let low = opaque(e + cross);', 'let low = cross;']),
    },
  ] satisfies Omit<Fault, 'class'>[]
).map((fault) => ({ ...fault, class: 'precision' }));

/** WGSL `towardsZero(x, y, sum)`: x·y rounded, then its sum rounded towards zero, by TwoSum's error (Knuth). */
const TOWARDS_ZERO = `fn hidden(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) ^ params.zero); }
fn towardsZero(x: f32, y: f32, sum: f32) -> f32 {
  let p = hidden(x * y);
  let s = hidden(p + sum);
  let b = hidden(s - p);
  let error = hidden(p - hidden(s - b)) + hidden(sum - b);
  let away = (error < 0.0 && s > 0.0) || (error > 0.0 && s < 0.0);
  return bitcast<f32>(bitcast<u32>(s) - u32(away));
}
`;

const NAIVE = { class: 'precision', kernel: 'classical:naive', levels: [0] } as const;

/** Rounds to less than all 24 bits: these sizes. */
const KEPT = [12, 16, 20, 22, 23];

/** How many bits may be lost before the gate sees it. */
export const precisionLadders: readonly Ladder[] = [
  {
    ...NAIVE,
    name: 'accumulator',
    what: 'sums are kept in …',
    rungs: KEPT.map((bits) => ({
      size: `${bits} bits`,
      tampering: edited(declaring(keepBits(bits)), NAIVE_SUM),
    })),
  },
  {
    ...NAIVE,
    name: 'cut-off-sums',
    what: 'sums are cut off after … where they should be rounded',
    rungs: [
      ...KEPT.map((bits) => ({
        size: `${bits} bits`,
        tampering: edited(declaring(chopBits(bits)), NAIVE_SUM),
      })),
      {
        size: '24 bits',
        tampering: edited(declaring(TOWARDS_ZERO), [
          /sum = fma\((.*), sum\);/,
          'sum = towardsZero($1, sum);',
        ]),
      },
    ],
  },
  {
    ...NAIVE,
    name: 'operands',
    what: 'operands are rounded to …',
    rungs: KEPT.map((bits) => ({
      size: `${bits} bits`,
      tampering: edited(declaring(keepBits(bits)), [
        /sum = fma\((x\[.*?\]), (y\[.*?\]), sum\);/,
        'sum = fma(keep($1), keep($2), sum);',
      ]),
    })),
  },
  {
    ...NAIVE,
    name: 'products',
    what: 'products are rounded to … before they are added',
    rungs: KEPT.map((bits) => ({
      size: `${bits} bits`,
      tampering: edited(declaring(keepBits(bits)), [
        /sum = fma\((x\[.*?\]), (y\[.*?\]), sum\);/,
        'sum = sum + keep($1 * $2);',
      ]),
    })),
  },
  {
    ...NAIVE,
    name: 'rounded-results',
    what: 'entries that are no whole numbers are too large by … of themselves',
    rungs: [12, 16, 18, 19, 20, 21, 22, 23].map((bits) => ({
      size: `2^-${bits}`,
      tampering: edited([
        'finish(i * params.n + j, sum);',
        `finish(i * params.n + j, sum * select(1.0, 1.0 + 0x1p-${bits}, sum != floor(sum)));`,
      ]),
    })),
  },
  {
    class: 'precision',
    name: 'block-sums',
    kernel: 'strassen:naive',
    levels: [1],
    what: 'sums of blocks are kept in …',
    rungs: KEPT.map((bits) => ({
      size: `${bits} bits`,
      tampering: edited(declaring(keepBits(bits)), ...BLOCK_SUMS),
    })),
  },
  {
    class: 'precision',
    name: 'f16-significand',
    ...SAMPLED,
    precision: 'f16',
    what: 'f16 products and sums keep …',
    rungs: [6, 8, 9, 10].map((bits) => ({
      size: `${bits} bits`,
      tampering: edited([
        '(size + 0xfffu + ((size >> 13u) & 1u)) & 0xffffe000u',
        `(size + ${(1 << (23 - bits)) - 1}u + ((size >> ${24 - bits}u) & 1u)) & ${(0xffffffff << (24 - bits)) >>> 0}u`,
      ]),
    })),
  },
  {
    class: 'precision',
    name: 'f64-significand',
    ...SAMPLED,
    precision: 'f64',
    what: 'binary64 sums keep …',
    rungs: [36, 44, 48, 50, 51, 52].map((bits) => {
      const lost = 53 - bits;
      return {
        size: `${bits} bits`,
        tampering: edited(
          [
            'let rounded = lo + 0xffu + ((lo >> 9u) & 1u);',
            `let rounded = lo + ${2 ** (8 + lost) - 1}u + ((lo >> ${9 + lost}u) & 1u);`,
          ],
          [
            '(bitcast<u32>(high) << 31u)) & 0xffffff00u',
            `(bitcast<u32>(high) << 31u)) & ${(0xffffffff << (8 + lost)) >>> 0}u`,
          ],
        ),
      };
    }),
  },
  {
    class: 'precision',
    name: 'pair-low-part',
    ...SAMPLED,
    precision: 'f32x2',
    what: 'the low parts of sums of pairs keep …',
    rungs: [4, 8, 12, 16, 18, 20, 22, 23].map((bits) => ({
      size: `${bits} bits`,
      tampering: edited(declaring(keepBits(bits)), [
        'return vec2<f32>(opaque(w - opaque(zh - vh)), zh);',
        'return vec2<f32>(keep(opaque(w - opaque(zh - vh))), zh);',
      ]),
    })),
  },
];
