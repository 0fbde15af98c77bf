import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it, test } from 'vitest';
import { matrix } from '../../matrix/dense.ts';
import { plainLayout } from '../operand-layout.ts';
import type { Session } from '../session.ts';
import type { Call } from '../user-kernel.ts';
import { openHostedSession } from './hosted-session.ts';

const folder = mkdtempSync(join(tmpdir(), 'hosted-'));
const beside = (path: string) => new URL(path, import.meta.url).href;

/** A module that locates a kernel; what it does is the k of the product asked for. */
const module = join(folder, 'locate.ts');
writeFileSync(
  module,
  `import { openFunctionSession } from '${beside('../function-session.ts')}';
   import { problem } from '${beside('../../problems.ts')}';
   const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
   const misbehaviours: (() => unknown)[] = [
     () => { throw new Error('out of luck'); },
     () => [1, 2],
     () => Promise.reject(problem('out-of-gpu-memory', { kernel: 'mine', step: 'x', why: 'no more.' })),
     () => { console.log('this goes to standard error'); process.exit(0); },
     () => { console.error('bad \\x1b[1mday'); process.abort(); },
     () => { Promise.reject(new RangeError('nobody waits')); return pause(5000); },
     () => { for (;;); },
     () => { process.send!('noise'); process.send!(null); process.send!({ tell: 'noise' }); throw new Error('after noise'); },
   ];
   interface Args { how?: string; start?: number; prepare?: number; fault?: string }
   export async function locate({ how, start = 0, prepare = 0, fault }: Args) {
     if (how === 'problem') throw problem('config-unreadable', { path: 'x.ts', why: 'it is gone' });
     if (how === 'error') throw new Error('no such thing');
     const end = Date.now() + start;
     while (Date.now() < end);
     let products = 0;
     return openFunctionSession({
       name: 'mine',
       timeLimit: 10,
       versions: () => ({ mine: '1.2' }),
       prepare: async () => { if (fault !== undefined) throw new Error(fault); await pause(prepare); },
       layouts: true,
       multiply: (a, b, { m, k }) => {
         if (k > 1) return misbehaviours[k - 2]() as Float32Array;
         return Float32Array.of(a[0] * b[0], ++products, process.pid).slice(0, m);
       },
     });
   }`,
);

const opened: Session[] = [];
function open(args: object = {}, options: object = {}) {
  const locator = { module: pathToFileURL(module).href, args };
  const session = openHostedSession('mine', locator, { timeLimit: 0.5, ...options });
  opened.push(session);
  return session;
}
afterAll(async () => {
  await Promise.all(opened.map((session) => session.close()));
  rmSync(folder, { recursive: true });
});

function ask(session: Session, k = 1) {
  const [a, b] = [matrix(3, k, new Float32Array(3 * k).fill(2)), matrix(k, 1, new Float32Array(k).fill(3))];
  const call: Call = { m: 3, k, n: 1, layout: plainLayout };
  return session.multiply(a, b, call);
}

describe('one kernel', () => {
  const session = open();
  let pid = 0;

  test('multiplies in another process', async () => {
    expect(await session.versions()).toEqual({ mine: '1.2' });
    const [{ seconds, ...rest }, second] = await Promise.all([ask(session), ask(session)]);
    pid = rest.c.data[2];
    expect(pid).not.toBe(process.pid);
    expect(rest).toEqual({
      c: matrix(3, 1, Float32Array.of(6, 1, pid)),
      ...{ unwritten: 0, guardsTouched: 0, operandsChanged: 0 },
    });
    expect(seconds).toBeLessThan(0.5);
    expect(second.c.data).toEqual(Float32Array.of(6, 2, pid));
  });

  it.each<[string, number, string, string, 'same' | 'another']>([
    ['throws', 2, 'kernel-threw', 'mine threw an error: out of luck.', 'same'],
    ['answers nonsense', 3, 'kernel-answer', 'it returned a plain array of 2 entries', 'same'],
    ['reports a problem', 4, 'out-of-gpu-memory', 'no more. Try a smaller size.', 'same'],
    ['sends messages of its own', 9, 'kernel-threw', 'after noise', 'same'],
    ['exits', 5, 'kernel-died', 'mine died while it multiplied 3×5×1: it ended with exit code 0.', 'another'],
    [
      'crashes',
      6,
      'kernel-died',
      'by SIGABRT, and its standard error ends with "bad \u{fffd}[1mday".',
      'another',
    ],
    [
      'forgets a promise',
      7,
      'kernel-died',
      'an error that nothing caught ended it: nobody waits.',
      'another',
    ],
    ['is lost in a loop', 8, 'kernel-hangs', 'for 3×8×1 within 0.5 s', 'another'],
  ])('%s, and then multiplies', async (_, k, code, says, then) => {
    const error = await ask(session, k).catch((thrown) => thrown);
    expect(error).toMatchObject({ name: 'Problem', code });
    expect(error.message).toContain(says);
    const { c } = await ask(session);
    expect(c.data[0]).toBe(6);
    expect(c.data[2] === pid).toBe(then === 'same');
    pid = c.data[2];
  });

  test('ends when it is closed, and can be asked again', async () => {
    await session.close();
    expect(() => process.kill(pid, 0)).toThrow();
    expect((await ask(session)).c.data[0]).toBe(6);
    expect(await session.versions()).toEqual({ mine: '1.2' });
  });
});

describe.concurrent('a kernel that', () => {
  test('is slow to start is not late', async () => {
    expect((await ask(open({ start: 200, prepare: 700 }))).c.data[0]).toBe(6);
  });

  test('never starts hangs', async () => {
    const session = open({ start: 20_000 }, { startUp: 0.8 });
    const hangs = { code: 'kernel-hangs', message: expect.stringContaining('within 0.8 s') };
    await expect(ask(session)).rejects.toMatchObject(hangs);
  });

  it.each([
    ['fails to prepare', { fault: 'no luck' }, 'kernel-threw', 'mine threw an error: no luck.'],
    [
      'is not found',
      { how: 'problem' },
      'config-unreadable',
      'The config x.ts cannot be loaded: it is gone.',
    ],
    ['cannot be opened', { how: 'error' }, 'bad-kernel', 'opening it fails: no such thing.'],
  ])('%s', async (_, args, code, message) => {
    await expect(ask(open(args))).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });
});
