import { expect, it, vi } from 'vitest';
import { checkKernel, whyNotComputed } from '../../kernels/check-kernel.ts';
import type { UserKernel } from '../../kernels/user-kernel.ts';
import { withLimitedHooks } from './limited-hooks.ts';

let asked = 0;
const endless = (): never => {
  asked++;
  for (;;);
};
const limited = (more: Partial<UserKernel>) =>
  withLimitedHooks({ name: 'loop', multiply: () => new Float32Array(), ...more } as UserKernel, 0.05);
const shape = { m: 2, k: 3, n: 4 };

it.each<[string, Partial<UserKernel>]>([
  ['accepts', { accepts: endless }],
  ['accepts.sizes', { accepts: { sizes: endless } }],
])('a kernel whose %s never returns is refused in a sentence that names it', (hook, more) => {
  const kernel = checkKernel(limited(more));
  const sentence = `"loop" cannot be used: its ${hook} did not return for 2×3×4 within 0.05 s. It must return at once.`;
  expect(() => whyNotComputed(kernel, shape)).toThrow(sentence);
  // The next shape fails at once.
  const before = asked;
  expect(() => whyNotComputed(kernel, { m: 1, k: 1, n: 1 })).toThrow(sentence);
  expect(asked).toBe(before);
});

it('so is one whose claims never return, where it is loaded', () => {
  expect(() => checkKernel(limited({ claims: { levels: endless } }))).toThrow(
    'its claims.levels did not return for 64×64×64',
  );
});

it('others answer as before, once a shape, also of a class', () => {
  const sizes = vi.fn(({ k }: { k: number }) => (k === 3 ? 'k is 3' : true));
  class Own {
    name = 'own';
    accepts = { sizes, narrow: true };
    multiply() {
      return new Float32Array();
    }
  }
  const own: UserKernel = new Own();
  const kernel = withLimitedHooks(own);
  expect([
    whyNotComputed(kernel, shape),
    whyNotComputed(kernel, shape),
    whyNotComputed(kernel, { ...shape, k: 4 }),
  ]).toEqual(['k is 3', 'k is 3', undefined]);
  expect(sizes).toHaveBeenCalledTimes(2);
  expect('multiply' in kernel).toBe(true);
  expect(withLimitedHooks(5)).toBe(5);
  const thrown = withLimitedHooks({
    ...own,
    accepts: () => {
      throw new Error('no');
    },
  });
  expect(() => whyNotComputed(thrown, shape)).toThrow('its accepts throws no');
});
