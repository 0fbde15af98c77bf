import fc from 'fast-check';
import { law, operands } from 'gemm-paranoia/vitest';
import { expect } from 'vitest';

// Never run: checks which types the matchers refuse and return.
export async function refused(): Promise<void> {
  // @ts-expect-error There is no grade D.
  await expect('strassen').toBeGrade('D');
  // @ts-expect-error The option is inputs.
  await expect('strassen').toPassGate({ input: ['uniform'] });
  // @ts-expect-error Claims are an object.
  expect([[1]]).toBeProductOf([[1]], [[1]], { claims: 'strassen' });
  // @ts-expect-error A nat is a number.
  law('typed', [fc.nat()], (x: string) => x);
  // @ts-expect-error There is one argument.
  law('typed', [fc.nat()], { runs: 3 }, (_x, _y) => true);
  const gate: Promise<void> = expect('strassen').not.toPassGate();
  await gate;
  law('typed', [operands(), fc.nat()], ({ a, seed }, x) => a.rows + seed + x);
  expect.soft([[1]]).toBeProductOf([[1]], [[1]]);
  await expect(Promise.resolve([[1]])).resolves.toBeProductOf([[1]], [[1]]);
}
