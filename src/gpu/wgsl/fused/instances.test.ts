import { expect, it } from 'vitest';
import { PRODUCT } from '../../../plan/plan.ts';
import { single } from '../../../precision/wgsl/numeric.ts';
import { finishFunction } from '../leaves/epilogue.ts';

/**
 * Seen on an H200: fma(−0.7, 0, 0) became the product, −0, and fma(1/3, x, 0) − y became one fused operation. Both differ from the plan's
 * numbers.
 */
it.each([
  [-0.7, []],
  [1 / 3, [{ factor: -1, slot: 0 }]],
  [2, [{ factor: 1, slot: 0 }]],
])('a first term times %d is a fused operation with a sum that no compiler knows', (factor, rest) => {
  const block = {
    buffer: 'C',
    offset: 0,
    layout: { kind: 'leaf', rows: 1, cols: 1, storedRows: 1, ld: 1, size: 1 },
  } as const;
  const step = {
    slots: [{ block, load: rest.length > 0, store: true }],
    updates: [{ target: 0, terms: [{ factor, slot: PRODUCT }, ...rest] }],
  };
  for (const width of [1, 4] as const) {
    const text = finishFunction(step, single, width);
    expect(text).toMatch(/fma\([^;]*params\.zero/);
    expect(text).not.toMatch(/fma\([^;]*, (0\.0|vec4<f32>\(\))\)/);
  }
});
