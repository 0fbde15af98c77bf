import { type EditKind, wholeBetween } from './edit.ts';

const MOST = 60;

/**
 * Edit that multiplies every entry by its own 2^e, e uniform from −argument to +argument. Random statistics stay random: the factors are
 * independent, as those of `wide-exponents` are.
 */
export const spread: EditKind = {
  name: 'spread',
  what: 'Every entry is multiplied by 2^e, e at random from −x to +x.',
  takes: `a whole number from 1 to ${MOST}`,
  read(argument) {
    const most = wholeBetween(argument, 1, MOST);
    if (most === undefined) return undefined;
    return {
      text: `spread:${most}`,
      traits: (before) => ({
        ...before,
        exactness: 'none',
        reach: { entries: before.reach.entries + most, sums: before.reach.sums + 2 * most },
      }),
      apply({ a, b }, { random, stored }) {
        for (const { data } of [a, b]) {
          for (let at = 0; at < data.length; at++) {
            data[at] = stored.round(data[at] * 2 ** random.int(-most, most));
          }
        }
      },
    };
  },
};
