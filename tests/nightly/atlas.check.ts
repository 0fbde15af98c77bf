import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

it('every published entry is what it says, and its cases come out again', () => {
  const args = ['dist/cli/main.js', 'atlas', 'check', '--spot', '25'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  expect({ status, stdout, stderr }).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^\d{2,} entries: all are what they say/m),
  });
  expect(stdout).toMatch(/ 2\d have the same errors bit for bit by the steps of the kernel here/);
  expect(stdout).toMatch(/ 25 err by no less than they must/);
});
