import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { maskSecrets } from './secrets.ts';
import { writeWhole } from './write-file.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

it.each([
  'NPM_TOKEN',
  'MY_SECRET_VALUE',
  'DB_PASSWORD',
  'OPENAI_API_KEY',
  'AWS_SECRET_ACCESS_KEY',
  'SSH_PRIVATE_KEY',
  'KEY',
])('masks the value of %s', (name) => {
  expect(maskSecrets('It says hunter2-hunter2.', { [name]: 'hunter2-hunter2' })).toBe('It says ***.');
});

it('leaves other variables and short values as they are', () => {
  const env = { HOME: '/home/somebody', KEYBOARD: 'qwertz-layout', MONKEYS: 'capuchins', A_TOKEN: 'pass' };
  const text = 'pass: /home/somebody, qwertz-layout, capuchins';
  expect(maskSecrets(text, env)).toBe(text);
});

it('masks a secret as JSON, HTML and Markdown write it, and each line of one', () => {
  const secret = 'a"quoted<&secret>\nsecond-line-of-it';
  const env = { A_SECRET: secret };
  expect(maskSecrets(JSON.stringify({ said: secret }), env)).toBe('{"said":"***"}');
  expect(maskSecrets('<p>a&quot;quoted&lt;&amp;secret&gt;</p>', env)).toBe('<p>***</p>');
  expect(maskSecrets('a"quoted\\<\\&secret\\>', { A_SECRET: 'a"quoted<&secret>' })).toBe('***');
  expect(maskSecrets('a&#34;quoted&#60;&#38;secret&#62;', { A_SECRET: 'a"quoted<&secret>' })).toBe('***');
  expect(maskSecrets('It ends with second-line-of-it', env)).toBe('It ends with ***');
});

it('keeps secrets out of every file that is written', () => {
  vi.stubEnv('A_TOKEN', '$&hunter2-hunter2');
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  const path = join(folder, 'results.json');
  writeWhole(path, ['{"message":', '"$&hunter2-hunter2"', '}']);
  expect(readFileSync(path, 'utf8')).toBe('{"message":"***"}');
  writeWhole(path, 'hunter2 $&hunter2-hunter2');
  expect(readFileSync(path, 'utf8')).toBe('hunter2 ***');
  rmSync(folder, { recursive: true });
});
