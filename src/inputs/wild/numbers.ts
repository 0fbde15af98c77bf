import { pickRandom, type Random } from '../../base/random.ts';
import { exp2 } from '../exp2.ts';
import { drawPower } from './table.ts';

/** Returns numbers one after the other, independent of each other. */
export type NumberSource = () => number;

/** A kind of numbers. Its open parameters, such as range and digits, are drawn once. */
type Kind = (random: Random) => NumberSource;

/** Most decimal places. */
const DIGITS = 4;

const kinds: readonly Kind[] = [
  (random) => {
    const [low, width] = [pickRandom(random, [0, -1, random.uniform(-3, 3)]), drawPower(random, -3, 3)];
    return () => low + width * random.uniform01();
  },
  (random) => {
    const mean = pickRandom(random, [0, 0, random.uniform(-3, 3), random.sign() * drawPower(random, 2, 8)]);
    return () => mean + random.normal();
  },
  (random) => {
    const binades = drawPower(random, -2, 2);
    const signs = random.int(0, 1);
    return () => (signs === 0 ? 1 : random.sign()) * exp2(binades * random.normal());
  },
  // Heavy tails.
  (random) => () => random.normal() * random.normal() * random.normal(),
  (random) => {
    const [low, width] = [
      pickRandom(random, [0, 1, -random.int(1, 300)]),
      Math.round(drawPower(random, 0, 10)),
    ];
    return () => random.int(low, low + width);
  },
  (random) => {
    const unit = 10 ** random.int(1, DIGITS);
    const [mean, spread] = [pickRandom(random, [0, drawPower(random, -3, 7)]), drawPower(random, -3, 7)];
    return () => Math.round((mean + spread * random.normal()) * unit) / unit;
  },
  (random) => {
    const step = drawPower(random, -9, 0);
    return () => step * Math.round(random.normal() / step);
  },
  (random) => {
    const few = Array.from({ length: random.int(2, 9) }, () => random.normal());
    return () => pickRandom(random, few);
  },
  (random) => {
    const share = random.uniform01();
    return () => Number(random.uniform01() < share);
  },
  (random) => () => random.sign(),
  (random) => {
    const [least, most] = [-random.int(0, 8), random.int(0, 8)];
    const signs = random.int(0, 1);
    return () => (signs === 0 ? 1 : random.sign()) * 2 ** random.int(least, most);
  },
  // Counts of words, few of which are frequent.
  (random) => {
    const most = random.int(2, 2000);
    return () => Math.min(most, Math.floor(1 / (random.uniform01() + 2 ** -24)) - 1);
  },
  // As fine as the format: sums of uniform numbers are not.
  (random) => () => random.uniform(-1, 1) * (1 + random.uniform01() / 3),
  (random) => {
    const one = random.normal();
    return () => one;
  },
];

export const drawNumberSource = (random: Random): NumberSource => pickRandom(random, kinds)(random);
