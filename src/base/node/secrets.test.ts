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

it('leaves other variables, words and numbers as they are', () => {
  const env = {
    ...{ HOME: '/home/somebody', KEYBOARD: 'qwertz-layout', MONKEYS: 'capuchins' },
    ...{ A_TOKEN: 'pass', B_TOKEN: '1', C_TOKEN: 'true', D_TOKEN: '2048', E_TOKEN: '1.5e-7', F_TOKEN: 'f32' },
  };
  const text = 'pass: /home/somebody, qwertz-layout, capuchins; f32 true of 1 and 2048 by 1.5e-7';
  expect(maskSecrets(text, env)).toBe(text);
});

it('masks a short value that is no word and no number, where it stands by itself', () => {
  const env = { TOKEN: 'abc123', A_PASSWORD: 'pa$$' };
  expect(maskSecrets('abc123, "abc123" and user:abc123@host with pa$$.', env)).toBe(
    '***, "***" and user:***@host with ***.',
  );
  expect(maskSecrets(JSON.stringify('is\nabc123\nor\u001babc123'), env)).toBe('"is\\n***\\nor\\u001b***"');
  expect(maskSecrets('\u001b[31mabc123\u001b[0m', env)).toBe('\u001b[31m***\u001b[0m');
  expect(maskSecrets('sha256 9fabc1230e, abc1234', env)).toBe('sha256 9fabc1230e, abc1234');
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
