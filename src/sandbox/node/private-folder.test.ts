import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { removeTree } from './private-folder.ts';
import { countBytesIn } from './processes.ts';

const folder = mkdtempSync(join(tmpdir(), 'tree-'));
afterAll(() => rmSync(folder, { recursive: true }));

it.runIf(process.platform === 'linux')('what is to stay goes, and what links lead to stays', () => {
  const [tree, other] = ['tree', 'other'].map((name) => join(folder, name));
  for (const path of [tree, other]) mkdirSync(path);
  writeFileSync(join(other, 'file'), 'x');
  symlinkSync(other, join(tree, 'link'));
  mkdirSync(join(tree, 'shut'));
  writeFileSync(join(tree, 'shut/file'), 'x');
  symlinkSync('/', join(tree, 'shut/root'));
  // Deeper than paths reach, with names that are not valid text.
  const deep = `for (let i = 0; i < 30; i++) {
    fs.mkdirSync('x'.repeat(200));
    process.chdir('x'.repeat(200));
  }
  fs.writeFileSync('file', '');`;
  execFileSync(process.execPath, ['-e', deep], { cwd: tree });
  execFileSync('sh', ['-c', `n=$(printf 'bad\\377'); mkdir "$n" && : > "$n/$n"`], { cwd: tree });
  expect(() => countBytesIn([tree], 2 ** 40)).toThrow(/ENAMETOOLONG/);
  chmodSync(join(tree, 'shut'), 0);
  removeTree(tree);
  expect(existsSync(tree)).toBe(false);
  expect(readFileSync(join(other, 'file'), 'utf8')).toBe('x');
  removeTree(tree);
});

it('bytes are those of files, each once, and of no others', () => {
  const tree = join(folder, 'bytes');
  mkdirSync(join(tree, 'a'), { recursive: true });
  const before = countBytesIn([tree], 2 ** 40);
  writeFileSync(join(tree, 'a/file'), Buffer.alloc(2 ** 20, 1));
  symlinkSync('/', join(tree, 'root'));
  expect(countBytesIn([tree], 2 ** 40) - before).toBeGreaterThanOrEqual(2 ** 20);
  expect(countBytesIn([tree], 2 ** 40) - before).toBeLessThan(2 ** 21);
  expect(countBytesIn([join(folder, 'nowhere')], 1)).toBe(0);
});
