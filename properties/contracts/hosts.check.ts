import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { defaultThresholds } from '../../src/evidence/checks/check.ts';
import { Evaluator } from '../../src/evidence/evaluate.ts';
import { resultOf } from '../../src/evidence/result-of.ts';
import { exactProduct } from '../../src/exact/exact.ts';
import { externalKernel } from '../../src/kernels/external-kernel.ts';
import { openInHost, openProgram } from '../../src/kernels/host/node/open-external.ts';
import type { Factors, Session } from '../../src/kernels/kernel.ts';
import { claimedIn } from '../../src/precision/precision.ts';
import { singlePrecision } from '../../src/precision/single.ts';
import { parseCase } from '../../src/problem/case.ts';
import { processor } from '../../src/run/node/processor.ts';

/**
 * The contract: whatever a kernel that is not ours does to a product, that product is blamed for it, also where it shows only
 * after the answer, and the next product passes. Every kernel here multiplies rightly but at m = 7, where it misbehaves;
 * what it breaks in its process it leaves broken.
 */

/** Seconds for a product: few where no answer is to come, and still a thousand times what an honest one takes. */
const secondsFor = ({ says }: Misbehaviour) => (says?.source.includes('no answer') ? 60 : 3600);

/** Never goes on, as a loop without an end, but leaves the processor to others. */
const FOREVER = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);';

/** What is done at m = 7, as JavaScript that may use `right`, the product, `a`, `b`, `fs` and, of a program, `answer`. */
interface Misbehaviour {
  readonly what: string;
  readonly program: string;
  /** What the gate says of the product; undefined where it is to pass. */
  readonly says: RegExp | undefined;
}

const functions: readonly Misbehaviour[] = [
  {
    what: 'aborts in a timer',
    program: 'setTimeout(() => process.abort(), 1);',
    says: /died while .* SIGABRT/,
  },
  {
    what: 'aborts in a timer that is due later',
    program: 'setTimeout(() => process.abort(), 10);',
    says: /died while .* SIGABRT/,
  },
  { what: 'exits in the next turn', program: 'setImmediate(() => process.exit(3));', says: /exit code 3/ },
  { what: 'forgets a promise', program: 'Promise.reject(new Error("lost"));', says: /nothing caught: lost/ },
  { what: 'throws', program: 'broken = true; throw new Error("oh no");', says: /threw an error: oh no/ },
  { what: 'never returns', program: FOREVER, says: /gave no answer for 7×/ },
  { what: 'exits', program: 'process.exit(0);', says: /died while .* exit code 0/ },
  {
    what: 'exits half-way through an answer',
    program: `fs.writeSync(4, '{"id":2,"d":'); process.exit(0);`,
    says: /died while .* exit code 0/,
  },
  {
    what: 'exits half-way through a product',
    program: `fs.writeSync(4, '{"id":2,"d":200}\\n12345'); process.exit(0);`,
    says: /died while .* exit code 0/,
  },
  { what: 'returns too few entries', program: 'return right.slice(1);', says: /Float32Array of 34 entries/ },
  { what: 'changes an operand', program: 'a[3] += 1;', says: /operand/ },
  {
    what: 'prints and sends what looks like answers',
    program: `for (let id = 0; id < 9; id++) {
      console.log(JSON.stringify({ id, d: 4 }));
      process.send?.({ tell: 'product', id, execution: { c: { rows: 7, cols: 5, data: right } } });
    }`,
    says: undefined,
  },
  {
    what: 'prints a right answer and returns a wrong one',
    program: 'console.log(JSON.stringify({ id: 2, d: 268 })); return right.map((x) => 3 * x);',
    says: /bound|exact|off/,
  },
];

const programs: readonly Misbehaviour[] = [
  {
    what: 'aborts behind its answer',
    program: 'answer(right); process.abort();',
    says: /died while .* SIGABRT/,
  },
  { what: 'exits behind its answer', program: 'answer(right); process.exit(3);', says: /exit code 3/ },
  { what: 'tells of an error', program: 'broken = true; say({ id, error: "oh no" });', says: /error: oh no/ },
  {
    what: 'blames somebody else for an error',
    program:
      'broken = true; say({ id, error: "oh no", failure: { code: "no-adapter", exitCode: 3, blames: "nobody" } });',
    says: /threw an error: oh no/,
  },
  { what: 'never answers', program: FOREVER, says: /gave no answer for 7×/ },
  {
    what: 'exits half-way through an answer',
    program: `fs.writeSync(1, '{"id":' + id + ',"d":'); process.exit(0);`,
    says: /died while .* exit code 0/,
  },
  {
    what: 'exits half-way through a product',
    program: 'say({ id, d: 268 }); fs.writeSync(1, "12345"); process.exit(0);',
    says: /died while .* exit code 0/,
  },
  { what: 'answers with too few entries', program: 'answer(right, 6);', says: /its D.npy is 6×5, not 7×5/ },
  { what: 'prints', program: 'fs.writeSync(1, "hello\\n"); answer(right);', says: /it wrote "hello" where/ },
  { what: 'answers for another product', program: 'say({ id: id + 1, d: 268 });', says: /it answered id/ },
  { what: 'answers what is none', program: 'say({ id, d: "many" });', says: /"many" where "d" is to be/ },
];

const MULTIPLY = `
let broken = false;
const product = (a, b, m, k, n) => Float32Array.from({ length: m * n }, (_, e) => {
  let sum = broken ? 1 : 0;
  for (let p = 0; p < k; p++) sum = Math.fround(sum + Math.fround(a[Math.floor(e / n) * k + p] * b[p * n + (e % n)]));
  return sum;
});`;

const functionSource = (misbehave: string) => `
import fs from 'node:fs';
import { openFunctionKernel } from '${new URL('../../dist/kernels/function-kernel.js', import.meta.url).href}';
${MULTIPLY}
const multiply = (a, b, { m, k, n }) => {
  const right = product(a, b, m, k, n);
  if (m === 7) { ${misbehave} }
  return right;
};
export const locate = async () => openFunctionKernel({ name: 'mine', multiply, timeLimit: 3600 });`;

/** A program reads without waiting in between, so that what it does behind an answer happens before it reads on. */
const programSource = (misbehave: string) => `
const fs = require('node:fs');
${MULTIPLY}
const take = (count) => {
  const bytes = Buffer.alloc(count);
  for (let at = 0; at < count; ) {
    try {
      const read = fs.readSync(0, bytes, at, count - at);
      if (read === 0) process.exit();
      at += read;
    } catch (error) { if (error.code !== 'EAGAIN') throw error; }
  }
  return bytes;
};
const line = () => { let text = ''; for (;;) { const c = take(1).toString(); if (c === '\\n') return JSON.parse(text); text += c; } };
const matrix = (count) => { const file = take(count); return new Float32Array(Uint8Array.from(file.subarray(10 + file.readUInt16LE(8))).buffer); };
const say = (message) => fs.writeSync(1, JSON.stringify(message) + '\\n');
say({ ready: true, pings: true });
for (;;) {
  const { ping, id, problem, ...bytes } = line();
  if (ping !== undefined) { say({ pong: ping }); continue; }
  const { m, k, n } = problem;
  const right = product(matrix(bytes.a), matrix(bytes.b), m, k, n);
  const answer = (d, rows = m) => {
    const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + rows + ', ' + n + '), }';
    const start = Buffer.from('\\x93NUMPY\\x01\\x00v\\x00', 'latin1');
    const file = Buffer.concat([start, Buffer.from(header.padEnd(117) + '\\n'), Buffer.from(d.buffer, 0, 4 * rows * n)]);
    say({ id, d: file.length });
    fs.writeSync(1, file);
  };
  if (m === 7) { ${misbehave} } else answer(right);
}`;

const folder = mkdtempSync(join(tmpdir(), 'hosts-'));
const opened: Session<Factors>[] = [];
afterAll(async () => {
  await Promise.all(opened.map((session) => session.close?.()));
  rmSync(folder, { recursive: true });
});

function openFunction(one: Misbehaviour): Session<Factors> {
  const module = join(folder, `${opened.length}.mjs`);
  writeFileSync(module, functionSource(one.program));
  return openInHost(
    { name: 'mine', timeLimit: secondsFor(one) },
    { module: pathToFileURL(module).href, args: {} },
  );
}

function openWorker(one: Misbehaviour): Session<Factors> {
  const program = { command: [process.execPath, '-e', programSource(one.program)], mode: 'worker' } as const;
  return openProgram({ name: 'mine', timeLimit: secondsFor(one), program }, { cwd: folder });
}

const evaluator = new Evaluator(exactProduct);

/** What the gate says of the products of m = 5, 7 and 9. */
async function judged(session: Session<Factors>) {
  opened.push(session);
  const kernel = externalKernel(
    { name: 'mine', multiply: () => new Float32Array() },
    session,
    claimedIn(singlePrecision),
  );
  const results = [];
  for (const m of [5, 7, 9]) {
    const value = parseCase(`kernel=mine;input=uniform;m=${m};k=6;n=5;seed=1`);
    const found = await evaluator.attempt({ case: value, kernel }, processor());
    results.push(await resultOf(value, kernel, found, defaultThresholds));
  }
  return results;
}

async function expectBlame(session: Session<Factors>, { says }: Misbehaviour): Promise<void> {
  const results = await judged(session);
  const verdicts = results.map(({ verdict }) => verdict);
  expect(verdicts, results.map(({ reason }) => reason).join('\n')).toEqual([
    'pass',
    says === undefined ? 'pass' : 'fail',
    'pass',
  ]);
  if (says !== undefined) expect(results[1].reason).toMatch(says);
}

describe('a function that', () => {
  it.each(functions)('$what is blamed on its own product', async (misbehaviour) => {
    await expectBlame(openFunction(misbehaviour), misbehaviour);
  });
});

describe('a program that', () => {
  it.each(programs)('$what is blamed on its own product', async (misbehaviour) => {
    await expectBlame(openWorker(misbehaviour), misbehaviour);
  });
});
