import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect } from 'vitest';
import { itWhole } from '../../src/base/in-short.testing.ts';
import { defaultThresholds } from '../../src/evidence/checks/check.ts';
import { Evaluator } from '../../src/evidence/evaluate.ts';
import { exactProduct } from '../../src/exact/exact.ts';
import { externalKernel } from '../../src/kernels/external-kernel.ts';
import { openInHost, openProgram } from '../../src/kernels/host/node/open-external.ts';
import type { Factors, Session } from '../../src/kernels/kernel.ts';
import { claimedIn } from '../../src/precision/precision.ts';
import { singlePrecision } from '../../src/precision/single.ts';
import { formatCase, parseCase } from '../../src/problem/case.ts';
import { noBaselines } from '../../src/run/baselines.ts';
import { processor } from '../../src/run/node/processor.ts';
import { runGate } from '../../src/run/run-gate.ts';

/**
 * The contract: a product that is wrong because of an earlier one is not blamed for it, whatever process its kernel runs in. The
 * kernels here are right until they have computed 129×65×33, and add 1 to the first entry from then on.
 */

const PRODUCT = `
const product = (a, b, m, k, n) => Float32Array.from({ length: m * n }, (_, e) => {
  let sum = 0;
  for (let p = 0; p < k; p++) sum = Math.fround(sum + Math.fround(a[Math.floor(e / n) * k + p] * b[p * n + (e % n)]));
  return sum;
});`;

/** The bytes of a WebAssembly module with a memory of one page, exported as m. */
const WASM = [0, 97, 115, 109, 1, 0, 0, 0, 5, 3, 1, 0, 1, 7, 5, 1, 1, 109, 2, 0];

/** A function whose state, in the memory of a module, outlives what prepares and releases it. */
const FUNCTION = `
import { openFunctionKernel } from '${new URL('../../dist/kernels/function-kernel.js', import.meta.url).href}';
${PRODUCT}
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(${JSON.stringify(WASM)})));
const memory = new Float32Array(exports.m.buffer);
const multiply = (a, b, { m, k, n }) => {
  const c = product(a, b, m, k, n);
  c[0] += memory[0];
  if (m === 129) memory[0] = 1;
  return c;
};
export const locate = async () => openFunctionKernel({ name: 'mine', multiply });`;

/** A program that is started once, and speaks over its standard input and output. */
const PROGRAM = `
${PRODUCT}
let broken = 0;
let held = Buffer.alloc(0);
process.stdin.on('data', (more) => {
  held = Buffer.concat([held, more]);
  for (;;) {
    const end = held.indexOf(10);
    if (end < 0) return;
    const { id, problem: { m, k, n }, a, b } = JSON.parse(held.subarray(0, end));
    if (held.length < end + 1 + a + b) return;
    const files = held.subarray(end + 1, end + 1 + a + b);
    held = held.subarray(end + 1 + a + b);
    const entries = (file) => new Float32Array(Uint8Array.from(file.subarray(10 + file.readUInt16LE(8))).buffer);
    const d = product(entries(files.subarray(0, a)), entries(files.subarray(a)), m, k, n);
    d[0] += broken;
    if (m === 129) broken = 1;
    const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + m + ', ' + n + '), }';
    const start = Buffer.from('\\x93NUMPY\\x01\\x00v\\x00', 'latin1');
    const file = Buffer.concat([start, Buffer.from(header.padEnd(117) + '\\n'), Buffer.from(d.buffer)]);
    process.stdout.write(Buffer.concat([Buffer.from(JSON.stringify({ id, d: file.length }) + '\\n'), file]));
  }
});
process.stdin.on('end', () => process.exit());`;

const folder = mkdtempSync(join(tmpdir(), 'blame-'));
afterAll(() => rmSync(folder, { recursive: true }));

function hosted(source: string): Session<Factors> {
  const module = join(folder, 'function.mjs');
  writeFileSync(module, source);
  return openInHost({ name: 'mine' }, { module: pathToFileURL(module).href, args: {} });
}

const hosts: readonly [string, () => Session<Factors>][] = [
  [
    'a program',
    () => {
      const program = { command: [process.execPath, '-e', PROGRAM], mode: 'worker' } as const;
      return openProgram({ name: 'mine', program }, { cwd: folder });
    },
  ],
  ['a function that keeps it in WebAssembly', () => hosted(FUNCTION)],
];

const cases = ['m=1;k=1;n=1', 'm=129;k=65;n=33', 'm=2;k=2;n=2', 'm=3;k=3;n=3'].map((shape) => ({
  ...parseCase(`kernel=mine;input=uniform-2-5;${shape};seed=1`),
  series: false,
}));
const [before, spoils, spoiled] = cases.map(formatCase);

itWhole.each(hosts)(
  'of %s, a product is blamed on what went before, and its replay fails',
  async (_, open) => {
    const machine = processor();
    const session = open();
    const spec = { name: 'mine', multiply: () => new Float32Array() };
    const gate = (texts: readonly string[]) =>
      runGate(
        texts.map((text) => ({ ...parseCase(text), series: false })),
        {
          ...{ open: machine, reopen: async () => machine, evaluator: new Evaluator(exactProduct) },
          kernelOf: async () => externalKernel(spec, session, claimedIn(singlePrecision)),
          ...{ thresholds: defaultThresholds, baselines: noBaselines(machine.fingerprint.id) },
        },
      );
    try {
      const found = await gate(cases.map(formatCase));
      expect(found.cases.map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'fail', 'pass']);
      const [, , failed] = found.cases;
      expect(failed.after).toEqual([spoils]);
      expect(failed.reason).toMatch(/^It passes alone, and fails only after 129×65×33: /);
      expect(failed.replay).toBe(`npx gemm-paranoia gate --case '${spoils}' --case '${spoiled}'`);
      await session.renew?.();
      const replayed = await gate([spoils, spoiled]);
      expect(replayed.cases.map(({ verdict, after }) => [verdict, after])).toEqual([
        ['pass', undefined],
        ['fail', [spoils]],
      ]);
      await session.renew?.();
      expect((await gate([before, spoiled])).verdict).toBe('pass');
    } finally {
      await session.close?.();
    }
  },
);
