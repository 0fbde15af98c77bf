import { expect, it } from 'vitest';
import { MOST, relayOutput } from './output-relay.ts';

function heard(...chunks: readonly (string | Buffer)[]): string {
  let said = '';
  const take = relayOutput('mine', (text) => {
    said += text;
  }).stream();
  for (const chunk of chunks) take(Buffer.from(chunk));
  take();
  return said;
}

it('every line stands behind the name of its kernel', () => {
  expect(heard('a\nb', 'c\r\n', 'PASS: all')).toBe('mine | a\nmine | bc\nmine | PASS: all\n');
  expect(heard('x\r::error::y\n')).toBe('mine | x\nmine | ::error::y\n');
  expect(heard('')).toBe('');
});

it('no line steers a terminal, or is a command wherever it stands', () => {
  expect(heard('\u001b[2Ja ##[group]b ##vso[c]\n')).toBe('mine | \\u001b[2Ja ## [group]b ## vso[c]\n');
});

it('characters that arrive in parts are whole', () => {
  const [first, ...rest] = Buffer.from('é\n');
  expect(heard(Buffer.from([first]), Buffer.from(rest))).toBe('mine | é\n');
});

it('so much is shown, and that the rest is not is said once', () => {
  const said = heard(...Array.from({ length: 40 }, () => `${'x'.repeat(2 ** 16)}`), 'end\n');
  expect(said.length).toBeLessThan(MOST + 2 ** 16);
  expect(said.match(/printed more than/g)).toHaveLength(1);
  expect(said).not.toContain('end');
});
