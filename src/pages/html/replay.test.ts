import { expect, it } from 'vitest';
import { fill, replayPattern } from './replay.ts';

const shown = { kernel: 'strassen:naive', levels: '2', m: '7', seed: '1' };

it('gives one pattern for the commands of a table, from which each can be had again', () => {
  const text = 'kernel=strassen:naive;levels=2;m=7;seed=12;init=f64';
  const replay = `npx gemm-paranoia gate --case '${text}' --sigmas '4'`;
  const pattern = replayPattern({ case: text, replay }, shown);
  expect(pattern).toBe(
    `npx gemm-paranoia gate --case 'kernel={kernel};levels={levels};m={m};seed=12;init=f64' --sigmas '4'`,
  );
  expect(fill(pattern, shown)).toBe(replay);
});

it('leaves a command alone that has braces of its own or does not hold its case', () => {
  const odd = { case: 'kernel={levels};m=7', replay: `gate --case 'kernel={levels};m=7'` };
  expect(replayPattern(odd, shown)).toBe(odd.replay);
  expect(replayPattern({ case: 'm=7', replay: 'other $&' }, shown)).toBe('other $&');
});
