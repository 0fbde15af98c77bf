import fc from 'fast-check';
import { law, operands } from 'gemm-paranoia/vitest';
import { describe, expect, it } from 'vitest';
import { wrongSign } from './faults.ts';
import { multiply } from './multiply.ts';

// Every test of this file must fail.
const sizes = [[3, 4, 5], 16] as const;

it('wrong-sign fails the gate', async () => {
  await expect(wrongSign).toPassGate({ sizes });
});

it('wrong-sign is of no grade', async () => {
  await expect(wrongSign).toBeGrade('C', { sizes: [16] });
});

describe('fast algorithms (built in)', () => {
  it('are of no grade A', async () => {
    await expect('strassen:naive').toBeGrade('A', { sizes: [16], adapter: 'software' });
  });
});

it('is no product', () => {
  expect([
    [19, 22],
    [43, 51],
  ]).toBeProductOf(
    [
      [1, 2],
      [3, 4],
    ],
    [
      [5, 6],
      [7, 8],
    ],
  );
});

it('cannot be judged', async () => {
  await expect(multiply).not.toPassGate();
});

law('sums are exact', [operands({ max: 24, inputs: ['uniform'] }), fc.nat(9)], ({ a, b, shape }, more) => {
  const { m, k, n } = shape;
  const c = multiply(a.data, b.data, { m, k, n });
  let exact = 0;
  for (let p = 0; p < k; p++) exact += (a.data[p] ?? 0) * (b.data[p * n] ?? 0);
  expect(c[0], `more is ${more}`).toBe(exact);
});
