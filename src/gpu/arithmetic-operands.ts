import { createRandom } from '../base/random.ts';
import type { Format } from '../precision/format.ts';

type Triple = readonly [number, number, number];

/** Returns operands of +, × and fma that distinguish a format's possible arithmetics: a, b, c and a blank for each case. */
export function arithmeticOperands(format: Format): Float32Array {
  const values: number[] = [];
  const put = ([a, b, c]: Triple): void => {
    for (const s of [1, -1]) for (const t of [1, -1]) values.push(s * a, t * b, c, 0, s * a, t * b, -c, 0);
  };
  directed(format).forEach(put);
  random(format).forEach(put);
  return Float32Array.from(values, format.round);
}

function directed({ precision: p, minNormal, minSubnormal, maxFinite }: Format): readonly Triple[] {
  const ulp = 2 ** (1 - p);
  const [narrow, wide] = [2 ** -Math.floor(p / 2), 2 ** -Math.ceil(p / 2)];
  // factors of the smallest normal number, of the smallest subnormal one, and of a number just too large
  const root = Math.sqrt(minNormal);
  const small = 2 ** Math.floor(Math.log2(minSubnormal) / 2);
  const large = 2 / root;
  const last = maxFinite * (ulp / (2 - ulp));
  const { POSITIVE_INFINITY: infinity, NaN: nan } = Number;
  return [
    [1, 1, 1], // first: 1 + 1 tells whether the device computes at all
    [0, 0, 0],
    [1, ulp / 2, ulp],
    [1 + ulp, ulp / 2, 1],
    [1 + ulp, 1 + ulp, 1],
    [1 + ulp, 1 - ulp / 2, 1],
    // the exact fma lies just off a midpoint, on which a double sum may fall
    [1 + narrow, 1 + wide, Math.max(2 ** -70, minSubnormal)],
    [1 / narrow + 1, 1 / wide + 1, Math.max(2 ** -60, minSubnormal)],
    [Math.max(2 ** -40, small), Math.max(2 ** -40, small), 1 + ulp],
    // around the smallest normal number, from above, at it and below, as operand, product and fma
    [minNormal, 1, minSubnormal],
    [minNormal, 1 - ulp / 2, minNormal],
    [root * (1 - ulp), root * (1 + ulp), 0],
    [root * (1 - ulp / 2), root, 0],
    [root * (1 - ulp / 2), root * (1 + ulp), 0],
    [root * (1 - wide / 2), root * (1 + wide / 2), 0],
    [root * (1 - wide), root * (1 + wide), 0],
    [root / 2, root, minNormal / 2],
    [small, minSubnormal / small, minNormal],
    [small / 2, small / 2, 0],
    [small / 2, small / 2, minNormal],
    [minSubnormal, 1, 0],
    [minSubnormal, 1 / ulp, minNormal],
    [minSubnormal, large, 1],
    [minNormal / 2, minNormal / 2, minNormal / 2],
    [minNormal / 2, 2, minNormal / 2],
    [(3 * minNormal) / 4, 1.5, minNormal / 4],
    [minNormal, 1.5 * minNormal, minNormal],
    // around the largest finite number, and beyond it
    [maxFinite, last / 4, last / 2],
    [maxFinite, last / 2, maxFinite],
    [maxFinite, 1, last / 2],
    [maxFinite, 1 + ulp, last],
    [large, large, maxFinite],
    [large, large, infinity],
    [large * (1 - wide), large * (1 + wide), large],
    [infinity, 1, 0],
    [infinity, 0, 1],
    [infinity, infinity, infinity],
    [nan, 1, 1],
    [1, 1, nan],
  ];
}

/** Draws operands of usual size, operands and products near the smallest normal number, and subnormal operands. */
function random({ precision, minNormal, round }: Format): readonly Triple[] {
  const draw = createRandom(0x9e3779b9);
  const least = Math.log2(minNormal);
  const usual = Math.min(30, Math.floor((-3 * least) / 7));
  const near = Math.min(12, precision >> 1);
  const number = (low: number, high: number): number =>
    round((1 + draw.uniform01()) * 2 ** Math.floor(draw.uniform(low, high)));
  const half = () => number(least / 2 - near, least / 2 + near);
  const tiny = () => number(least - 1, least + 6);
  return Array.from({ length: 300 }, (): Triple[] => {
    const [a, b] = [number(-usual, usual), number(-usual, usual)];
    return [
      [a, b, number(-usual - 6, usual + 6)],
      [a, b, a * b],
      [half(), half(), tiny()],
      [tiny(), tiny(), number(least, least + 1)],
      [number(least, least + 1), number(-5, 5), number(least + 1 - precision, least)],
    ];
  }).flat();
}
