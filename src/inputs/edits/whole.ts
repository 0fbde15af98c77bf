import { singlePrecision } from '../../precision/single.ts';
import type { EditKind } from './edit.ts';

/** Number of binades above 1 in which entries of families may lie. */
const ABOVE = 4;
const BINADES = 16;

/** Edit that detects kernels that compute whole numbers in integers: sums of two products are beyond 2³¹. */
export const whole: EditKind = {
  name: 'whole',
  what: `Entries are multiplied by 2^${BINADES} and truncated to whole numbers.`,
  takes: undefined,
  read: () => ({
    text: 'whole',
    traits: (before) => ({
      ...before,
      exactness: 'none',
      reach: { entries: before.reach.entries + BINADES, sums: before.reach.sums + 2 * BINADES },
    }),
    accepts: ({ precision = singlePrecision }) =>
      precision.multiplied.maxFinite >= 2 ** (BINADES + ABOVE)
        ? { ok: true }
        : { ok: false, reason: `entries of 2^${BINADES} are beyond ${precision.name}` },
    apply({ a, b }, { stored }) {
      for (const { data } of [a, b])
        for (let at = 0; at < data.length; at++) data[at] = stored.round(Math.trunc(data[at] * 2 ** BINADES));
    },
  }),
};
