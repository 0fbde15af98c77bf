import { afterAll, describe, expect, it } from 'vitest';
import { matrix } from '../../matrix/dense.ts';
import { plainLayout } from '../operand-layout.ts';
import type { Session } from '../session.ts';
import type { Call, ProgramKernel } from '../user-kernel.ts';
import { openWorkerSession } from './worker-session.ts';

/** Workers answer a product of one entry rightly; what they do with others is each test's. */
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
  return Buffer.concat([Buffer.from(JSON.stringify({ id, c: file.length }) + '\\n'), file]);
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
    if (request.m === 1) answer(request.id, a * b);
    else otherwise(request);
  }
});
`;

const opened: Session[] = [];
afterAll(async () => {
  await Promise.all(opened.map((session) => session.close()));
});

function open(
  otherwise: string,
  { startUp = 5, ...rest }: Partial<ProgramKernel> & { startUp?: number } = {},
) {
  const source = `${HEAD}function otherwise({ id, k }) { ${otherwise} }`;
  const program = { command: [process.execPath, '-e', source], mode: 'worker' } as const;
  const session = openWorkerSession(
    { name: 'mine', timeLimit: 3, ...rest, program },
    { cwd: '.' },
    { startUp },
  );
  opened.push(session);
  return session;
}

/** m×k of 1, 2, 3 … times k×1 of 3. */
function ask(session: Session, m = 2, k = 1) {
  const a = matrix(
    m,
    k,
    Float32Array.from({ length: m * k }, (_, i) => i + 1),
  );
  const call: Call = { m, k, n: 1, layout: plainLayout };
  return session.multiply(a, matrix(k, 1, new Float32Array(k).fill(3)), call);
}

const right = 'answer(id, 3, 6);';
const hello = 'say({ ready: true, versions: { mine: "1.2", wrong: 3 } });';

it('multiplies one product after the other in one process, and states its versions', async () => {
  const session = open(`say({ id, error: String(process.pid) }); } ${hello} {`);
  expect(await session.versions()).toEqual({});
  const { seconds, ...rest } = await ask(session, 1);
  expect(rest).toEqual({
    c: matrix(1, 1, Float32Array.of(3)),
    ...{ unwritten: 0, guardsTouched: 0, operandsChanged: 0 },
  });
  expect(seconds).toBeGreaterThan(0);
  const pid = async () => (await ask(session).catch((error) => error)).message;
  expect(await pid()).toMatch(/^mine threw an error: \d+\.$/);
  expect(await pid()).toBe(await pid());
  expect(await session.versions()).toEqual({ mine: '1.2' });
  const both = await Promise.all([ask(session, 1), ask(session, 1)]);
  expect(both.map(({ c }) => c.data[0])).toEqual([3, 3]);
});

/** What a worker does, as a program; the problem that comes of it, and what that says. */
const misbehaviours: readonly (readonly [what: string, program: string, code: string, says: string])[] = [
  [
    'dies',
    'console.error("last\\nwords"); process.exit(9)',
    'kernel-died',
    'it ended with exit code 9, and its standard error ends with "words".',
  ],
  [
    'crashes',
    'process.kill(process.pid, "SIGSEGV"); setTimeout(() => {}, 5000)',
    'kernel-died',
    'ended by SIGSEGV',
  ],
  [
    'throws',
    'throw new Error("x")',
    'kernel-died',
    'exit code 1, and its standard error ends with "Error: x".',
  ],
  ['ends without a word', 'process.exit()', 'kernel-died', 'it ended with exit code 0.'],
  ['dies within its line', 'write("{\\"id\\":1,"); process.exit(1)', 'kernel-died', 'exit code 1'],
  [
    'dies within C',
    'say({ id, c: 136 }); write(npy(3, 6).subarray(0, 130)); process.exit(1)',
    'kernel-died',
    'exit code 1',
  ],
  [
    'prints noise',
    'console.log("Loading \\x1b model …".padEnd(80, "x")); answer(id, 3, 6)',
    'kernel-answer',
    `it wrote "${'Loading \u{fffd} model …'.padEnd(60, 'x')}…" where a line of JSON was to come; what is not`,
  ],
  ['prints numbers', 'console.log("3"); answer(id, 3, 6)', 'kernel-answer', 'it wrote "3" where'],
  ['answers the wrong id', 'answer(id + 6, 3, 6)', 'kernel-answer', 'it answered id '],
  ['says nothing of C', 'say({ id })', 'kernel-answer', 'its line says no where "c" is to be the bytes'],
  ['says nonsense of C', 'say({ id, c: "136" })', 'kernel-answer', 'its line says "136" where'],
  [
    'writes gigabytes',
    'say({ id, c: 2 ** 33 }); for (;;) write(Buffer.alloc(1e6))',
    'kernel-answer',
    'it announces 8589934592 bytes for C.npy',
  ],
  ['writes too short a C', 'answer(id, 3)', 'kernel-answer', 'its C.npy is 1×1, not 2×1'],
  [
    'writes a C cut short',
    'say({ id, c: 132 }); write(npy(3, 6).subarray(0, 132))',
    'kernel-answer',
    'its C.npy is truncated',
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
    'require("node:fs").closeSync(1); setTimeout(() => {}, 20000)',
    'kernel-answer',
    'it closed its standard output before',
  ],
];

describe('after a worker that', () => {
  // Which misbehaviour is due, the worker sees from k. One that has ended is started anew by the product after it.
  const all = misbehaviours.map(([, program]) => `() => { ${program} }`);
  const session = open(`[${all.join()}][k - 1]();`);

  it.each(misbehaviours.map((row, at) => [...row, at + 1] as const))('%s', async (_, __, code, says, k) => {
    const error = await ask(session, 2, k).catch((thrown) => thrown);
    expect(error).toMatchObject({ name: 'Problem', code });
    expect(error.message).toContain(`2×${k}×1: `);
    expect(error.message).toContain(says);
    expect((await ask(session, 1)).c.data[0]).toBe(3);
  });
});

describe.concurrent('a worker that', () => {
  it.each([
    ['never answers', 'setTimeout(() => {}, 20000)'],
    ['is lost in a loop', 'for (;;);'],
    ['gives half an answer', 'say({ id, c: 136 }); write(npy(3, 6).subarray(0, 130))'],
  ])('%s', async (_, otherwise) => {
    const session = open(otherwise, { timeLimit: 0.3 });
    await ask(session, 1);
    const hangs = { code: 'kernel-hangs', message: expect.stringContaining('for 2×1×1 within 0.3 s') };
    await expect(ask(session)).rejects.toMatchObject(hangs);
    expect((await ask(session, 1)).c.data[0]).toBe(3);
  });

  it('speaks unasked', async () => {
    const session = open(`${right} setTimeout(() => write("psst\\n"), 300)`);
    await ask(session);
    await new Promise((resolve) => setTimeout(resolve, 800));
    await expect(ask(session, 1)).rejects.toMatchObject({
      ...{ code: 'kernel-answer', message: expect.stringContaining('it wrote "psst') },
    });
    expect((await ask(session, 1)).c.data[0]).toBe(3);
  });

  it.each([
    ['C', 'c: 136', 'write(npy(3, 6));', 'it answered before it had read A and B'],
    ['an error', 'error: "no"', '', 'mine threw an error: no.'],
  ])('answers with %s before it has read what does not fit into the pipe', async (_, line, file, says) => {
    const session = open(`}
      say({ id: 1, ${line} }); ${file} process.stdin.pause(); setTimeout(() => {}, 20000); {`);
    await expect(ask(session, 2, 30_000)).rejects.toThrow(says);
    await expect(ask(session, 2, 30_000)).rejects.toThrow(says);
  });

  it('is slow to start, once', async () => {
    const session = open(`} const start = Date.now(); while (Date.now() < start + 500); ${hello} {`, {
      timeLimit: 0.3,
    });
    expect((await ask(session, 1)).c.data[0]).toBe(3);
  });

  it('is ready, but never answers: it has its time limit, and no more', async () => {
    const session = open(`setTimeout(() => {}, 20000); } ${hello} {`, { timeLimit: 0.3, startUp: 10 });
    const start = performance.now();
    await expect(ask(session)).rejects.toMatchObject({
      ...{ code: 'kernel-hangs', message: expect.stringContaining('within 0.3 s') },
    });
    expect(performance.now() - start).toBeLessThan(8000);
  });

  it('never says a word: only the first two are waited for', async () => {
    const session = open('} for (;;); {', { timeLimit: 0.1, startUp: 0.3 });
    const start = performance.now();
    for (let i = 0; i < 5; i++) await expect(ask(session)).rejects.toMatchObject({ code: 'kernel-hangs' });
    expect(performance.now() - start).toBeLessThan(2000);
  });

  it('is not there', async () => {
    const program = { command: ['no-such-program'], mode: 'worker' } as const;
    const session = openWorkerSession({ name: 'mine', program }, { cwd: '.' });
    await expect(ask(session)).rejects.toMatchObject({
      ...{ code: 'bad-kernel', message: expect.stringContaining('"no-such-program" is not found') },
    });
  });

  it('gets and gives what no pipe holds', async () => {
    const session = open('answer(id, ...Array.from({ length: 30000 }, (_, i) => 3 * (i + 1)))');
    const { c } = await ask(session, 30_000);
    expect(c.data.every((x, i) => x === 3 * (i + 1))).toBe(true);
  });
});

describe('a worker that is asked to time itself', () => {
  const told = (line: string) =>
    `const asked = arguments[0], file = npy(3, 6); say({ id, c: file.length, ${line} }); write(file);`;
  const timing = { warmUp: 2, trials: 30, least: 0, most: 5, fewest: 3 };
  const time = (session: Session) => {
    const [a, b] = [matrix(2, 1, Float32Array.of(1, 2)), matrix(1, 1, Float32Array.of(3))];
    return session.time?.(a, b, { m: 2, k: 1, n: 1, layout: plainLayout }, timing);
  };

  it('is told how, and says what each trial took, and where', async () => {
    const session = open(told('seconds: [asked.trials, asked.warmUp, asked.most], gpu: true'));
    const timed = await time(session);
    expect(timed?.own).toEqual({ seconds: [30, 2, 5], onGpu: true });
    expect(timed?.c.data).toEqual(Float32Array.of(3, 6));
    // Without being asked for trials it is told of none.
    const plain = open(told('error: String(asked.trials)'));
    await expect(ask(plain)).rejects.toThrow(/undefined/);
  });

  it('may have no clock', async () => {
    expect((await time(open(right)))?.own).toBeUndefined();
  });

  it.each(['[]', '[0]', '["1"]', '{}'])('is not believed where it says %s', async (seconds) => {
    await expect(time(open(told(`seconds: ${seconds}`)))).rejects.toThrow(
      /"seconds" is to be a list of times/,
    );
  });
});
