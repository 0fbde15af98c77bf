import type { Random } from '../../base/random.ts';
import { singlePrecision } from '../../precision/single.ts';
import { type EditKind, wholeBetween } from './edit.ts';

const MOST = 400;
/** Number of binades below 1 in which entries of families may lie. They stay normal after the division. */
const GRAIN = 24;
/** Least and most bands of k. */
const BANDS = [2, 5] as const;

/**
 * Edit that keeps the product. A kernel with one scale for a whole matrix loses the small columns of A, or the small rows of B, though
 * their terms are as large as all others.
 */
export const farBands: EditKind = {
  name: 'far-bands',
  what: 'Bands of columns of A are multiplied by 2^x or divided by it in turn; the matching rows of B inversely.',
  takes: `a whole number from 1 to ${MOST}`,
  read(argument) {
    const power = wholeBetween(argument, 1, MOST);
    if (power === undefined) return undefined;
    return {
      text: `far-bands:${power}`,
      traits: (before) => ({
        ...before,
        reach: { ...before.reach, entries: before.reach.entries + power },
        hasUnits: true,
      }),
      accepts: ({ precision = singlePrecision, levels = 0 }) => {
        if (levels > 0)
          return { ok: false, reason: 'recursion adds rows or columns of different magnitudes' };
        return 2 ** (-power - GRAIN) >= precision.multiplied.minNormal
          ? { ok: true }
          : { ok: false, reason: `entries of 2^-${power + GRAIN} are not normal in ${precision.name}` };
      },
      apply({ a, b }, { shared, stored }) {
        const signs = signsOfBands(a.cols, shared);
        for (let at = 0; at < a.data.length; at++)
          a.data[at] = stored.round(a.data[at] * 2 ** (signs[at % a.cols] * power));
        for (let at = 0; at < b.data.length; at++)
          b.data[at] = stored.round(b.data[at] * 2 ** (-signs[Math.floor(at / b.cols)] * power));
      },
    };
  },
};

/** Returns the sign of the band of each index of k. The cuts of bands are drawn, and the signs alternate. */
function signsOfBands(k: number, random: Random): number[] {
  const cuts = Array.from({ length: random.int(BANDS[0] - 1, BANDS[1] - 1) }, () =>
    random.int(1, Math.max(1, k - 1)),
  );
  const ends = [...new Set(cuts)].sort((x, y) => x - y);
  const first = random.sign();
  return Array.from({ length: k }, (_, p) => first * (-1) ** ends.filter((end) => end <= p).length);
}
