import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inShort } from '../../src/base/in-short.testing.ts';
import { runHere } from '../../src/cli/in-process.testing.ts';
import { runInit } from '../../src/cli/init/init.ts';
import { languageNames, languages } from '../../src/cli/init/languages.ts';
import { loadConfig } from '../../src/config/node/load.ts';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'init-'));
});
afterAll(() => rmSync(root, { recursive: true }));
const newFolder = () => mkdtempSync(join(root, 'in-'));
const init = (folder: string, ...args: string[]) => runHere(folder, ['init', ...args]);
const filesIn = (folder: string) =>
  (readdirSync(folder, { recursive: true }) as string[]).filter(
    (file) => /\.\w+$/.test(file) && !/^\.github$/.test(file),
  );

test.each(languageNames)(
  '%s: a kernel, a config that names it and a workflow are written, and what comes next',
  async (name) => {
    const folder = newFolder();
    const { code, stdout } = await init(folder, '--yes', '--language', name);
    const { file, kernel, config } = languages[name];
    expect(code).toBe(0);
    expect(filesIn(folder).sort()).toEqual(
      [config, file, join('.github', 'workflows', 'paranoia.yml')].sort(),
    );
    expect(readFileSync(join(folder, config), 'utf8')).toContain(`kernels: ['${kernel}']`);
    const workflow = readFileSync(join(folder, '.github/workflows/paranoia.yml'), 'utf8');
    expect(workflow).toContain(`\n      - run: npx gemm-paranoia gate --config ${config} --cases 200\n`);
    expect(workflow).not.toMatch(/[{}]set-up|\n\n {6}/);
    expect(stdout).toContain(`npx gemm-paranoia gate ${kernel} --size 1,17,64`);
  },
);

test('what cannot all be written is not begun', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, '.github'), 'a file');
  const { code, stderr } = await init(folder, '--yes');
  expect([code, stderr]).toEqual([2, expect.stringMatching(/workflows\/paranoia\.yml cannot be written: /)]);
  expect(readdirSync(folder)).toEqual(['.github']);
});

test.each(inShort(['wgsl', 'javascript'], 2))('what is written for %s passes a gate', async (name) => {
  const folder = newFolder();
  await init(folder, '--yes', '--language', name);
  const { code, stdout } = await runHere(folder, ['gate', '--size', '1,17x9x33', '--adapter', 'software']);
  expect(stdout).toMatch(/^PASS: All \d+ cases passed/m);
  expect(code).toBe(0);
});

test('the kernel of TypeScript is that of JavaScript', async () => {
  const folder = newFolder();
  await init(folder, '--yes', '--language', 'typescript', '--ci', 'none');
  // The config imports this package, which no test folder has.
  rmSync(join(folder, 'paranoia.config.ts'));
  writeFileSync(join(folder, 'paranoia.config.mjs'), "export default { kernels: ['matmul.ts#matmul'] };");
  const { config } = await loadConfig({ cwd: folder });
  const [kernel] = config.kernels as unknown as { multiply(...args: unknown[]): Float32Array }[];
  const product = kernel.multiply(Float32Array.of(1, 2), Float32Array.of(3, 4), { m: 1, k: 2, n: 1 });
  expect([...product]).toEqual([11]);
});

test('nothing is overwritten, and then nothing is written', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'matmul.py'), 'mine');
  const { code, stderr } = await init(folder, '--yes', '--language', 'python');
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: 'matmul.py already exists, and init overwrites nothing. Move it away, or use another folder.\n',
  });
  expect(readdirSync(folder)).toEqual(['matmul.py']);
  const other = newFolder();
  writeFileSync(join(other, 'paranoia.config.ts'), '');
  expect((await init(other, '--yes')).stderr).toMatch(/^paranoia\.config\.ts already exists/);
});

test('the language is the one that the folder shows', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'pyproject.toml'), '');
  await init(folder, '--yes', '--ci', 'none');
  expect(existsSync(join(folder, 'matmul.py'))).toBe(true);
  expect(existsSync(join(folder, '.github'))).toBe(false);
});

test('without a terminal, without --yes and without both answers it says so', async () => {
  const folder = newFolder();
  const { code, stderr } = await init(folder, '--language', 'c');
  expect(code).toBe(2);
  expect(stderr).toBe('init asks questions, and this is no terminal. Give --yes, or --language and --ci.\n');
  expect((await init(folder, '--language', 'c', '--ci', 'none')).code).toBe(0);
  expect((await init(folder, '--language', 'cobol')).stderr).toMatch(
    /^Unknown value of --language "cobol"\./,
  );
});

/** Answers like a person: each line follows its question; undefined ends the input. */
async function answering(
  folder: string,
  ...answers: (string | undefined)[]
): Promise<{ said: string; error?: Error }> {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()].map((stream) =>
    Object.assign(stream, { isTTY: true, columns: 60 }),
  );
  let said = '';
  stdout.on('data', (text) => {
    said += text;
    if (!/: $/.test(String(text).replace(/\p{C}\[[\d;]*\w/gu, ''))) return;
    const answer = answers.shift();
    if (answer === undefined) stdin.end();
    else stdin.write(`${answer}\n`);
  });
  const before = process.cwd();
  process.chdir(folder);
  try {
    await runInit({}, { stdin, stdout });
    return { said };
  } catch (error) {
    return { said, error: error as Error };
  } finally {
    process.chdir(before);
  }
}

test('a person is asked two questions, by number or name, and again where the answer is none', async () => {
  const folder = newFolder();
  const { said, error } = await answering(folder, '9', 'Python', '2');
  expect(error).toBe(undefined);
  expect(filesIn(folder).sort()).toEqual(['matmul.py', 'paranoia.config.mjs']);
  expect(said.match(/^(Language of your kernel|CI workflow that judges it):\r?$/gm)).toHaveLength(2);
  const usual = newFolder();
  await answering(usual, '', '');
  expect(existsSync(join(usual, 'matmul.mjs'))).toBe(true);
});

test('where the answers end, nothing is written', async () => {
  const folder = newFolder();
  mkdirSync(join(folder, 'empty'));
  const { error } = await answering(join(folder, 'empty'), '1', undefined);
  expect(error?.message).toBe('init got no answers, and wrote nothing. --yes takes the defaults.');
  expect(readdirSync(join(folder, 'empty'))).toEqual([]);
});
