/**
 * The sums of the exact product as WebAssembly text, with vectors of two doubles. A kernel computes a block of the result in tiles of
 * two rows and four columns, whose sums stay in registers along k. Every entry has its own lane. Its operations and their order are
 * those of the TypeScript kernels, so the bits are the same. `npm run wasm` assembles it.
 */

import { advance, repeat } from '../../base/wat.testing.ts';
import { digitFunctions } from './digit-wat.testing.ts';
import { BYTES as DIGIT_BYTES } from './simd-digit-sums.ts';
import { COLS, DEPTH, layout, SIZE, TILE_COLS, TILE_ROWS } from './simd-sums.ts';

const VECTORS = TILE_COLS / 2;
const BYTES = 8;
const PAGE = 65536;

type Operand = keyof typeof layout.a;
type Sum = keyof typeof layout.sums;

/** The operations of a kernel on an entry of A, twice (`x`), two of B (`y`), and their two sums, line by line. */
interface Step {
  readonly name: string;
  readonly a: readonly Operand[];
  readonly b: readonly Operand[];
  readonly sums: readonly Sum[];
  /** Lines `target = expression` in prefix form; names are operands (x.whole, y.upper, …), sums, or temporaries. */
  readonly lines: readonly string[];
}

const steps: readonly Step[] = [
  // See sliceCuts.
  {
    name: 'sliced',
    a: ['whole'],
    b: ['upper', 'lower'],
    sums: ['hi', 'lo'],
    lines: ['hi = (add hi (mul x.whole y.upper))', 'lo = (add lo (mul x.whole y.lower))'],
  },
  // See AnchorWindow. The operations of sumExactProducts.
  {
    name: 'anchored',
    a: ['whole'],
    b: ['whole'],
    sums: ['hi', 'lo'],
    lines: [
      'p = (mul x.whole y.whole)',
      'next = (add hi p)',
      'lo = (add lo (sub p (sub next hi)))',
      'hi = next',
    ],
  },
  // The operations of sumSplitProducts.
  {
    name: 'splitProducts',
    a: ['whole', 'upper', 'lower'],
    b: ['whole', 'upper', 'lower'],
    sums: ['hi', 'lo', 'magnitude'],
    lines: [
      'p = (mul x.whole y.whole)',
      'e = (sub (mul x.lower y.lower) (sub (sub (sub p (mul x.upper y.upper)) (mul x.lower y.upper)) (mul x.upper y.lower)))',
      's = (add hi p)',
      'z = (sub s hi)',
      'lo = (add lo (add (add (sub hi (sub s z)) (sub p z)) e))',
      'hi = s',
      'magnitude = (add magnitude (abs p))',
    ],
  },
];

/** The place of a row and a vector in the tile. */
interface Place {
  readonly r: number;
  readonly v: number;
}

const places: readonly Place[] = Array.from({ length: TILE_ROWS * VECTORS }, (_, at) => ({
  r: Math.floor(at / VECTORS),
  v: at % VECTORS,
}));

/** Returns a line of a step for one place of the tile. */
function lineAt(step: Step, line: string, { r, v }: Place): string {
  const local = (name: string): string => {
    if (name.startsWith('x.')) return `$${name}.${r}`;
    if (name.startsWith('y.')) return `$${name}.${v}`;
    return step.sums.includes(name as Sum) ? `$${name}.${r}.${v}` : `$${name}`;
  };
  const [target, expression] = line.split(' = ');
  const code = expression.replace(/[a-z]+(\.[a-z]+)?/g, (word) =>
    ['add', 'sub', 'mul', 'abs'].includes(word) ? `f64x2.${word}` : `(local.get ${local(word)})`,
  );
  return `(local.set ${local(target)} ${code})`;
}

const bytes = (doubles: number): string => `(i32.const ${BYTES * doubles})`;

/**
 * Returns a function of pairs of rows, panels of columns and the terms k to add, each at least 1. It adds to the sums of the block: for
 * each panel, for each pair of rows, for each t.
 */
function kernel(step: Step): string[] {
  const { a, b, sums, lines } = step;
  const offset = (sum: Sum, { r, v }: Place) => `offset=${BYTES * (layout.sums[sum] + r * COLS + 2 * v)}`;
  const eachSum = (make: (local: string, offset: string) => string) =>
    places.flatMap((place) => sums.map((sum) => make(`$${sum}.${place.r}.${place.v}`, offset(sum, place))));
  const xs = a.flatMap((of) => [0, 1].map((r) => ({ of, r, local: `$x.${of}.${r}` })));
  const ys = b.flatMap((of) => [0, 1].map((v) => ({ of, v, local: `$y.${of}.${v}` })));
  const targets = lines.map((line) => line.split(' = ')[0]);
  const temporaries = targets.filter((name) => !sums.includes(name as Sum)).map((name) => `$${name}`);
  const vectors = [...xs, ...ys].map(({ local }) => local);
  const term = [
    ...xs.map(
      ({ of, r, local }) =>
        `(local.set ${local} (v128.load64_splat offset=${BYTES * (layout.a[of] + r * DEPTH)} (local.get $a)))`,
    ),
    ...ys.map(
      ({ of, v, local }) =>
        `(local.set ${local} (v128.load offset=${BYTES * (layout.b[of] + 2 * v)} align=8 (local.get $b)))`,
    ),
    ...places.flatMap((place) => lines.map((line) => lineAt(step, line, place))),
    advance('$a', bytes(1)),
    advance('$b', bytes(TILE_COLS)),
  ];
  const pairOfRows = [
    ...eachSum((sum, at) => `(local.set ${sum} (v128.load ${at} align=8 (local.get $sums)))`),
    '(local.set $a (local.get $row))',
    '(local.set $b (local.get $column))',
    '(local.set $left (local.get $k))',
    ...repeat('$terms', '$left', term),
    ...eachSum((sum, at) => `(v128.store ${at} align=8 (local.get $sums) (local.get ${sum}))`),
    advance('$row', bytes(TILE_ROWS * DEPTH)),
    advance('$sums', bytes(TILE_ROWS * COLS)),
  ];
  const panel = [
    '(local.set $row (i32.const 0))',
    '(local.set $rowsLeft (local.get $rowPairs))',
    ...repeat('$rows', '$rowsLeft', pairOfRows),
    // Moves from the row after the last of this panel to the first row of the next.
    advance(
      '$sums',
      `(i32.sub ${bytes(TILE_COLS)} (i32.mul (local.get $rowPairs) ${bytes(TILE_ROWS * COLS)}))`,
    ),
    advance('$column', `(i32.mul (local.get $k) ${bytes(TILE_COLS)})`),
  ];
  return [
    `(func (export "${step.name}") (param $rowPairs i32) (param $panels i32) (param $k i32)`,
    ...['$row', '$column', '$sums', '$a', '$b', '$rowsLeft', '$left'].map((local) => `(local ${local} i32)`),
    ...[...temporaries, ...vectors, ...eachSum((sum) => sum)].map((local) => `(local ${local} v128)`),
    ...repeat('$panels', '$panels', panel),
    ')',
  ];
}

/** Returns the text of the module; its kernels share one memory. */
export function exactModuleText(): string {
  const pages = Math.ceil(Math.max(BYTES * SIZE, DIGIT_BYTES) / PAGE);
  return [
    '(module',
    `(memory (export "memory") ${pages})`,
    ...steps.flatMap(kernel),
    ...digitFunctions,
    ')',
  ].join('\n');
}
