/**
 * The kernels of digits as WebAssembly text. Two kernels cut entries into digits of 16 bits. One multiplies digits, eight products an
 * instruction, and adds them up as integers of 32 bits; before these can overflow, it adds them to sums in doubles.
 */

import { advance, repeat } from '../../base/wat.testing.ts';
import { COLS, DEPTH, digitLayout, PLANE_SUMS, TILE_COLS, TILE_ROWS } from './simd-digit-sums.ts';

const VECTORS = TILE_COLS / 4;
/**
 * A number whose addition and subtraction rounds to whole numbers. After the addition, the lowest bits are those of a whole number in
 * two's complement.
 */
const ROUND = 1.5 * 2 ** 52;
const round = `(f64x2.splat (f64.const ${ROUND}))`;

const get = (local: string): string => `(local.get ${local})`;
const set = (local: string, value: string): string => `(local.set ${local} ${value})`;
const locals = (type: string, names: readonly string[]): string[] =>
  names.map((name) => `(local ${name} ${type})`);
const numbered = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${name}${at}`);
const shuffle = (lanes: readonly number[], x: string, y: string): string =>
  `(i8x16.shuffle ${lanes.flatMap((lane) => [2 * lane, 2 * lane + 1]).join(' ')} ${x} ${y})`;
/** Returns the lower halves of two vectors. */
const halves = (x: string, y: string): string => shuffle([0, 1, 2, 3, 8, 9, 10, 11], x, y);

/** Cuts the lowest digit off the entries at `$entries + offset`, times `factor`; the remainders replace them. */
const cut = (offset: number, factor: string, digit: string): string[] => [
  set('$x', `(f64x2.mul (v128.load offset=${offset} ${get('$entries')}) ${factor})`),
  set(
    '$left',
    `(f64x2.sub (f64x2.add (f64x2.mul ${get('$x')} (f64x2.splat ${get('$inverse')})) ${round}) ${round})`,
  ),
  `(v128.store offset=${offset} ${get('$entries')} ${get('$left')})`,
  set(
    digit,
    `(f64x2.add (f64x2.sub ${get('$x')} (f64x2.mul ${get('$left')} (f64x2.splat ${get('$weight')}))) ${round})`,
  ),
];

/**
 * Cuts the lowest digit of a row of A, eight entries at a time, after multiplying them by a factor. The weight is that of the next
 * digit, in units of this one; for the highest digit its inverse is 0.
 */
const cutRow = [
  '(func (export "cutRow") (param $eights i32) (param $to i32) (param $factor f64) (param $inverse f64) (param $weight f64)',
  ...locals('i32', ['$entries']),
  ...locals('v128', ['$x', '$left', ...numbered('$d', 4)]),
  set('$entries', `(i32.const ${digitLayout.entries})`),
  ...repeat('$more', '$eights', [
    ...numbered('$d', 4).flatMap((digit, at) => cut(16 * at, `(f64x2.splat ${get('$factor')})`, digit)),
    `(v128.store ${get('$to')} ${halves(
      shuffle([0, 4, 8, 12, 0, 0, 0, 0], get('$d0'), get('$d1')),
      shuffle([0, 4, 8, 12, 0, 0, 0, 0], get('$d2'), get('$d3')),
    )})`,
    advance('$entries', '(i32.const 64)'),
    advance('$to', '(i32.const 16)'),
  ]),
  ')',
];

const ROW = 8 * COLS;

/** Cuts the lowest digit of two rows of B at a time into panels `stride` bytes apart; factors are those of columns. */
const cutPanels = [
  '(func (export "cutPanels") (param $pairs i32) (param $panels i32) (param $to i32) (param $stride i32)',
  '(param $factors i32) (param $inverse f64) (param $weight f64)',
  ...locals('i32', ['$entries', '$row', '$factor', '$panel', '$panelsLeft']),
  ...locals('v128', ['$x', '$left', ...numbered('$d', 4)]),
  set('$row', `(i32.const ${digitLayout.entries})`),
  ...repeat('$nextPair', '$pairs', [
    set('$entries', get('$row')),
    set('$factor', get('$factors')),
    set('$panel', get('$to')),
    set('$panelsLeft', get('$panels')),
    ...repeat('$nextPanel', '$panelsLeft', [
      ...[0, 1].flatMap((half) => [
        ...[0, 1, 2, 3].flatMap((at) => {
          const across = 32 * half + 16 * (at >> 1);
          return cut(across + ROW * (at & 1), `(v128.load offset=${across} ${get('$factor')})`, `$d${at}`);
        }),
        `(v128.store offset=${16 * half} ${get('$panel')} ${halves(
          shuffle([0, 8, 4, 12, 0, 0, 0, 0], get('$d0'), get('$d1')),
          shuffle([0, 8, 4, 12, 0, 0, 0, 0], get('$d2'), get('$d3')),
        )})`,
      ]),
      advance('$entries', `(i32.const ${8 * TILE_COLS})`),
      advance('$factor', `(i32.const ${8 * TILE_COLS})`),
      advance('$panel', get('$stride')),
    ]),
    advance('$row', `(i32.const ${2 * ROW})`),
    advance('$to', `(i32.const ${4 * TILE_COLS})`),
  ]),
  ')',
];

const places = Array.from({ length: TILE_ROWS * VECTORS }, (_, at) => ({
  r: Math.floor(at / VECTORS),
  v: at % VECTORS,
  sum: `$s${at}`,
}));

const ROW_OF_DIGITS = 2 * DEPTH;
const PAIR_OF_PANEL = 4 * TILE_COLS;
const UPPER = [4, 5, 6, 7, 4, 5, 6, 7];

/** Adds to the sums at `sums` the products of the digits at `a` and `b`, of which `most` pairs cannot overflow 32 bits. */
const digits = [
  '(func (export "digits") (param $tiles i32) (param $panels i32) (param $pairs i32) (param $most i32)',
  '(param $row i32) (param $panel i32) (param $sums i32)',
  ...locals('i32', ['$tilesLeft', '$pairsLeft', '$now', '$a', '$b', '$tile']),
  ...locals('v128', [...places.map(({ sum }) => sum), '$x', ...numbered('$y', VECTORS)]),
  ...repeat('$nextPanel', '$panels', [
    set('$tile', get('$row')),
    set('$tilesLeft', get('$tiles')),
    ...repeat('$nextTile', '$tilesLeft', [
      set('$a', get('$tile')),
      set('$b', get('$panel')),
      set('$pairsLeft', get('$pairs')),
      '(loop $nextChunk',
      set(
        '$now',
        `(select ${get('$most')} ${get('$pairsLeft')} (i32.lt_u ${get('$most')} ${get('$pairsLeft')}))`,
      ),
      set('$pairsLeft', `(i32.sub ${get('$pairsLeft')} ${get('$now')})`),
      ...places.map(({ sum }) => set(sum, '(v128.const i32x4 0 0 0 0)')),
      ...repeat('$nextPairOfTerms', '$now', [
        ...numbered('$y', VECTORS).map((y, v) => set(y, `(v128.load offset=${16 * v} ${get('$b')})`)),
        ...places.flatMap(({ r, v, sum }) => [
          ...(v === 0 ? [set('$x', `(v128.load32_splat offset=${ROW_OF_DIGITS * r} ${get('$a')})`)] : []),
          set(sum, `(i32x4.add ${get(sum)} (i32x4.dot_i16x8_s ${get('$x')} ${get(`$y${v}`)}))`),
        ]),
        advance('$a', '(i32.const 4)'),
        advance('$b', `(i32.const ${PAIR_OF_PANEL})`),
      ]),
      ...places.flatMap(({ r, v, sum }) =>
        [get(sum), shuffle(UPPER, get(sum), get(sum))].map((half, at) => {
          const offset = `offset=${8 * (r * COLS + 4 * v + 2 * at)}`;
          const before = `(v128.load ${offset} ${get('$sums')})`;
          return `(v128.store ${offset} ${get('$sums')} (f64x2.add ${before} (f64x2.convert_low_i32x4_s ${half})))`;
        }),
      ),
      `(br_if $nextChunk ${get('$pairsLeft')})`,
      ')',
      advance('$tile', `(i32.const ${TILE_ROWS * ROW_OF_DIGITS})`),
      advance('$sums', `(i32.const ${8 * TILE_ROWS * COLS})`),
    ]),
    // Moves from the row after the last of this panel to the first row of the next.
    advance(
      '$sums',
      `(i32.sub (i32.const ${8 * TILE_COLS}) (i32.mul ${get('$tiles')} (i32.const ${8 * TILE_ROWS * COLS})))`,
    ),
    advance('$panel', `(i32.mul ${get('$pairs')} (i32.const ${PAIR_OF_PANEL}))`),
  ]),
  ')',
];

const vector = (x: string): string => `(f64x2.splat ${x})`;
const [add, sub, mul] = ['add', 'sub', 'mul'].map(
  (name) => (x: string, y: string) => `(f64x2.${name} ${x} ${y})`,
);

/**
 * Rounds a row of sums at `at`, like `roundDigitSums`, two columns at a time. Returns 1 if one of them is in doubt. The sums of the next
 * weight lie a plane further on.
 */
const roundRow = [
  '(func (export "roundRow") (param $pairs i32) (param $at i32) (param $last i32) (param $half i32)',
  '(param $base f64) (param $middleWeight f64) (param $highWeight f64) (param $unit f64) (result i32)',
  ...locals('i32', ['$line', '$sum', '$d']),
  ...locals('f64', ['$inverse']),
  ...locals('v128', ['$x', '$carry', '$word', '$weight', '$l', '$m', '$h', '$s', '$e', '$t', '$f']),
  ...locals('v128', ['$z', '$value', '$low', '$reach', '$doubt']),
  set('$inverse', `(f64.div (f64.const 1) ${get('$base')})`),
  ...repeat('$more', '$pairs', [
    set('$sum', get('$at')),
    set('$d', '(i32.const 0)'),
    ...['$carry', '$word', '$l', '$m'].map((local) => set(local, vector('(f64.const 0)'))),
    set('$weight', vector('(f64.const 1)')),
    '(block $gathered (loop $next',
    `(br_if $gathered (i32.eq ${get('$d')} ${get('$last')}))`,
    `(if (i32.eq ${get('$d')} ${get('$half')}) (then`,
    set('$l', get('$word')),
    set('$word', vector('(f64.const 0)')),
    set('$weight', vector('(f64.const 1)')),
    '))',
    set('$x', add(`(v128.load ${get('$sum')})`, get('$carry'))),
    set('$carry', sub(add(mul(get('$x'), vector(get('$inverse'))), round), round)),
    set(
      '$word',
      add(get('$word'), mul(sub(get('$x'), mul(get('$carry'), vector(get('$base')))), get('$weight'))),
    ),
    set('$weight', mul(get('$weight'), vector(get('$base')))),
    advance('$sum', `(i32.const ${PLANE_SUMS})`),
    advance('$d', '(i32.const 1)'),
    '(br $next)))',
    `(if (i32.eq ${get('$last')} ${get('$half')}) (then ${set('$l', get('$word'))})`,
    `(else ${set('$m', mul(get('$word'), vector(get('$middleWeight'))))}))`,
    set('$h', mul(add(`(v128.load ${get('$sum')})`, get('$carry')), vector(get('$highWeight')))),
    set('$s', add(get('$h'), get('$m'))),
    set('$e', sub(get('$m'), sub(get('$s'), get('$h')))),
    set('$t', add(get('$e'), get('$l'))),
    set('$z', sub(get('$t'), get('$e'))),
    set('$f', add(sub(get('$e'), sub(get('$t'), get('$z'))), sub(get('$l'), get('$z')))),
    set('$value', add(get('$s'), get('$t'))),
    set('$low', sub(get('$t'), sub(get('$value'), get('$s')))),
    set(
      '$reach',
      `(v128.and ${add(
        mul(`(f64x2.abs ${get('$f')})`, vector(`(f64.const ${1 + 2 ** -50})`)),
        mul(`(f64x2.abs ${get('$low')})`, vector(`(f64.const ${2 ** -51})`)),
      )} (f64x2.ne ${get('$f')} ${vector('(f64.const 0)')}))`,
    ),
    ...[add, sub].map((move) =>
      set(
        '$doubt',
        `(v128.or ${get('$doubt')} (f64x2.ne ${get('$value')} ${add(
          get('$value'),
          move(get('$low'), get('$reach')),
        )}))`,
      ),
    ),
    set('$x', mul(vector(get('$unit')), `(v128.load offset=${digitLayout.units} ${get('$line')})`)),
    `(v128.store offset=${digitLayout.value} ${get('$line')} ${mul(get('$value'), get('$x'))})`,
    `(v128.store offset=${digitLayout.low} ${get('$line')} ${mul(add(get('$low'), get('$f')), get('$x'))})`,
    advance('$line', '(i32.const 16)'),
    advance('$at', '(i32.const 16)'),
  ]),
  `(v128.any_true ${get('$doubt')})`,
  ')',
];

/** The functions of the module. */
export const digitFunctions: readonly string[] = [...cutRow, ...cutPanels, ...digits, ...roundRow];
