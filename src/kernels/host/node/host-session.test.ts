import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it, test } from 'vitest';
import { inShort, itWhole } from '../../../base/in-short.testing.ts';
import { matrix } from '../../../matrix/dense.ts';
import type { KernelSession, ProductInput } from '../../kernel.ts';
import {
  advanceClock,
  startClock,
  stopClock,
  waitUntil,
  waitUntilGivenUp,
} from '../../stopped-clock.testing.ts';
import { productFrom } from '../../tampered.testing.ts';
import { openHosted } from './host-session.ts';
import { openInHost } from './open-in-host.ts';
import type { ProtocolProcess } from './start-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'hosted-'));
const built = (path: string) => new URL(`../../../../dist/${path}`, import.meta.url).href;

/** A module that locates a kernel; k of the requested product selects its behavior. */
const module = join(folder, 'locate.mjs');
writeFileSync(
  module,
  `import { openFunctionKernel } from '${built('kernels/function-kernel.js')}';
   import { outOfGpuMemory } from '${built('gpu/messages.js')}';
   import { configUnreadable } from '${built('config/messages.js')}';
   import { existsSync, writeFileSync } from 'node:fs';
   const never = () => new Promise(() => {});
   const until = async (file) => {
     while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 5));
   };
   const misbehaviours = [
     () => { throw new Error('out of luck'); },
     () => [1, 2],
     () => Promise.reject(outOfGpuMemory({ kernel: 'mine', step: 'x', why: 'no more.' })),
     () => { console.log('this goes to standard error'); process.exit(0); },
     () => { console.error('bad \\x1b[1mday'); process.abort(); },
     () => { Promise.reject(new RangeError('nobody waits')); return never(); },
     () => { writeFileSync('${join(folder, 'looping')}', ''); for (;;); },
     () => { console.log(JSON.stringify({ id: 1, d: 4 })); process.send?.({ id: 1 }); throw new Error('after noise'); },
     () => { setImmediate(() => process.exit(3)); return Float32Array.of(1, 2, 3); },
     () => { setTimeout(() => process.abort(), 10); return Float32Array.of(1, 2, 3); },
   ];
   export async function locate({ how, gate, fault }) {
     if (how === 'problem') throw configUnreadable({ path: 'x.ts', why: 'it is gone' });
     if (how === 'error') throw new Error('no such thing');
     if (how === 'loop') for (;;);
     let products = 0;
     return openFunctionKernel({
       name: 'mine',
       versions: () => ({ mine: '1.2' }),
       prepare: async () => {
         if (fault !== undefined) throw new Error(fault);
         if (gate === undefined) return;
         writeFileSync(gate + '-reached', '');
         await until(gate + '-open');
       },
       multiply: (a, b, { m, k }) => {
         if (k > 1) return misbehaviours[k - 2]();
         return Float32Array.of(a[0] * b[0], ++products, process.pid).slice(0, m);
       },
     });
   }`,
);

const opened: KernelSession<ProductInput>[] = [];
function open(args: object = {}) {
  const locator = { module: pathToFileURL(module).href, args };
  const session = openInHost({ name: 'mine' }, locator);
  opened.push(session);
  return session;
}
afterAll(async () => {
  await Promise.all(opened.map((session) => session.close?.()));
  rmSync(folder, { recursive: true });
});

function ask(session: KernelSession<ProductInput>, k = 1) {
  const [a, b] = [matrix(3, k, new Float32Array(3 * k).fill(2)), matrix(k, 1, new Float32Array(k).fill(3))];
  return productFrom(session, { operands: { a, b } });
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

test('a host greets once, however many ask for versions before it does', async () => {
  const session = open();
  const [first, second] = await Promise.all([session.versions?.(), session.versions?.()]);
  expect([first, second]).toEqual([{ mine: '1.2' }, { mine: '1.2' }]);
});

describe('one kernel', { shuffle: false }, () => {
  const session = open();
  let pid = 0;

  test('multiplies in another process', async () => {
    expect(await session.versions?.()).toEqual({ mine: '1.2' });
    const [{ seconds, ...rest }, second] = await Promise.all([ask(session), ask(session)]);
    pid = rest.c.data[2];
    expect(pid).not.toBe(process.pid);
    expect(rest).toEqual({
      c: matrix(3, 1, Float32Array.of(6, 1, pid)),
      ...{ unwritten: 0, overwritten: 0, changed: 0 },
    });
    expect(seconds).toBeGreaterThan(0);
    expect(second.c.data).toEqual(Float32Array.of(6, 2, pid));
  });

  it.each(
    inShort<[string, number, string, string]>(
      [
        ['throws', 2, 'kernel-threw', 'mine threw an error for 3×2×1: out of luck.'],
        ['answers nonsense', 3, 'kernel-answer', 'it returned a plain array of 2 entries'],
        ['reports a problem', 4, 'out-of-gpu-memory', 'no more. Try a smaller size.'],
        ['prints what looks like an answer', 9, 'kernel-threw', 'after noise'],
        ['exits', 5, 'kernel-died', 'mine crashed while it computed 3×5×1: it ended with exit code 0.'],
        ['crashes', 6, 'kernel-died', 'by SIGABRT, and its standard error ends with "bad \u{fffd}[1mday".'],
        ['exits in the turn after its answer', 10, 'kernel-died', 'exit code 3'],
        ['aborts soon after its answer', 11, 'kernel-died', 'by SIGABRT'],
        ['forgets a promise', 7, 'kernel-died', 'ends with "Uncaught error: nobody waits".'],
      ],
      4,
    ),
  )('%s, and then multiplies', async (_, k, code, says) => {
    const error = await ask(session, k).catch((thrown) => thrown);
    expect(error).toMatchObject({ name: 'ParanoiaError', code });
    expect(error.message).toContain(says);
    const { c } = await ask(session);
    expect(c.data[0]).toBe(6);
    expect(c.data[2]).not.toBe(pid);
    pid = c.data[2];
  });

  test('is lost in a loop, and then multiplies', async () => {
    stopClock();
    const lost = ask(session, 8);
    lost.catch(() => {});
    await waitUntil(() => existsSync(join(folder, 'looping')));
    expect(await waitUntilGivenUp(lost)).toMatchObject({
      code: 'kernel-hangs',
      message: expect.stringContaining('for 3×8×1 within 60 s'),
    });
    startClock();
    await waitUntil(() => isGone(pid));
    const { c } = await ask(session);
    expect(c.data[0]).toBe(6);
    expect(c.data[2]).not.toBe(pid);
    pid = c.data[2];
  });

  test('is another process after it is renewed', async () => {
    await session.renew?.();
    const next = (await ask(session)).c.data[2];
    expect(next).not.toBe(pid);
    pid = next;
  });

  test('ends when it is closed, and can be asked again', async () => {
    await session.close?.();
    await waitUntil(() => isGone(pid));
    expect((await ask(session)).c.data[0]).toBe(6);
    expect(await session.versions?.()).toEqual({ mine: '1.2' });
  });
});

describe('a kernel that', () => {
  test('is slow to start is not late', async () => {
    const gate = join(folder, 'gate');
    stopClock();
    const slow = ask(open({ gate }));
    await waitUntil(() => existsSync(`${gate}-reached`));
    // Longer than a product may take, shorter than a start.
    await advanceClock(100);
    writeFileSync(`${gate}-open`, '');
    expect((await slow).c.data[0]).toBe(6);
  });

  itWhole('never starts hangs', async () => {
    stopClock();
    expect(await waitUntilGivenUp(ask(open({ how: 'loop' })))).toMatchObject({
      code: 'kernel-hangs',
      message: expect.stringContaining('within 120 s'),
    });
  });

  it.each(
    inShort(
      [
        ['fails to prepare', { fault: 'no luck' }, 'kernel-threw', 'mine threw an error: no luck.'],
        [
          'is not found',
          { how: 'problem' },
          'config-unreadable',
          'The config x.ts cannot be loaded: it is gone.',
        ],
        ['cannot be opened', { how: 'error' }, 'bad-kernel', 'it cannot be opened: no such thing.'],
      ],
      2,
    ),
  )('%s', async (_, args, code, message) => {
    await expect(ask(open(args))).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });
});

/** Opens a session with a host in this process, which answers correctly and reports what its kernel looked at. */
function openLooking(wary: boolean, saw: readonly string[] | undefined): KernelSession<ProductInput> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  input.on('data', (line) => {
    const { id } = JSON.parse(line.toString()) as { id: number };
    output.write(`${JSON.stringify({ id, d: 0, saw })}\n`);
  });
  const host = { input, output, outlives: 0, ended: new Promise(() => {}), ending: () => {}, kill: () => {} };
  const nothing = [new Uint8Array(), new Uint8Array()] as const;
  return openHosted({
    ...{ name: 'mine', greets: false, isCalled: false, wary },
    start: () => host as unknown as ProtocolProcess,
    files: () => ({ a: nothing, b: nothing }),
    read: () => matrix(3, 1, Float32Array.of(6, 6, 6)),
  });
}

describe('a kernel that looked at what tells who asks', () => {
  const looks = { code: 'kernel-looks-round' };

  it.each([['/proc/self/status'], ['the network', '/proc/stat']])(
    'once or more is not believed: %s',
    async (...saw) => {
      await expect(ask(openLooking(true, saw))).rejects.toMatchObject({
        ...looks,
        message: expect.stringContaining(saw.join(' and ')),
      });
    },
  );

  it.each([
    [true, undefined],
    [true, []],
    [false, ['/proc/self/status']],
  ])('is believed where it is untrusted: %s and saw %j', async (wary, saw) => {
    expect((await ask(openLooking(wary, saw))).c.data[0]).toBe(6);
  });
});
