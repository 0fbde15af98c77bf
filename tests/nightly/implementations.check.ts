import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CaseResult } from '../../src/evidence/case-result.ts';
import type { Results } from '../../src/run/results.ts';
import { bundleUserCode } from '../../src/runtimes/node/bundle.ts';
import { findRuntime } from '../../src/runtimes/node/judge-in.ts';
import { runtimes } from '../../src/runtimes/node/runtimes.ts';

/** The same cases in every available runtime, on SwiftShader: verdicts and bits equal those of Node. */
const root = join(import.meta.dirname, '../..');

const CONFIG = `import { defineConfig, defineKernel } from 'gemm-paranoia';
import { product } from './product';

export default defineConfig({
  kernels: [
    defineKernel({ name: 'mine', multiply: (a, b, shape) => product(a as Float32Array, b as Float32Array, shape) }),
    'shader.wgsl',
  ],
});
`;
const PRODUCT = `interface Shape { m: number; k: number; n: number }

/** The last entry is off where there are more than eight rows. */
export function product(a: Float32Array, b: Float32Array, { m, k, n }: Shape): Float32Array {
  const c = new Float32Array(m * n);
  for (let i = 0; i < m; i++)
    for (let p = 0; p < k; p++) for (let j = 0; j < n; j++) c[i * n + j] += a[i * k + p] * b[p * n + j];
  if (m > 8) c[m * n - 1] += 1;
  return c;
}
`;

/** Cases that run long enough to be killed. */
const FUSED = ['--kernel', 'strassen:fused', '--size', '64', '--levels', '3'];

let folder: string;
let cases: string[];
let inNode: Compared[];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'implementations-'));
  writeFileSync(join(folder, 'paranoia.config.ts'), CONFIG);
  writeFileSync(join(folder, 'product.ts'), PRODUCT);
  const shader = readFileSync(join(root, 'share/templates/wgsl/matmul.wgsl'), 'utf8');
  writeFileSync(join(folder, 'shader.wgsl'), shader);
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/gemm-paranoia'));
  cases = [...ofUsers(), ...ofOurs()];
  inNode = judged('node');
});
afterAll(() => rmSync(folder, { recursive: true }));

function gate(cwd: string, ...words: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'dist/cli/main.js'), 'gate', '--adapter', 'software', ...words],
    { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 },
  );
  return { status, stdout, stderr };
}

/** Cases of the kernels in the config; some of the function's fail. */
const ofUsers = (): string[] =>
  ['mine', 'shader.wgsl'].flatMap((kernel) =>
    ['m=3;k=200;n=5', 'm=17;k=16;n=15'].map((size) => `kernel=${kernel};input=uniform;${size};seed=1`),
  );

/** True for cases of kernels that add in no fixed order, and for slow ones. */
const isLeftOut = (text: string) => /:fused-atomic;|[mkn]=\d{4}/.test(text);

/** Cases of the default gate: two of each of our kernels, and one in each other precision. */
function ofOurs(): string[] {
  const { stdout } = gate(root, '--ours', '--list', '--json', '--seed', '1');
  const all = (JSON.parse(stdout) as { kernel: string; case: string }[]).filter(
    (one) => !isLeftOut(one.case),
  );
  const seen = new Map<string, number>();
  return all.flatMap(({ kernel, case: text }) => {
    const precision = /precision=([\w-]+)/.exec(text)?.[1];
    const key = precision ?? kernel;
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    return count < (precision === undefined ? 2 : 1) ? [text] : [];
  });
}

/** The part of a case that is the same in every runtime: its verdict, its checks, its errors, and equality with the bit-exact model. */
type Compared = Pick<CaseResult, 'case' | 'verdict' | 'checks' | 'equalsModel'> & { errors: unknown };

function judged(runtime: string): Compared[] {
  const words = cases.flatMap((text) => ['--case', text]);
  const { status, stderr } = gate(folder, '--in', runtime, ...words, '--reporter', 'json', '--out', runtime);
  // The wrong function fails a case.
  expect(status, stderr).toBe(1);
  const results = JSON.parse(readFileSync(join(folder, runtime, 'results.json'), 'utf8')) as Results;
  return results.cases.map(({ case: text, verdict, checks, equalsModel, exact }) => {
    // Engines differ in the last place of logarithms.
    const { bits: _, ...errors } = exact ?? { bits: 0 };
    return { case: text, verdict, checks, equalsModel, errors };
  });
}

describe('cases of every kernel, style and precision', () => {
  it('pass in Node, but for the kernel that is off', () => {
    expect(inNode.length).toBeGreaterThan(50);
    const failing = inNode.filter(({ verdict }) => verdict !== 'pass');
    expect(failing.map((one) => one.case)).toEqual([expect.stringMatching(/^kernel=mine;.*m=17/)]);
    expect(inNode.filter(({ equalsModel }) => equalsModel === true).length).toBeGreaterThan(50);
  });

  it.for(runtimes)('are the same in $name', (runtime, { skip }) => {
    try {
      findRuntime(runtime);
    } catch (error) {
      return skip((error as Error).message);
    }
    expect(judged(runtime.name)).toEqual(inNode);
  });
});

/** True if a process has a text in its command line or its environment. */
const isMentioned = (text: string): boolean =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => ['cmdline', 'environ'].some((file) => textOf(`/proc/${pid}/${file}`).includes(text)));

function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    // The process has ended.
    return '';
  }
}

it.for(runtimes.filter(() => process.platform === 'linux'))(
  'nothing of $name is left where the gate is killed',
  async (runtime, { skip }) => {
    try {
      findRuntime(runtime);
    } catch (error) {
      return skip((error as Error).message);
    }
    const own = join(folder, `killed-${runtime.name}`);
    mkdirSync(own);
    const child = spawn(
      process.execPath,
      [join(root, 'dist/cli/main.js'), 'gate', '--in', runtime.name, '--adapter', 'software', ...FUSED],
      { cwd: folder, env: { ...process.env, TMPDIR: own }, stdio: 'ignore' },
    );
    const folders = () => readdirSync(own).map((name) => join(own, name));
    while (!folders().some(isMentioned)) {
      expect(child.exitCode, 'the gate ended before its runtime began').toBeNull();
      await setTimeout(50);
    }
    // All files of the runtime are in this folder, and are removed with it.
    expect(folders().length).toBe(1);
    child.kill('SIGKILL');
    await once(child, 'exit');
    while (isMentioned(own) || readdirSync(own).length > 0) await setTimeout(50);
  },
);

describe('code that a browser cannot run', () => {
  it.each([
    [
      'a module of Node',
      "import { join } from 'node:path';\nexport const f = join;",
      'it imports node:path, a Node module.',
    ],
    [
      'a file that is not there',
      "import './nowhere.ts';\nexport const f = 1;",
      'it imports ./nowhere.ts, which was not found.',
    ],
    [
      'what is ours for Node',
      "export { judgeKernels as f } from 'gemm-paranoia/node';",
      'it imports gemm-paranoia/node, which needs Node.',
    ],
    ['a syntax error', 'export const f = ;', 'Unexpected token'],
  ])('is refused: %s', async (_, text, why) => {
    const path = join(folder, 'refused.ts');
    writeFileSync(path, text);
    const file = { name: 'refused.ts#f', file: 'refused.ts', path, symbol: 'f', ways: {} };
    const [chromium] = runtimes;
    const found = await bundleUserCode({ config: undefined, files: [file] }, chromium).catch(
      (error) => error,
    );
    expect(found).toMatchObject({ code: 'not-bundled', exitCode: 2, message: expect.stringContaining(why) });
    expect(found.message).toContain(`refused.ts cannot be bundled for chromium: `);
  });
});
