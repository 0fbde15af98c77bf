import {
  ALL_LEVELS,
  type AlternativeEdits,
  FAST_LEVELS,
  type Fault,
  faultsIn,
  laddersIn,
  type ShaderEdit,
} from './fault.ts';

const BITS = /(was|were) rounded to|bits of the wrong entries are right/;
/** Messages about the errors of all entries together, or about the place of the largest. */
const SUMS = /sums keep fewer bits|worst at/;
const NAIVE_SUM: ShaderEdit = [/sum = (fma\(.*\));/, 'sum = keep($1);'];
const BLOCK_SUMS: AlternativeEdits = {
  either: [
    [/(?<=P: f32\) \{[^}]*)(r\d) = (r\d [+-] r\d);/g, '$1 = keep($2);'],
    [/(?<=P: vec4<f32>\) \{[^}]*)(r\d) = (r\d [+-] r\d);/g, '$1 = keep4($2);'],
  ],
};
const REGISTER_SUMS: ShaderEdit = [/ = (fma\(.*\));/g, ' = keep4($1);'];
const STORED = 'finish(i * params.n + j, sum);';
const F16_ROUNDED = '(size + 0xfffu + ((size >> 13u) & 1u))';
const F64_ROUNDED = 'let rounded = lo + 0xffu + ((lo >> 9u) & 1u);';
const PAIR = 'return vec2<f32>(opaque(w - opaque(zh - vh)), zh);';

const mask = (bits: number) => `${(0xffffffff << bits) >>> 0}u`;
/** Returns the edit that declares functions before all other code. */
const declaring = (declarations: string): ShaderEdit => ['struct Params', `${declarations}struct Params`];

/** Prefixes edits with WGSL `keep(x)`, and `keep4` for four: a binary32 number rounded to so many significant bits, ties to even. */
function keeping(bits: number, ...edits: readonly (ShaderEdit | AlternativeEdits)[]) {
  const cut = 24 - bits;
  const body = (scalar: string, word: string) => `
  let bits = bitcast<${word}>(x);
  return bitcast<${scalar}>((bits + ${(1 << (cut - 1)) - 1}u + ((bits >> ${word}(${cut}u)) & ${word}(1u))) & ${word}(${mask(cut)}));
`;
  const functions = `fn keep(x: f32) -> f32 {${body('f32', 'u32')}}
fn keep4(x: vec4<f32>) -> vec4<f32> {${body('vec4<f32>', 'vec4<u32>')}}
`;
  return { edits: [declaring(functions), ...edits] };
}

/** Returns WGSL `keep(x)`: a binary32 number truncated after so many significant bits. */
const chopping = (bits: number) =>
  `fn keep(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) & ${mask(24 - bits)}); }\n`;

/** Returns the edit of the rounding by which tf32 (bf16) operands lose their last 13 (16) bits. */
const operandRounding = (bits: number, to: string): ShaderEdit => [
  new RegExp(
    `\\(bits \\+ ${(1 << (bits - 1)) - 1}u \\+ \\(\\(bits >> ([\\w<>]+)\\(${bits}u\\)\\) & [\\w<>]+\\(1u\\)\\)\\)`,
    'g',
  ),
  to,
];

/** Faults of precision: less than claimed. */
export const precisionFaults: readonly Fault[] = [
  ...faultsIn('precision', 'classical:naive', ALL_LEVELS, {
    'f16-accumulator': {
      what: 'sums are kept in 11 bits, as f16 would',
      pointsAt: BITS,
      ...keeping(11, NAIVE_SUM),
    },
  }),
  ...faultsIn('precision', 'classical:tiled', ALL_LEVELS, {
    'tf32-products': {
      what: 'operands are rounded to 11 bits before they are multiplied, as tf32 units do',
      pointsAt: BITS,
      ...keeping(11, [/fma\((xs\[.*?\]), (ys\[.*?\]), sum\)/, 'fma(keep($1), keep($2), sum)']),
    },
  }),
  ...faultsIn('precision', 'classical:register', ALL_LEVELS, {
    'bf16-accumulator': {
      what: 'sums are kept in 8 bits, as bf16 would, and long ones stop growing',
      pointsAt: BITS,
      ...keeping(8, REGISTER_SUMS),
    },
  }),
  ...faultsIn('precision', 'winograd:naive', FAST_LEVELS, {
    'f16-block-sums': {
      what: 'the sums of blocks are rounded to 11 bits',
      pointsAt: BITS,
      ...keeping(11, BLOCK_SUMS),
    },
  }),
  ...faultsIn('precision', 'classical:naive', [0], {
    'f16-result': {
      what: 'C is rounded to 11 bits when it is stored',
      pointsAt: BITS,
      ...keeping(11, [STORED, 'finish(i * params.n + j, keep(sum));']),
    },
  }),
  ...faultsIn('precision', 'classical:register', [0, 1], {
    'bf16-for-tf32': {
      what: 'operands are rounded to 8 bits, although tf32 keeps 11',
      edits: [
        operandRounding(13, '(bits + 32767u + ((bits >> $1(16u)) & $1(1u)))'),
        [/4294959104u/g, '4294901760u'],
      ],
      precision: 'tf32-f32',
    },
    'bf16-truncated': {
      what: 'operands are truncated to 8 bits, although bf16 rounds them',
      edits: [operandRounding(16, 'bits')],
      precision: 'bf16-f32',
      unseen:
        'with random signs most of its bias cancels, and the gate has no other sums that round in this precision',
    },
    'half-sums': {
      what: 'sums are kept in 11 bits, although only the operands are f16',
      ...keeping(11, REGISTER_SUMS),
      precision: 'f16-f32',
    },
    'f16-carry-lost': {
      what: 'rounding up to the next power of two loses the carry into the exponent',
      edits: [
        [
          `let rounded = ${F16_ROUNDED} & 0xffffe000u;`,
          `let rounded = (size & 0x7f800000u) | (${F16_ROUNDED} & 0x7fe000u);`,
        ],
      ],
      precision: 'f16',
    },
    'f16-cut-off': {
      what: 'products and sums are truncated, although f16 rounds them to nearest',
      edits: [[F16_ROUNDED, 'size']],
      precision: 'f16',
      pointsAt: SUMS,
    },
    'f16-ties-away': {
      what: 'ties are rounded away from zero, although f16 rounds them to even',
      edits: [[F16_ROUNDED, '(size + 0x1000u)']],
      precision: 'f16',
      unseen: 'each rounding still gives a nearest neighbor, within the half unit that every bound allows',
    },
    'f64-carry-lost': {
      what: 'the carry from the low word of a sum into the high one is lost',
      edits: [[' + bitcast<i32>(carry), lo, large.e', ', lo, large.e']],
      precision: 'f64',
    },
    'f64-low-limbs-lost': {
      what: 'the products of low limbs are left out',
      edits: [['let c4 = x.b * y.d + x.c * y.c + x.d * y.b + (c3 >> 14u);', 'let c4 = x.c * y.c;']],
      precision: 'f64',
    },
    'f64-no-rare-path': {
      what: 'sums of numbers with distant exponents take the path for near ones',
      edits: [[' | (by > 31u)', '']],
      precision: 'f64',
      unseen: 'no two numbers that the gate adds in this precision have exponents more than 31 apart',
    },
    'f64-rounds-down': {
      what: 'sums are rounded down, although binary64 rounds to nearest',
      edits: [[F64_ROUNDED, 'let rounded = lo;']],
      precision: 'f64',
      pointsAt: SUMS,
    },
    'pair-low-part-lost': {
      what: 'the low part of every sum of pairs is dropped',
      edits: [[PAIR, 'return vec2<f32>(0.0, zh);']],
      precision: 'f32x2',
    },
    'pair-cross-terms-lost': {
      what: 'products of a high part and a low part are left out',
      edits: [['let low = opaque(e + cross);', 'let low = e;']],
      precision: 'f32x2',
    },
    'pair-product-unsplit': {
      what: 'the rounding error of the leading product is taken to be zero',
      edits: [['let low = opaque(e + cross);', 'let low = cross;']],
      precision: 'f32x2',
    },
  }),
];

/** WGSL `towardsZero(x, y, sum)`: x·y rounded, then its sum rounded towards zero, by TwoSum's error (Knuth). */
const TOWARDS_ZERO = `fn hidden(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) ^ params.zero); }
fn towardsZero(x: f32, y: f32, sum: f32) -> f32 {
  let p = hidden(x * y); let s = hidden(p + sum); let b = hidden(s - p);
  let error = hidden(p - hidden(s - b)) + hidden(sum - b);
  return bitcast<f32>(bitcast<u32>(s) - u32((error < 0.0 && s > 0.0) || (error > 0.0 && s < 0.0)));
}
`;

/** Numbers of bits to round to, below all 24. */
const KEPT = [12, 16, 20, 22, 23];
const FMA = /sum = fma\((x\[.*?\]), (y\[.*?\]), sum\);/;

const kept = (what: string, edit: ShaderEdit | AlternativeEdits) => ({
  what,
  sizes: KEPT,
  plant: (bits: number) => keeping(bits, edit),
});

/** Faults by the number of bits lost. */
export const precisionLadders: readonly Fault[] = [
  ...laddersIn('precision', 'classical:naive', [0], {
    accumulator: kept('sums are kept in ‹# bits›', NAIVE_SUM),
    'cut-off-sums': {
      what: 'sums are truncated to ‹# bits› instead of rounded',
      sizes: [...KEPT, 24],
      plant: (bits) => ({
        edits:
          bits < 24
            ? [declaring(chopping(bits)), NAIVE_SUM]
            : [declaring(TOWARDS_ZERO), [FMA, 'sum = towardsZero($1, $2, sum);']],
      }),
    },
    operands: kept('operands are rounded to ‹# bits›', [FMA, 'sum = fma(keep($1), keep($2), sum);']),
    products: kept('products are rounded to ‹# bits› before they are added', [
      FMA,
      'sum = sum + keep($1 * $2);',
    ]),
    'rounded-results': {
      what: 'entries that are not whole numbers are too large by ‹2^-#› of themselves',
      sizes: [12, 16, 18, 19, 20, 21, 22, 23],
      plant: (bits) => ({
        edits: [[STORED, STORED.replace('sum', `sum * select(1.0, 1.0 + 0x1p-${bits}, sum != floor(sum))`)]],
      }),
    },
  }),
  ...laddersIn('precision', 'strassen:naive', [1], {
    'block-sums': kept('sums of blocks are kept in ‹# bits›', BLOCK_SUMS),
  }),
  ...laddersIn('precision', 'classical:register', [0, 1], {
    'f16-significand': {
      precision: 'f16',
      what: 'f16 products and sums keep ‹# bits›',
      sizes: [6, 8, 9, 10],
      plant: (bits) => ({
        edits: [
          [
            `${F16_ROUNDED} & 0xffffe000u`,
            `(size + ${(1 << (23 - bits)) - 1}u + ((size >> ${24 - bits}u) & 1u)) & ${mask(24 - bits)}`,
          ],
        ],
      }),
    },
    'f64-significand': {
      precision: 'f64',
      what: 'binary64 sums keep ‹# bits›',
      sizes: [36, 44, 48, 50, 51, 52],
      plant: (bits) => {
        const lost = 53 - bits;
        const low = '(bitcast<u32>(high) << 31u)) & ';
        return {
          edits: [
            [F64_ROUNDED, `let rounded = lo + ${2 ** (8 + lost) - 1}u + ((lo >> ${9 + lost}u) & 1u);`],
            [`${low}0xffffff00u`, `${low}${mask(8 + lost)}`],
          ],
        };
      },
    },
    'pair-low-part': {
      precision: 'f32x2',
      what: 'the low parts of sums of pairs keep ‹# bits›',
      sizes: [4, 8, 12, 16, 18, 20, 22, 23],
      plant: (bits) => keeping(bits, [PAIR, PAIR.replace('opaque(w - opaque(zh - vh))', 'keep($&)')]),
    },
  }),
];
