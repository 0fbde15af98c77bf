import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { EXIT } from '../../base/errors.ts';
import { openSandbox } from './open-sandbox.ts';

it('what is required and cannot be had is told, with its exit code', async () => {
  await expect(openSandbox('required', { lanes: [] })).rejects.toMatchObject({
    code: 'no-sandbox',
    exitCode: EXIT.noSandbox,
    message: expect.stringMatching(
      /^Cannot sandbox untrusted code .*: it could read or write other files; .* the network; it could signal other processes /,
    ),
  });
});

it.each(['auto', 'off'] as const)(
  'with %s and nothing that works, it says what does not hold',
  async (wanted) => {
    const { holds } = await openSandbox(wanted, { lanes: [] });
    expect(holds).toMatchObject({ files: 'not isolated', network: 'not isolated', memory: 'not isolated' });
  },
);

it.runIf(process.platform === 'linux')('what can be had says how', async ({ skip }) => {
  const { holds } = await openSandbox('auto', { limits: { memoryBytes: 2 ** 31 } });
  if (holds.files === 'not isolated') skip('nothing holds here');
  expect(holds.files).toMatch(/^reads only what it needs, .* \(by .*Landlock/);
  expect(holds.memory).toBe('at most 2 GiB, watched');
});

it('a process that is not held has a folder and an environment of its own nevertheless', async () => {
  const { confine } = await openSandbox('off');
  const env = { PATH: '/bin', SECRET: 'x' };
  const confined = confine({ file: 'a', words: ['b'], env }, { reads: [], gpu: false });
  expect(confined).toMatchObject({ file: 'a', words: ['b'], cwd: confined.folder });
  expect(confined.env).toMatchObject({ PATH: '/bin', HOME: confined.folder });
  expect(confined.env).not.toHaveProperty('SECRET');
  confined.release();
});

it.runIf(process.platform === 'linux')('in a namespace, numbers are as it is told', async ({ skip }) => {
  const { holds, confine } = await openSandbox('auto');
  if (!holds.processes.includes('namespaces (')) skip('there are no namespaces here');
  const start = { file: process.execPath, words: ['-p', 'process.pid'], env: process.env };
  const number = (processes: number) => {
    const { file, words, env, cwd, release } = confine(start, { reads: [], gpu: false, processes });
    const { stdout } = spawnSync(file, words, { env, cwd });
    release();
    return Number(stdout.toString());
  };
  expect(number(7) - number(0)).toBe(7);
});
