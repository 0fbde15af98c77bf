import { type EditKind, wholeBetween } from './edit.ts';

const MOST = 24;

/**
 * Edit that pairs up inner indices p, q at random. Column q of A becomes the negative of column p. Row q of B becomes (1 − r·2^-x) times
 * row p, with r uniform on [½, 1] for each entry. The two terms of a pair then cancel but for about 2^-x of their size. The condition
 * number of each dot product is near 2^x (or less, where k is odd).
 */
export const cancel: EditKind = {
  name: 'cancel',
  what: 'Terms of each sum cancel in pairs, up to about 2^-x of their magnitude.',
  takes: `a whole number from 1 to ${MOST}`,
  read(argument) {
    const bits = wholeBetween(argument, 1, MOST);
    if (bits === undefined) return undefined;
    return {
      text: `cancel:${bits}`,
      traits: (before) => ({ ...before, exactness: 'none' }),
      accepts: ({ k }) => (k >= 2 ? { ok: true } : { ok: false, reason: 'canceling terms need k ≥ 2' }),
      apply({ a, b }, { random, stored }) {
        const order = random.permutation(a.cols);
        for (let at = 0; at + 1 < order.length; at += 2) {
          const [p, q] = [order[at], order[at + 1]];
          for (let i = 0; i < a.rows; i++) a.data[i * a.cols + q] = -a.data[i * a.cols + p];
          for (let j = 0; j < b.cols; j++) {
            const factor = 1 - random.uniform(0.5, 1) * 2 ** -bits;
            b.data[q * b.cols + j] = stored.round(b.data[p * b.cols + j] * factor);
          }
        }
      },
    };
  },
};
