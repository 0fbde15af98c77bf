import { expect, it } from 'vitest';
import { flag, number, text, texts } from './kinds.ts';
import { formatOptions } from './option.ts';

const options = {
  adapter: text('--adapter <name>', '', { scope: 'judging' }),
  toggles: texts('--toggle <names>', '', { scope: 'judging' }),
  untrusted: flag('--untrusted', '', { scope: 'judging' }),
  seed: number({ least: 0, most: 9, whole: true, need: '' }, '--seed <n>', '', { scope: 'cases' }),
};

it('a replay repeats the options of a scope, quoted for a shell', () => {
  const values = { adapter: "it's $(x)", toggles: ['a', 'b'], untrusted: true, seed: 3 };
  expect(formatOptions(options, values, 'judging')).toBe(
    " --adapter 'it'\\''s $(x)' --toggle 'a,b' --untrusted",
  );
  expect(formatOptions(options, values, 'cases')).toBe(" --seed '3'");
  expect(formatOptions(options, {}, 'judging')).toBe('');
});
