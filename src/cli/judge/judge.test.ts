import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { itWhole } from '../../base/in-short.testing.ts';
import { LEAST } from '../../gate/untrusted/untrusted-cases.ts';
import { judgment } from '../../pages/judgment.ts';
import { runHere } from '../in-process.testing.ts';

const folder = await mkdtemp(join(tmpdir(), 'judge-'));
afterAll(() => rm(folder, { recursive: true }));

/** Judges a file with this text by one case, and parses the output. */
async function judged(name: string, text: string | undefined) {
  if (text !== undefined) await writeFile(join(folder, name), text);
  const one = ['--case', `kernel=${name};m=2;k=3;n=2;input=integers`];
  const { code, stdout, stderr } = await runHere(folder, ['judge', name, '--sandbox', 'off', ...one]);
  return { code, said: judgment.parse(JSON.parse(stdout)), stderr };
}

it('prints one verdict, and what a person reads on standard error', async () => {
  const { code, said, stderr } = await judged(
    'zeros.mjs',
    'export default (a, b, { m, n }) => new Float32Array(m * n);',
  );
  expect(code).toBe(1);
  expect(said).toMatchObject({ verdict: 'fail', exitCode: 1, run: { cases: 1, fail: 1 } });
  expect(said.kernel.sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(said.containment).toHaveProperty('environment');
  expect(said.failures[0].replay).toMatch(/ gate zeros\.mjs --case '.*' --untrusted --sandbox 'off'$/);
  expect(stderr).toMatch(/^FAIL: /m);
});

itWhole('a file that cannot be loaded fails, and one that is not there is wrong usage', async () => {
  const broken = await judged('broken.mjs', 'throw new Error("not today");');
  expect(broken).toMatchObject({
    code: 1,
    said: { verdict: 'fail', reason: expect.stringContaining('not today') },
  });
  const missing = await judged('missing.mjs', undefined);
  expect(missing).toMatchObject({ code: 2, said: { verdict: 'inconclusive', exitCode: 2 } });
});

itWhole(
  'a pass of an untrusted kernel needs the core of what was asked: a narrowed run has a smaller one',
  async () => {
    await writeFile(
      join(folder, 'right.mjs'),
      `export default (a, b, { m, k, n }) => Float32Array.from({ length: m * n }, (_, at) => {
      let sum = 0;
      for (let p = 0; p < k; p++) sum = Math.fround(sum + Math.fround(a[Math.floor(at / n) * k + p] * b[p * n + (at % n)]));
      return sum;
    });`,
    );
    const few = ['gate', 'right.mjs', '--untrusted', '--sandbox', 'off', '--seed', '1', '--cases', '4'];
    const narrow = ['--size', '3,4,5', '--input', 'integers'];
    const narrowed = await runHere(folder, [...few, ...narrow]);
    expect(narrowed.code).toBe(4);
    const [, least] =
      /pass\s+needs\s+the\s+core,\s+(\d+)\s+cases:\s+use\s+--cases\s+\1 /.exec(narrowed.stdout) ?? [];
    expect(Number(least)).toBeLessThan(LEAST);
    const enough = await runHere(folder, [...few.slice(0, -1), least, ...narrow]);
    expect(enough).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ ?PASS: /m) });
    const whole = await runHere(folder, few);
    expect(whole).toMatchObject({ code: 4, stdout: expect.stringContaining(`--cases ${LEAST}`) });
  },
);

it.runIf(existsSync('/dev/full'))('a verdict whose report no disk takes is told all the same', async () => {
  const text = 'export default (a, b, { m, n }) => new Float32Array(m * n).fill(3);';
  await writeFile(join(folder, 'three.mjs'), text);
  await mkdir(join(folder, 'full'));
  await symlink('/dev/full', join(folder, 'full/results.json'));
  const one = ['--case', 'kernel=three.mjs;m=2;k=3;n=2;input=integers'];
  const args = ['judge', 'three.mjs', '--sandbox', 'off', '--out', 'full', '--reporter', 'json', ...one];
  const { code, stdout } = await runHere(folder, args);
  const said = judgment.parse(JSON.parse(stdout));
  expect([code, said.verdict, said.exitCode]).toEqual([74, 'fail', 74]);
  expect(said.notes.join()).toMatch(/NOT WRITTEN: .* the disk is full\. .* All results are in /);
});
