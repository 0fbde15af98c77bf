import { describe, expect, test } from 'vitest';
import { inShort } from '../src/base/in-short.testing.ts';
import { createRandom } from '../src/base/random.ts';
import { judgeProduct } from '../src/evidence/judge-product.ts';
import { matrix } from '../src/matrix/dense.ts';
import { precisions } from '../src/precision/precisions.ts';
import { product, type Rows } from './any-order-kernels.ts';

/**
 * The law: no fast product exceeds the bound of its claimed fringe, in any order of adding blocks and products, and with its levels written
 * out as one or not. And the bound is not vacuous.
 *
 * Why: the bound is derived node by node from the absolute values of terms. A forgotten term would show first in few bits.
 */
const SIZE = 16;
/** The largest ratio of the bound to the worst error of a few products, by levels. */
const MOST = { strassen: [100, 250], winograd: [100, 300] } as const;

const asked = (['strassen', 'winograd'] as const).flatMap((algorithm) =>
  [1, 2].flatMap((levels) =>
    ['f16', 'f32', 'bf16-f32', 'f64'].map((precision) => ({ algorithm, levels, precision })),
  ),
);

describe.each(inShort(asked, 5))(
  '$algorithm, $levels levels, in $precision',
  ({ algorithm, levels, precision: name }) => {
    const precision = precisions.find(name);
    const { a, accumulated, multiplied } = precision;
    const operand = multiplied === a ? (x: number) => x : multiplied.round;

    test.each([
      [-1, 1],
      [2, 5],
      [-1, 0.01],
    ])('entries from %f to %f', (least, most) => {
      const random = createRandom(levels, 77, 'fine');
      const claims = { algorithm, levels, recursion: { fringe: 'static-pad' } } as const;
      const draw = (): Rows =>
        Array.from({ length: SIZE }, () =>
          Array.from({ length: SIZE }, () => a.round(random.uniform(least, most) * 2 ** random.int(-2, 0))),
        );
      const flat = (x: Rows) =>
        matrix(SIZE, SIZE, a.precision > 24 ? Float64Array.from(x.flat()) : Float32Array.from(x.flat()));
      let used = 0;
      for (let run = 0; run < 8; run++) {
        const [x, y] = [draw(), draw()];
        const c = product(x, y, claims, { random, round: accumulated.round, operand });
        const found = judgeProduct(flat(c), flat(x), flat(y), { precision: name, claims, sigmas: 6 });
        expect(found.verdict).not.toBe('fail');
        used = Math.max(used, found.boundUsed);
      }
      expect(used).toBeLessThan(1);
      expect(used).toBeGreaterThan(1 / MOST[algorithm][levels - 1]);
    });
  },
);
