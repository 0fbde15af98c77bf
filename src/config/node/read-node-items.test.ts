import { expect, it } from 'vitest';
import { withLimitedItems } from './read-node-items.ts';

let asked = 0;
const endless = (): never => {
  asked++;
  for (;;);
};

it.each([
  ['checks', 'judge'],
  ['inputs', 'generate'],
  ['inputs', 'accepts'],
  ['reporters', 'render'],
])('of %s a %s that never returns throws a sentence, and is asked once', (option, hook) => {
  const config = withLimitedItems({ [option]: ['named', { name: 'loop', [hook]: endless }] }, 0.05);
  const [text, item] = (config as Record<string, [string, Record<string, () => void>]>)[option];
  const sentence = `The ${hook} of "loop" did not return within 0.05 s`;
  expect(() => item[hook]()).toThrow(sentence);
  const once = asked;
  expect(() => item[hook]()).toThrow(sentence);
  expect([text, asked]).toEqual(['named', once]);
});

it('others answer as before, and nothing else is changed', () => {
  const own = { name: 'own', judge: (a: number, b: number) => a + b };
  const { checks, seed } = withLimitedItems({ checks: [own], seed: 3 }) as { checks: [typeof own]; seed: 3 };
  expect([checks[0].judge(1, 2), checks[0].name, seed]).toEqual([3, 'own', 3]);
  expect(withLimitedItems(5)).toBe(5);
});
