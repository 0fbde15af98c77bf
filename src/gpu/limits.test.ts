import { expect, test } from 'vitest';
import type { ParanoiaError } from '../base/errors.ts';
import { inShort } from '../base/in-short.testing.ts';
import { builtinPlan } from '../kernels/builtin-plan.ts';
import type { Shape } from '../matrix/dense.ts';
import { binary64 } from '../precision/wgsl/f64.ts';
import { single } from '../precision/wgsl/numeric.ts';
import { fringes, tails } from '../problem/method.ts';
import { checkLimits, isWithinLimits } from './limits.ts';
import type { GpuLimits } from './web-gpu.ts';

const within = (bytes: number) => ({
  limits: { maxStorageBufferBindingSize: bytes, maxBufferSize: bytes } as GpuLimits,
});

const kernels = ['classical:naive', 'strassen:register', 'strassen:fused'];
const manners = kernels.flatMap((kernel) =>
  [0, 2].flatMap((levels) =>
    fringes.flatMap((fringe) => tails.map((tail) => ({ kernel, levels, fringe, tail }))),
  ),
);

test.each(inShort([6_000, 50_003], 2))(
  'of %d bytes, square products fit up to the size that is said',
  (bytes) => {
    const open = within(bytes);
    let said = 0;
    for (const { kernel, ...manner } of inShort(manners, 3)) {
      const { fringe } = manner;
      for (const numeric of fringe === 'pad' ? [single] : [single, binary64]) {
        const planFor = (shape: Shape) => builtinPlan(kernel, shape, manner);
        const square = (n: number) => planFor({ m: n, k: n, n });
        const refused = refusal(() => checkLimits(open, square(200), numeric, kernel, planFor));
        const [, text, unit = '1'] =
          /: square products fit up to n = (\d+)(?:, in multiples of (\d+))?\.$/.exec(refused) ?? [];
        if (text === undefined) {
          // The padded blocks and guards of even one entry do not fit.
          expect(isWithinLimits(open, square(2 ** manner.levels), numeric)).toBe(false);
          continue;
        }
        const size = Number(text);
        expect(isWithinLimits(open, square(size), numeric)).toBe(true);
        for (let more = 1; more <= 3; more++) {
          expect(isWithinLimits(open, square(size + more * Number(unit)), numeric)).toBe(false);
        }
        said++;
      }
    }
    expect(said).toBeGreaterThan(manners.length / 4);
  },
);

function refusal(work: () => void): string {
  try {
    work();
  } catch (error) {
    return (error as ParanoiaError).message;
  }
  throw new Error('It was not refused.');
}
