import { space, textOf, workOf } from './case-readings.ts';

/** Returns numbers of Weyl's sequence, mixed as splitmix32 does: a separate stream, independent of changes to inputs. */
function stream(seed: number): (count: number) => number {
  let state = seed >>> 0;
  return (count) => {
    state = (state + 0x9e3779b9) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return Math.floor((((z ^ (z >>> 15)) >>> 0) / 2 ** 32) * count);
  };
}

type Draw = ReturnType<typeof stream>;
const pick = <T>(draw: Draw, from: readonly T[]): T => from[draw(from.length)];

/** Sides of tiles and blocks with their neighbors, and primes. */
const EDGES = [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129];
const PRIMES = [11, 13, 19, 23, 29, 37, 41, 53, 61, 71, 83, 97, 101, 113, 127];
/** The shares of levels: three levels take twenty times as long as none. */
const LEVELS = [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3];
/** Factors alpha and beta: none, one, a changed sign, a power of two, and numbers that round. */
const FACTORS = [0, 1, -1, 0.5, 3, Math.fround(1.1), Math.fround(-0.7)];
/** Most multiplications of a case: 32³; in precisions of two words 20³, since a multiplication in pairs takes ten times as long. */
const MOST_WORK = { ofSingles: 32_768, ofDoubles: 8000 };

const sides: readonly ((draw: Draw) => number)[] = [
  (draw) => 1 + draw(12),
  (draw) => 1 + draw(40),
  (draw) => 1 + draw(40),
  (draw) => pick(draw, EDGES),
  (draw) => pick(draw, PRIMES),
];

/** Draws a shape: square, free, thin (one side of at most three), or fat (one side beyond forty). */
function shape(draw: Draw): { m: number; k: number; n: number } {
  const side = () => pick(draw, sides)(draw);
  const [m, k, n] = [side(), side(), side()];
  const kind = draw(6);
  if (kind < 2) return { m, k: m, n: m };
  if (kind > 3) return { m, k, n };
  const odd = kind === 2 ? 1 + draw(3) : 41 + draw(90);
  return { m, k, n, [pick(draw, ['m', 'k', 'n'])]: odd };
}

/** Functions that draw the argument of an edit. Those of rows and columns fit most shapes. */
const ARGUMENTS: Readonly<Record<string, (draw: Draw) => string>> = {
  spread: (draw) => `:${1 + draw(40)}`,
  cancel: (draw) => `:${1 + draw(20)}`,
  special: (draw) => `:${1 + draw(4)}`,
  'zero-rows': (draw) => `:${draw(3)}`,
  'zero-columns': (draw) => `:${draw(3)}-${3 + draw(3)}`,
  'zero-inner': (draw) => `:${draw(5)}`,
};

function edits(draw: Draw): string | undefined {
  const chosen = Array.from({ length: Math.max(0, draw(6) - 3) }, () => pick(draw, space.edits));
  return chosen.map((edit) => edit + (ARGUMENTS[edit]?.(draw) ?? '')).join() || undefined;
}

/** Draws a case of a kernel; undefined where an input refuses its shape, a kernel refuses its levels, or it is too much work. */
function drawn(draw: Draw, kernel: string): string | undefined {
  const isScaled = space.canScale(kernel) && draw(3) === 0;
  const among = space.canBeWide(kernel)
    ? space.precisions
    : space.precisions.filter((name) => !space.isWide(name));
  const precision = isScaled || draw(2) === 0 ? 'f32' : pick(draw, among);
  const text = textOf({
    kernel,
    levels: pick(draw, LEVELS),
    fringe: isScaled ? 'pad' : pick(draw, space.fringes),
    tail: isScaled ? 'mask' : pick(draw, space.tails),
    input: pick(draw, space.inputs),
    ...shape(draw),
    seed: 1 + draw(2 ** 32 - 1),
    init: draw(8) === 0 ? pick(draw, ['f32', 'f64'] as const) : undefined,
    precision,
    edit: edits(draw),
    ...(isScaled ? { alpha: pick(draw, FACTORS), beta: pick(draw, FACTORS) } : {}),
  });
  const work = workOf(text);
  const most = space.isWide(precision) ? MOST_WORK.ofDoubles : MOST_WORK.ofSingles;
  return work !== undefined && work <= most ? text : undefined;
}

/** Draws so many different cases. Every kernel takes a turn, and between them the ways of executing an algorithm take turns. */
export function drawCases(count: number, seed: number): string[] {
  const draw = stream(seed);
  const texts = new Set<string>();
  for (let turn = 0; texts.size < count; turn++) {
    const from = turn % 2 === 0 ? space.kernels : space.ways;
    const kernel = from[(turn >> 1) % from.length];
    let text: string | undefined;
    while (text === undefined) text = drawn(draw, kernel);
    texts.add(text);
  }
  return [...texts];
}
