/**
 * Products of blocks as WebAssembly text. A kernel computes the result in tiles, whose sums stay in registers along k. Every entry has
 * its own lane, in which it is summed sequentially over k, like the loops in TypeScript: the bits are the same. `npm run wasm` assembles
 * it.
 */
import { advance, repeat } from '../../base/wat.testing.ts';
import { DEPTH, LINE, places, SIZE, TILE, VECTOR } from '../add-product.ts';

const PAGE = 65536;

/** The operations that add one more product to an entry of the result. `sum`, `x` and `y` are vectors; other names are temporaries. */
interface Step {
  readonly name: string;
  readonly type: 'f32x4' | 'f64x2';
  /** The bytes of an entry. */
  readonly bytes: 4 | 8;
  readonly lines: readonly (readonly [target: string, expression: string])[];
}

const steps: readonly Step[] = [
  {
    name: 'single',
    type: 'f32x4',
    bytes: 4,
    lines: [['sum', '(f32x4.add $sum (f32x4.mul $x $y))']],
  },
  {
    name: 'double',
    type: 'f64x2',
    bytes: 8,
    lines: [['sum', '(f64x2.add $sum (f64x2.mul $x $y))']],
  },
  // binary32 values in doubles: their products are exact, and the sum, rounded to odd in 53 bits, is rounded to 24 as if it
  // had been rounded once (S. Boldo, G. Melquiond: Emulation of FMA and correctly rounded sums, IEEE TC 57(4), 2008).
  {
    name: 'fused',
    type: 'f64x2',
    bytes: 8,
    lines: [
      ['p', '(f64x2.mul $x $y)'],
      ['s', '(f64x2.add $sum $p)'],
      ['z', '(f64x2.sub $s $sum)'],
      ['lost', '(f64x2.add (f64x2.sub $sum (f64x2.sub $s $z)) (f64x2.sub $p $z))'],
      ['toZero', '(i64x2.add $s (i64x2.shr_s (v128.xor $s $lost) (i32.const 63)))'],
      ['odd', '(v128.or $toZero (v128.const i64x2 1 1))'],
      ['isLost', '(f64x2.gt (f64x2.abs $lost) (v128.const f64x2 0 0))'],
      ['sum', '(f64x2.promote_low_f32x4 (f32x4.demote_f64x2_zero (v128.bitselect $odd $s $isLost)))'],
    ],
  },
];

/** The place of a row and a vector in the tile. */
interface Place {
  readonly r: number;
  readonly v: number;
}

const tile: readonly Place[] = Array.from({ length: TILE.rows * TILE.vectors }, (_, at) => ({
  r: Math.floor(at / TILE.vectors),
  v: at % TILE.vectors,
}));

const get = (name: string) => `(local.get $${name})`;
const set = (name: string, value: string) => `(local.set $${name} ${value})`;
const constant = (value: number) => `(i32.const ${value})`;
const sumAt = ({ r, v }: Place) => `sum.${r}.${v}`;

/** Returns the lines of a step for one place of the tile. */
function stepAt({ lines }: Step, place: Place): string[] {
  const own = (name: string) =>
    name === 'sum' ? sumAt(place) : name === 'x' ? `x.${place.r}` : name === 'y' ? `y.${place.v}` : name;
  return lines.map(([target, expression]) =>
    set(
      own(target),
      expression.replace(/\$(\w+)/g, (_, name: string) => get(own(name))),
    ),
  );
}

/** Returns a function of tiles of rows, tiles of columns and the terms k to add, each at least 1. */
function kernel(step: Step): string[] {
  const { name, bytes } = step;
  const offset = ({ r, v }: Place) => `offset=${bytes * (places.out + r * LINE) + VECTOR * v}`;
  const [rows, vectors] = [TILE.rows, TILE.vectors].map((count) =>
    Array.from({ length: count }, (_, i) => i),
  );
  const term = [
    ...rows.map((r) =>
      set(`x.${r}`, `(v128.load${8 * bytes}_splat offset=${bytes * (places.a + r * DEPTH)} ${get('a')})`),
    ),
    ...vectors.map((v) =>
      set(`y.${v}`, `(v128.load offset=${bytes * places.b + VECTOR * v} align=8 ${get('b')})`),
    ),
    ...tile.flatMap((place) => stepAt(step, place)),
    advance('$a', constant(bytes)),
    advance('$b', constant(bytes * LINE)),
  ];
  const tileOfRows = [
    ...tile.map((place) => set(sumAt(place), `(v128.load ${offset(place)} align=8 ${get('out')})`)),
    ...[set('a', get('row')), set('b', get('column')), set('left', get('k'))],
    ...repeat('$terms', '$left', term),
    ...tile.map((place) => `(v128.store ${offset(place)} align=8 ${get('out')} ${get(sumAt(place))})`),
    advance('$row', constant(bytes * TILE.rows * DEPTH)),
    advance('$out', constant(bytes * TILE.rows * LINE)),
  ];
  const tileOfColumns = [
    ...[set('row', constant(0)), set('out', get('column')), set('rowsLeft', get('rowTiles'))],
    ...repeat('$rows', '$rowsLeft', tileOfRows),
    advance('$column', constant(VECTOR * TILE.vectors)),
  ];
  const temporaries = step.lines.map(([target]) => target).filter((target) => target !== 'sum');
  const wide = [
    ...temporaries,
    ...rows.map((r) => `x.${r}`),
    ...vectors.map((v) => `y.${v}`),
    ...tile.map(sumAt),
  ];
  return [
    `(func (export "${name}") (param $rowTiles i32) (param $colTiles i32) (param $k i32)`,
    ...['row', 'column', 'out', 'a', 'b', 'rowsLeft', 'left'].map((local) => `(local $${local} i32)`),
    ...wide.map((local) => `(local $${local} v128)`),
    ...repeat('$columns', '$colTiles', tileOfColumns),
    ')',
  ];
}

/** Returns the text of the module, with memory for {@link SIZE} doubles. */
export function blocksModuleText(): string {
  const pages = Math.ceil((8 * SIZE) / PAGE);
  return ['(module', `(memory (export "memory") ${pages})`, ...steps.flatMap(kernel), ')'].join('\n');
}
