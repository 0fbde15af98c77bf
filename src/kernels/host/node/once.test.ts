import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inShort, itWhole } from '../../../base/in-short.testing.ts';
import { matrix } from '../../../matrix/dense.ts';
import { type Gemm, type MatrixLayout, plainGemm } from '../../../matrix/gemm.ts';
import type { KernelSession, ProductInput } from '../../kernel.ts';
import { stopClock, waitUntil, waitUntilGivenUp } from '../../stopped-clock.testing.ts';
import { productFrom } from '../../tampered.testing.ts';
import type { ProgramKernel } from '../../user-kernel.ts';
import { openProgram } from './open-program.ts';

const A = matrix(2, 3, Float32Array.of(1, 2, 3, 4, 5, 6));
const B = matrix(3, 2, Float32Array.of(1, 0, 0, 1, 1, 1));

const ask = (session: KernelSession<ProductInput>, gemm?: Gemm) =>
  productFrom(session, { operands: { a: A, b: B }, gemm });

const plain = plainGemm({ m: 2, k: 3, n: 2 });
const transposed = (ld: number): MatrixLayout => ({ op: 't', order: 'row', ld, offset: 0, stride: 6 });

let cwd: string;
/** The file in which every program notes its folder. */
let notes: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'once-'));
  notes = join(cwd, 'notes');
});
afterAll(() => rmSync(cwd, { recursive: true }));

/** The head of Node programs, with `fs`, `a`, `b`, `c`, `sizes` and `npy`, which makes a C.npy of a type, shape and bytes. */
const HEAD = `
const fs = require('node:fs');
const [a, b, c, ...sizes] = process.argv.slice(1);
fs.appendFileSync(process.env.NOTES, c + '\\n');
const npy = (data, shape = '(2, 2)', descr = '<f4', order = 'False') => {
  const header = "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ', }';
  const start = Buffer.from('\\x93NUMPY\\x01\\x00v\\x00', 'latin1');
  return Buffer.concat([start, Buffer.from(header.padEnd(117) + '\\n'), Buffer.from(data.buffer)]);
};
`;
const program = (body: string, rest: Partial<ProgramKernel> = {}) =>
  openProgram(
    {
      name: 'mine',
      ...rest,
      program: {
        command: [process.execPath, '-e', HEAD + body, '{a}', '{b}', '{c}', '{m}x{k}', '{n}'],
        env: { NOTES: notes },
      },
    },
    { cwd },
  );
const right = 'fs.writeFileSync(c, npy(Float32Array.of(4, 5, 10, 11)));';

describe.concurrent('products', () => {
  it('are read from files, which are gone afterwards', async () => {
    const session = program(`console.log('noise'); console.error('more'); ${right}
      fs.writeFileSync('seen.json', JSON.stringify([sizes, fs.readFileSync(a, 'latin1'), fs.statSync(b).size, c]));`);
    const { seconds, ...rest } = await ask(session);
    expect(rest).toEqual({
      c: matrix(2, 2, Float32Array.of(4, 5, 10, 11)),
      ...{ unwritten: 0, overwritten: 0, changed: 0 },
    });
    expect(seconds).toBeGreaterThan(0);
    const { default: seen } = await import(join(cwd, 'seen.json'), { with: { type: 'json' } });
    expect(seen[0]).toEqual(['2x3', '2']);
    expect(seen[1]).toContain("'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)");
    expect(seen[2]).toBe(128 + 24);
    expect(existsSync(dirname(seen[3]))).toBe(false);
  });

  it.each(
    inShort(
      [
        ['f16', 'no', plain, '<f2', 'False', 'False', 'Float64Array.of(4, 5, 10, 2048)', '<f8'],
        [
          'f16',
          'the first',
          { ...plain, a: transposed(2) },
          '<f2',
          'True',
          'False',
          'Uint16Array.of(0x4400, 0x4500, 0x4900, 0x6800)',
          '<f2',
        ],
        [
          'f64',
          'the second',
          { ...plain, b: transposed(3) },
          '<f8',
          'False',
          'True',
          'Float64Array.of(4, 5, 10, 2048)',
          '<f8',
        ],
      ] as const,
      2,
    ),
  )('in %s, with %s operand transposed', async (precision, _, gemm, type, orderA, orderB, data, answered) => {
    const body = `
      const header = (file) => fs.readFileSync(file, 'latin1').slice(10, 80);
      const seen = header(a).includes("'${type}', 'fortran_order': ${orderA}") &&
        header(b).includes("'${type}', 'fortran_order': ${orderB}");
      if (!seen) throw new Error(header(a) + header(b));
      fs.writeFileSync(c, npy(${data}, '(2, 2)', '${answered}'));`;
    const session = program(body, { precision, accepts: { transposed: true } });
    const { c } = await ask(session, gemm);
    expect([...c.data]).toEqual([4, 5, 10, 2048]);
    expect(c.data).toBeInstanceOf(precision === 'f64' ? Float64Array : Float32Array);
  });

  itWhole.each<[string, string, string, string]>([
    [
      'says why',
      'console.error("a\\nbad \\x1b[31mday\\n"); process.exit(3)',
      'kernel-died',
      'exit code 3, and its standard error ends with "bad \u{fffd}[31mday".',
    ],
    [
      'crashes',
      'process.kill(process.pid, "SIGSEGV"); setInterval(() => {}, 1e6)',
      'kernel-died',
      'it was ended by SIGSEGV.',
    ],
    [
      'writes nothing',
      'console.error("hm")',
      'kernel-answer',
      'it ended without writing C.npy, and its standard error ends with "hm".',
    ],
    ['makes a folder of C', 'fs.mkdirSync(c)', 'kernel-answer', 'without writing C.npy.'],
    [
      'writes garbage',
      'fs.writeFileSync(c, "4 5\\n10 11")',
      'kernel-answer',
      'its C.npy is not a valid .npy file: it does not start',
    ],
    [
      'transposes',
      'fs.writeFileSync(c, npy(new Float32Array(8), "(4, 2)"))',
      'kernel-answer',
      'its C.npy is 4×2, expected 2×2.',
    ],
    [
      'writes too much',
      'fs.writeFileSync(c, Buffer.alloc(20000))',
      'kernel-answer',
      'its C.npy has 20000 bytes, too many',
    ],
  ])('fails when it %s', async (_, body, code, says) => {
    const error = await ask(program(body)).catch((thrown) => thrown);
    expect(error).toMatchObject({ name: 'ParanoiaError', code });
    expect(error.message).toContain(says);
  });
});

it('hangs, and is ended with what it started', async () => {
  const body = `
    const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'inherit' });
    fs.writeFileSync('pids', [process.pid, child.pid].join());
    fs.writeFileSync('looping', '');
    for (;;);`;
  stopClock();
  const lost = ask(program(body));
  lost.catch(() => {});
  await waitUntil(() => existsSync(join(cwd, 'looping')));
  expect(await waitUntilGivenUp(lost)).toMatchObject({
    code: 'kernel-hangs',
    message: expect.stringContaining('for 2×3×2 within 60 s'),
  });
  const pids = readFileSync(join(cwd, 'pids'), 'utf8').split(',').map(Number);
  expect(pids).toHaveLength(2);
  await waitUntil(() => !pids.some(runs));
});

/** True if a process of this id exists and has not ended. */
function runs(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

itWhole('no folder is left, whatever they did', () => {
  const folders = readFileSync(notes, 'utf8').trim().split('\n').map(dirname);
  expect(folders.length).toBeGreaterThan(10);
  expect(folders.filter(existsSync)).toEqual([]);
});

describe('programs that cannot start', () => {
  const command = ['{a}', '{b}', '{c}'] as const;
  const open = (file: string, rest: object = {}) =>
    openProgram({ name: 'mine', program: { command: [file, ...command], ...rest } }, { cwd });

  it.each<[string, string, object, string]>([
    ['is not there', 'no-such-program', {}, 'its program "no-such-program" was not found. Install it'],
    ['is not executable', './text', {}, 'is not executable. Make it so (chmod +x)'],
    ['has no folder', 'node', { cwd: 'nowhere' }, 'nowhere does not exist'],
    ['has no name', '', {}, 'cannot be started: '],
    ['has no valid name', 'a\0b', {}, 'cannot be started: '],
  ])('one that %s', async (_, file, rest, says) => {
    writeFileSync(join(cwd, 'text'), 'just text');
    await expect(ask(open(file, rest))).rejects.toMatchObject({
      ...{ code: 'bad-kernel', exitCode: 2 },
      message: expect.stringContaining(says),
    });
  });

  it('one that is not told where its files are', () => {
    const program = { command: ['mm', '{a}'] } as const;
    expect(() => openProgram({ name: 'mine', program }, { cwd })).toThrow(
      'The kernel "mine" cannot be used: its command lacks {b} and {c}',
    );
  });

  it.each([
    ['everything', 'leading dimensions above the minimum'],
    [{ batch: true }, 'batches'],
    [{ transposed: true, beta: true }, 'beta other than 0'],
  ] as const)('one that accepts what it is not told of: %j', (accepts, what) => {
    const program = { command: ['mm', ...command] } as const;
    expect(() => openProgram({ name: 'mine', accepts, program }, { cwd })).toThrow(
      `The kernel "mine" cannot be used: its program starts for every product with m, k and n alone, so it cannot accept ${what}. Give it the mode "worker", or accept at most transposed, columns, empty.`,
    );
  });
});
