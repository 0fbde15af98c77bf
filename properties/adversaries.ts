import type { Random } from '../src/base/random.ts';
import { type InputFamily, inputFamily } from '../src/inputs/input.ts';

/** Makes a family whose entries depend on their place and two random constants, so that rounding errors add up and do not cancel. */
function adversary(
  name: string,
  what: string,
  entry: (t: number, across: number, one: number, random: Random) => number,
): InputFamily {
  return inputFamily({
    name,
    what,
    catches: 'Bounds that count on errors of both signs.',
    statistics: 'structured',
    exactness: 'none',
    make: ({ m, k, n, random, fill }) => {
      const [ra, rb] = [random(1), random(2)];
      const [one, other] = [ra.uniform(0.5, 1), rb.uniform(0.5, 1)];
      return {
        a: fill(m, k, (i, t) => entry(t, i, one, ra)),
        b: fill(k, n, (t, j) => entry(t, j, other, rb)),
      };
    },
  });
}

/** Sums of A's entries fall on both sides of the smallest normal number, and B lifts what is lost there. */
const nearUnderflow = inputFamily({
  name: 'near-underflow',
  what: 'Entries of A around the smallest normal number, large ones of B.',
  catches: 'Bounds that forget what flushing loses in sums.',
  statistics: 'structured',
  exactness: 'none',
  reach: { entries: 40, sums: 55 },
  make: ({ m, k, n, precision, random, fill }) => {
    const [ra, rb] = [random(1), random(2)];
    return {
      a: fill(m, k, () => ra.uniform(-2, 2) * precision.a.minNormal),
      b: fill(k, n, () => rb.uniform(0.5, 1) * 2 ** 40),
      hasSubnormals: true,
    };
  },
});

/** Matrices that make rounding errors add up, or lose bits that other matrices keep. */
export const adversaries: readonly InputFamily[] = [
  adversary('constant', 'All entries of a matrix alike.', (_t, _across, one) => one),
  adversary('alternating', 'One magnitude, its sign alternating along k in B and A alike.', (t, _, one) =>
    t % 2 === 0 ? one : -one,
  ),
  adversary('checkered', 'One magnitude, its sign alternating both ways.', (t, across, one) =>
    (t + across) % 2 === 0 ? one : -one,
  ),
  adversary('stagnating', 'One large term, then terms that vanish against it.', (t, _, one) =>
    t === 0 ? 1 : one * 2 ** -12,
  ),
  adversary('one-sign', 'Random positive entries.', (_t, _across, _one, random) => random.uniform(0.5, 1)),
  adversary('last-bits', 'Entries one or a few last bits above 1.', (_t, _across, _one, random) => {
    return 1 + random.int(0, 3) * 2 ** -23;
  }),
  nearUnderflow,
  adversary('falling', 'Terms that fall by a factor each.', (t, _, one) => one * 1.5 ** -t),
];
