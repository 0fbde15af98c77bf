import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
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
import type { ProgramKernel } from '../../user-kernel.ts';
import { openProgram } from './open-program.ts';

/** The head of workers, which answer a product of one entry correctly; each test defines the rest. */
const HEAD = `
const write = (bytes) => {
  for (let rest = Buffer.from(bytes); rest.length > 0; ) {
    try {
      rest = rest.subarray(require('node:fs').writeSync(1, rest));
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
};
const say = (line) => write(JSON.stringify(line) + '\\n');
const npy = (...entries) => {
  const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + entries.length + ', 1), }';
  const start = Buffer.from('\\x93NUMPY\\x01\\x00v\\x00', 'latin1');
  return Buffer.concat([start, Buffer.from(header.padEnd(117) + '\\n'), Buffer.from(Float32Array.from(entries).buffer)]);
};
const reply = (id, ...entries) => {
  const file = npy(...entries);
  return Buffer.concat([Buffer.from(JSON.stringify({ id, d: file.length }) + '\\n'), file]);
};
const answer = (...rest) => write(reply(...rest));
const first = (file) => file.readFloatLE(10 + file.readUInt16LE(8));
let held = Buffer.alloc(0);
process.stdin.on('data', (chunk) => {
  held = Buffer.concat([held, chunk]);
  for (;;) {
    const end = held.indexOf('\\n') + 1;
    if (end === 0) return;
    const request = JSON.parse(held.subarray(0, end));
    const files = end + request.a;
    if (held.length < files + request.b) return;
    const [a, b] = [held.subarray(end, files), held.subarray(files, files + request.b)].map(first);
    held = held.subarray(files + request.b);
    if (request.problem.m === 1) answer(request.id, a * b);
    else otherwise(request);
  }
});
`;

const folder = mkdtempSync(join(tmpdir(), 'worker-'));
const opened: KernelSession<ProductInput>[] = [];
afterAll(async () => {
  await Promise.all(opened.map((session) => session.close?.()));
  rmSync(folder, { recursive: true });
});

function open(otherwise: string, rest: Partial<ProgramKernel> = {}, outlives?: number) {
  const source = `${HEAD}function otherwise({ id, problem: { k }, time }) { ${otherwise} }`;
  const program = { command: [process.execPath, '-e', source], mode: 'worker' } as const;
  const session = openProgram({ name: 'mine', ...rest, program }, { cwd: '.', outlives });
  opened.push(session);
  return session;
}

/** Requests m×k of 1, 2, 3 … times k×1 of 3. */
function ask(session: KernelSession<ProductInput>, m = 2, k = 1) {
  const a = matrix(
    m,
    k,
    Float32Array.from({ length: m * k }, (_, i) => i + 1),
  );
  return productFrom(session, { operands: { a, b: matrix(k, 1, new Float32Array(k).fill(3)) } });
}

const right = 'answer(id, 3, 6);';
const hello = 'say({ ready: true, versions: { mine: "1.2", wrong: 3 } });';

it('multiplies one product after the other in one process, and states its versions', async () => {
  const session = open(`answer(id, process.pid, k); } ${hello} {`);
  expect(await session.versions?.()).toEqual({});
  const { seconds, ...rest } = await ask(session, 1);
  expect(rest).toEqual({
    c: matrix(1, 1, Float32Array.of(3)),
    ...{ unwritten: 0, overwritten: 0, changed: 0 },
  });
  expect(seconds).toBeGreaterThan(0);
  const pid = async () => (await ask(session)).c.data[0];
  expect(await pid()).not.toBe(process.pid);
  expect(await pid()).toBe(await pid());
  expect(await session.versions?.()).toEqual({ mine: '1.2' });
  const both = await Promise.all([ask(session, 1), ask(session, 1)]);
  expect(both.map(({ c }) => c.data[0])).toEqual([3, 3]);
});

it.each(
  inShort(
    ['process.exit(3)', 'setImmediate(() => process.abort())', 'setTimeout(() => process.exit(1), 1)'],
    2,
  ),
)('is charged with an end just after its answer: %s', async (end) => {
  const session = open(`${right} ${end};`, {}, 10_000);
  await expect(ask(session)).rejects.toMatchObject({ code: 'kernel-died' });
});

it('is charged with what it does at the ping after its answer, where it says that it takes pings', async () => {
  // This worker throws at a ping, which is no request.
  const session = open(`${right} } say({ ready: true, pings: true }); {`);
  await expect(ask(session)).rejects.toMatchObject({ code: 'kernel-died' });
});

it('takes many products in one request where its greeting says so', async () => {
  const said = [' } say({ ready: true }); {', ' } say({ ready: true, apart: true }); {'];
  for (const [at, greeting] of said.entries()) {
    const session = open(right + greeting);
    await ask(session, 1);
    expect(session.asksApart).toBe(at === 1);
  }
});

it('gets a fresh process after an error that it tells of, whomever it blames', async () => {
  const failure = '{ code: "no-adapter", exitCode: 3, blames: "nobody" }';
  const session = open(`say({ id, error: String(process.pid), failure: ${failure} })`);
  const pid = async () => (await ask(session).catch((error) => error)).message;
  expect(await pid()).toMatch(/^mine threw an error: \d+\.$/);
  expect(await pid()).not.toBe(await pid());
});

it('is not started again where it says that it can multiply nothing', async () => {
  const failure = '{ code: "no-adapter", exitCode: 3, blames: "nobody" }';
  const session = open(
    `} say({ ready: false, error: "no luck with " + process.pid, failure: ${failure} }); process.exit(); {`,
  );
  const said = async () => (await ask(session).catch((error) => error)).message;
  expect(await said()).toMatch(/^mine threw an error: no luck with \d+\.$/);
  expect(await said()).toBe(await said());
});

/** Misbehaviors of a worker, as programs; the error that each causes, and its message. */
const misbehaviors: readonly (readonly [what: string, program: string, code: string, says: string])[] = [
  [
    'dies',
    'console.error("last\\nwords"); process.exit(9)',
    'kernel-died',
    'it ended with exit code 9, and its standard error ends with "words".',
  ],
  [
    'crashes',
    'process.kill(process.pid, "SIGSEGV"); setInterval(() => {}, 1e6)',
    'kernel-died',
    'ended by SIGSEGV',
  ],
  ['dies within its line', 'write("{\\"id\\":1,"); process.exit(1)', 'kernel-died', 'exit code 1'],
  [
    'dies within C',
    'say({ id, d: 136 }); write(npy(3, 6).subarray(0, 130)); process.exit(1)',
    'kernel-died',
    'exit code 1',
  ],
  [
    'prints noise',
    'console.log("Loading \\x1b model …".padEnd(80, "x")); answer(id, 3, 6)',
    'kernel-answer',
    `it wrote "${'Loading \u{fffd} model …'.padEnd(60, 'x')}…", expected a line of JSON. Write everything but`,
  ],
  [
    'prints numbers',
    'console.log("3"); answer(id, 3, 6)',
    'kernel-answer',
    'it wrote "3", expected a line of JSON',
  ],
  ['answers the wrong id', 'answer(id + 6, 3, 6)', 'kernel-answer', 'the id of its answer is '],
  ['says nothing of C', 'say({ id })', 'kernel-answer', '"d" of its line is missing, expected the bytes'],
  ['says nonsense of C', 'say({ id, d: "136" })', 'kernel-answer', '"d" of its line is "136", expected'],
  [
    'writes gigabytes',
    'say({ id, d: 2 ** 33 }); for (;;) write(Buffer.alloc(1e6))',
    'kernel-answer',
    'it announces 8589934592 bytes for D.npy',
  ],
  ['writes too short a C', 'answer(id, 3)', 'kernel-answer', 'its D.npy is 1×1, expected 2×1.'],
  [
    'writes a C cut short',
    'say({ id, d: 132 }); write(npy(3, 6).subarray(0, 132))',
    'kernel-answer',
    'its D.npy is truncated',
  ],
  [
    'answers twice',
    'write(Buffer.concat([reply(id, 3, 6), reply(id, 3, 6)]))',
    'kernel-answer',
    'it wrote "{"id":',
  ],
  [
    'never stops',
    'write(Buffer.concat([reply(id, 3, 6), Buffer.alloc(9)])); for (;;) write(Buffer.alloc(1e6))',
    'kernel-answer',
    'after its answer',
  ],
  [
    'closes its output',
    'require("node:fs").closeSync(1); setInterval(() => {}, 1e6)',
    'kernel-answer',
    'it closed its output before',
  ],
];

describe('after a worker that', () => {
  // The worker selects its misbehavior by k. The next product restarts one that has ended.
  const all = misbehaviors.map(([, program]) => `() => { ${program} }`);
  const session = open(`[${all.join()}][k - 1]();`);

  it.each(
    inShort(
      misbehaviors.map((row, at) => [...row, at + 1] as const),
      6,
    ),
  )('%s', async (_, __, code, says, k) => {
    const error = await ask(session, 2, k).catch((thrown) => thrown);
    expect(error).toMatchObject({ name: 'ParanoiaError', code });
    expect(error.message).toContain(`2×${k}×1: `);
    expect(error.message).toContain(says);
    expect((await ask(session, 1)).c.data[0]).toBe(3);
  });
});

describe('a worker that', () => {
  it.each(
    inShort(
      [
        ['never answers', ''],
        ['is lost in a loop', 'for (;;);'],
        ['gives half an answer', 'say({ id, d: 136 }); write(npy(3, 6).subarray(0, 130))'],
      ],
      3,
    ),
  )('%s', async (_, otherwise) => {
    const session = open(otherwise);
    await ask(session, 1);
    stopClock();
    expect(await waitUntilGivenUp(ask(session))).toMatchObject({
      ...{ code: 'kernel-hangs', message: expect.stringContaining('for 2×1×1 within 60 s') },
    });
    startClock();
    expect((await ask(session, 1)).c.data[0]).toBe(3);
  });

  it('is too slow for its limit, is not to blame, and gets another process', async () => {
    const session = open(
      'if (k === 2 ** 19) { say({ id, d: 136, seconds: [1000] }); write(npy(3, 6)); } else for (;;);',
    );
    await ask(session, 2, 2 ** 19);
    stopClock();
    expect(await waitUntilGivenUp(ask(session, 2, 2 ** 18))).toMatchObject({
      ...{
        code: 'kernel-is-slow',
        blames: 'nobody',
        message: expect.stringContaining('about 500 s or more'),
      },
    });
    startClock();
    expect((await ask(session, 1)).c.data[0]).toBe(3);
  });

  it('is slow to start, once', async () => {
    const reached = join(folder, 'reached');
    const gate = join(folder, 'gate');
    const session = open(`}
      const { existsSync, writeFileSync } = require('node:fs');
      writeFileSync('${reached}', '');
      while (!existsSync('${gate}'));
      ${hello} {`);
    stopClock();
    const slow = ask(session, 1);
    await waitUntil(() => existsSync(reached));
    // Longer than a product may take, shorter than a start and a product.
    await advanceClock(150);
    writeFileSync(gate, '');
    expect((await slow).c.data[0]).toBe(3);
  });

  it('is ready, but never answers: it has its time limit, and no more', async () => {
    const session = open(`} ${hello} {`);
    stopClock();
    const begin = performance.now();
    const hanging = ask(session);
    hanging.catch(() => {});
    await waitUntil(async () => 'mine' in ((await session.versions?.()) ?? {}));
    expect(await waitUntilGivenUp(hanging)).toMatchObject({
      ...{ code: 'kernel-hangs', message: expect.stringContaining('within 60 s') },
    });
    expect(performance.now() - begin).toBeLessThanOrEqual(61_000);
  });

  itWhole('never says a word: only the first two are waited for', async () => {
    const session = open('} for (;;); {', { timeLimit: 10 });
    stopClock();
    const waited: number[] = [];
    for (let i = 0; i < 5; i++) {
      const begin = performance.now();
      expect(await waitUntilGivenUp(ask(session))).toMatchObject({ code: 'kernel-hangs' });
      waited.push(Math.round((performance.now() - begin) / 1000));
    }
    expect(waited).toEqual([130, 130, 10, 10, 10]);
  });

  itWhole('speaks unasked', async () => {
    const [gate, said] = ['unasked', 'said'].map((name) => join(folder, name));
    const session = open(`${right}
      const { existsSync, writeFileSync } = require('node:fs');
      const timer = setInterval(() => {
        if (!existsSync('${gate}')) return;
        clearInterval(timer);
        write("psst\\n");
        writeFileSync('${said}', '');
      }, 5);`);
    await ask(session);
    writeFileSync(gate, '');
    // It is in the pipe then, and is read in the next turns.
    await waitUntil(() => existsSync(said));
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setTimeout(resolve));
    await expect(ask(session, 1)).rejects.toMatchObject({
      ...{ code: 'kernel-answer', message: expect.stringContaining('it wrote "psst') },
    });
    expect((await ask(session, 1)).c.data[0]).toBe(3);
  });
});

describe.concurrent('a worker that', () => {
  it.each(
    inShort(
      [
        ['an error', 'error: "no"', '', 'mine threw an error: no.'],
        ['D', 'd: 136', 'write(npy(3, 6));', 'it answered before it read its operands'],
      ],
      2,
    ),
  )('answers with %s before it has read what does not fit into the pipe', async (_, line, file, says) => {
    const session = open(`}
      say({ id: 1, ${line} }); ${file} process.stdin.pause(); setInterval(() => {}, 1e6); {`);
    await expect(ask(session, 2, 30_000)).rejects.toThrow(says);
    await expect(ask(session, 2, 30_000)).rejects.toThrow(says);
  });

  it('is not there', async () => {
    const program = { command: ['no-such-program'], mode: 'worker' } as const;
    const session = openProgram({ name: 'mine', program }, { cwd: '.' });
    await expect(ask(session)).rejects.toMatchObject({
      ...{ code: 'bad-kernel', message: expect.stringContaining('"no-such-program" was not found') },
    });
  });

  itWhole('gets and gives what no pipe holds', async () => {
    const session = open('answer(id, ...Array.from({ length: 30000 }, (_, i) => 3 * (i + 1)))');
    const { c } = await ask(session, 30_000);
    expect(c.data.every((x, i) => x === 3 * (i + 1))).toBe(true);
  });
});

describe('a worker that is asked to time itself', () => {
  const told = (line: string) =>
    `const asked = time ?? {}, file = npy(3, 6); say({ id, d: file.length, ${line} }); write(file);`;
  const timing = { warmUp: 2, trials: 30, least: 0, most: 5, fewest: 3 };
  const time = (session: KernelSession<ProductInput>) => {
    const [a, b] = [matrix(2, 1, Float32Array.of(1, 2)), matrix(1, 1, Float32Array.of(3))];
    return session.time?.({ operands: { a, b } }, timing);
  };

  it('is told how, and says what each trial took, and where', async () => {
    const session = open(told('seconds: [asked.trials, asked.warmUp, asked.most], gpu: true'));
    const timed = await time(session);
    expect(timed).toMatchObject({ clock: 'own', seconds: [30, 2, 5], onGpu: true });
    expect(timed?.product.c.data).toEqual(Float32Array.of(3, 6));
    // Without a request for trials it gets none.
    const plain = open(told('error: String(asked.trials)'));
    await expect(ask(plain)).rejects.toThrow(/undefined/);
  });

  it('may have no clock', async () => {
    expect(await time(open(right))).toBeUndefined();
  });

  it.each(inShort(['[]', '[0]', '["1"]', '{}'], 2))('is not believed where it says %s', async (seconds) => {
    await expect(time(open(told(`seconds: ${seconds}`)))).rejects.toThrow(
      /"seconds" of its line is .*, expected a list of times/,
    );
  });
});
