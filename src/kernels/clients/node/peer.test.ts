import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { EpilogueCall } from '../../../matrix/epilogue-call.ts';
import { type Gemm, type MatrixLayout, plainGemm } from '../../../matrix/gemm.ts';
import { whyNotComputed } from '../../check-kernel.ts';
import { clientKernels } from './clients.ts';
import { findPeer } from './peer.ts';

/** A user's project, with packages that only it has, and a stand-in for TensorFlow.js. */
const project = mkdtempSync(join(tmpdir(), 'clients-'));

/** Implements only what the client calls: matrices as rows, and tensors that must all be disposed of. */
const TFJS = `
  let backend = '';
  exports.alive = 0;
  const tensor = (data, shape) => (exports.alive++, { d: data, shape, data: async () => Float32Array.from(data), dispose() { exports.alive--; } });
  exports.getBackend = () => backend;
  exports.setBackend = async (name) => { backend = name; return name === 'cpu'; };
  exports.tensor = (data, shape) => tensor(Array.from(data), shape);
  exports.tidy = (make) => {
    const before = exports.alive;
    const made = make();
    exports.alive = before + 1;
    return made;
  };
  exports.mul = (x, factor) => tensor(x.d.map((entry) => entry * factor), x.shape);
  exports.add = (x, y) => tensor(x.d.map((entry, at) => entry + y.d[at]), x.shape);
  exports.matMul = (a, b, transposeA, transposeB) => {
    const [m, k] = transposeA ? [a.shape.at(-1), a.shape.at(-2)] : a.shape.slice(-2);
    const n = transposeB ? b.shape.at(-2) : b.shape.at(-1);
    const batch = Math.max(...[a, b].map(({ shape }) => (shape.length === 3 ? shape[0] : 1)));
    const start = ({ shape }, p) => (shape.length === 3 && shape[0] > 1 ? p * shape[1] * shape[2] : 0);
    const entries = Array.from({ length: batch * m * n }, (_, e) => {
      const [p, i, j] = [Math.floor(e / (m * n)), Math.floor(e / n) % m, e % n];
      let sum = 0;
      for (let l = 0; l < k; l++) {
        sum += a.d[start(a, p) + (transposeA ? l * m + i : i * k + l)] * b.d[start(b, p) + (transposeB ? j * k + l : l * n + j)];
      }
      return sum;
    });
    return tensor(entries, a.shape.length === 3 ? [batch, m, n] : [m, n]);
  };
  exports.fused = {
    matMul({ a, b, transposeA, transposeB, bias, activation, leakyreluAlpha = 0.2 }) {
      const { d, shape } = exports.matMul(a, b, transposeA, transposeB);
      const functions = {
        relu: (x) => Math.max(x, 0),
        relu6: (x) => Math.min(Math.max(x, 0), 6),
        leakyrelu: (x) => (x < 0 ? leakyreluAlpha * x : x),
        sigmoid: (x) => 1 / (1 + Math.exp(-x)),
      };
      const of = activation === undefined ? (x) => x : functions[activation];
      return tensor(d.map((x, at) => of(bias === undefined ? x : x + bias.d[at % bias.shape[0]])), shape);
    },
  };`;

const files: Record<string, string> = {
  'package.json': '{}',
  'node_modules/fake-peer/package.json':
    '{"name":"fake-peer","version":"4.22.0","exports":"./lib/index.cjs"}',
  'node_modules/fake-peer/lib/index.cjs': 'exports.answer = 42;',
  'node_modules/fake-peer/lib/package.json': '{"type":"commonjs"}',
  'node_modules/broken-peer/package.json': '{"name":"broken-peer","version":"0.1.25","main":"index.js"}',
  'node_modules/broken-peer/index.js': 'throw new Error("libX11.so is missing\\nat …");',
  'node_modules/@tensorflow/tfjs-core/package.json': '{"name":"@tensorflow/tfjs-core","version":"4.99.0"}',
  'node_modules/@tensorflow/tfjs-core/index.js': TFJS,
  'node_modules/@tensorflow/tfjs-backend-cpu/package.json':
    '{"name":"@tensorflow/tfjs-backend-cpu","version":"4.99.0"}',
  'node_modules/@tensorflow/tfjs-backend-cpu/index.js': '',
};

beforeAll(() => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  vi.spyOn(process, 'cwd').mockReturnValue(project);
});
afterEach(() => writeVersion('4.99.0'));
afterAll(() => {
  vi.restoreAllMocks();
  rmSync(project, { recursive: true });
});

const writeVersion = (version: string) =>
  writeFileSync(
    join(project, 'node_modules/@tensorflow/tfjs-core/package.json'),
    JSON.stringify({ name: '@tensorflow/tfjs-core', version }),
  );

const kernel = (name: string) => {
  const found = clientKernels.find((each) => each.name === name);
  if (found === undefined || !('multiply' in found)) throw new Error(`${name} is no function`);
  return found;
};

test('a peer is found in the project, with the version of a package that hides its package.json', () => {
  const found = findPeer('fake:kernel', { name: 'fake-peer', version: '4' });
  expect(found.version).toBe('4.22.0');
  expect(found.load()).toEqual({ answer: 42 });
});

const refusals = {
  'not installed': [
    { name: 'no-such-peer', version: '1' },
    `fake:kernel needs no-such-peer, but it is not installed in ${project}. Run: npm install no-such-peer@1`,
  ],
  'of another major version': [
    { name: 'fake-peer', version: '2' },
    'fake:kernel needs fake-peer, but version 4.22.0 is installed, and only 2 is supported. Run: npm install fake-peer@2',
  ],
  'of a version that only begins alike': [
    { name: 'fake-peer', version: '4.2' },
    'fake:kernel needs fake-peer, but version 4.22.0 is installed, and only 4.2 is supported. Run: npm install fake-peer@4.2',
  ],
  'that cannot be loaded': [
    { name: 'broken-peer', version: '0.1' },
    'fake:kernel needs broken-peer, but it cannot be loaded (libX11.so is missing). Run: npm install broken-peer@0.1',
  ],
} as const;
test.each(Object.entries(refusals))('a peer %s is a problem that says what to do', (_, [peer, message]) => {
  expect(() => findPeer('fake:kernel', peer).load()).toThrow(
    expect.objectContaining({ code: 'peer-missing', message }),
  );
});

test("a client multiplies by the project's own version, says which, and leaves no tensor behind", async () => {
  const tfjs = kernel('tfjs:cpu');
  await tfjs.prepare?.();
  const [a, b] = [Float32Array.of(1, 2, 3, 4, 5, 6), Float32Array.of(1, 0, 0, 1, 1, 1)];
  const unread = new Float32Array(4).fill(Number.NaN);
  const d = await tfjs.multiply(a, b, plainGemm({ m: 2, k: 3, n: 2 }), unread, unread);
  expect(d).toEqual(Float32Array.of(4, 5, 10, 11));
  expect(await tfjs.versions?.()).toEqual({
    '@tensorflow/tfjs-core': '4.99.0',
    '@tensorflow/tfjs-backend-cpu': '4.99.0',
  });
  expect(findPeer('', { name: '@tensorflow/tfjs-core', version: '4' }).load()).toMatchObject({ alive: 0 });
});

/** Two products of 1×2 by 2×2, with shared or separate operands. */
const pair = (more: Partial<Gemm>): Gemm => ({
  ...plainGemm({ m: 1, k: 2, n: 2 }),
  batch: 2,
  ...more,
});
const laid = (cols: number, stride: number, op: 'n' | 't' = 'n'): MatrixLayout => {
  return { ...{ op, order: 'row', ld: cols, offset: 0, stride } };
};

test.each<[string, number[], number[], Partial<Gemm>, number[]]>([
  ['a batch', [1, 2, 3, 4], [1, 0, 0, 1, 1, 1, 0, 1], {}, [1, 2, 3, 7]],
  ['one B for all, transposed', [1, 2, 3, 4], [1, 2, 0, 1], { b: laid(2, 0, 't') }, [5, 2, 11, 4]],
  ['one A and one B for all', [1, 2], [1, 0, 0, 1], { a: laid(2, 0), b: laid(2, 0) }, [1, 2, 1, 2]],
  ['alpha and beta', [1, 2, 3, 4], [1, 0, 0, 1, 1, 1, 0, 1], { alpha: 2, beta: 10 }, [12, 24, 36, 54]],
  ['alpha = 0', [NaN, NaN, NaN, NaN], Array(8).fill(NaN), { alpha: 0, beta: 10 }, [10, 20, 30, 40]],
])('a client gives tensors of %s', async (_, a, b, more, expected) => {
  const tfjs = kernel('tfjs:cpu');
  await tfjs.prepare?.();
  const gemm = pair(more);
  const c = gemm.beta === 0 ? new Float32Array(4).fill(Number.NaN) : Float32Array.of(1, 2, 3, 4);
  expect(whyNotComputed(tfjs, gemm)).toBeUndefined();
  const d = await tfjs.multiply(Float32Array.from(a), Float32Array.from(b), gemm, c, c);
  expect([...d]).toEqual(expected);
});

test.each<[readonly EpilogueCall[], number[]]>([
  [[], [1, 4, -3, 8]],
  [
    [
      {
        step: 'bias',
        values: { rows: 1, cols: 2, data: Float32Array.of(10, -20) },
      },
    ],
    [11, -16, 7, -12],
  ],
  [[{ step: 'relu' }], [1, 4, 0, 8]],
  [[{ step: 'clamp', low: 0, high: 6 }], [1, 4, 0, 6]],
  [
    [
      {
        step: 'bias',
        values: { rows: 1, cols: 2, data: Float32Array.of(1, 1) },
      },
      { step: 'leaky-relu', slope: 0.5 },
    ],
    [2, 5, -1, 9],
  ],
  [[{ step: 'sigmoid' }], [1, 4, -3, 8].map((x) => Math.fround(1 / (1 + Math.exp(-x))))],
])('a client fuses %j', async (epilogue, expected) => {
  const tfjs = kernel('tfjs:cpu-fused');
  await tfjs.prepare?.();
  const gemm = { ...plainGemm({ m: 2, k: 2, n: 2 }), epilogue };
  const [a, b] = [Float32Array.of(1, 4, -3, 8), Float32Array.of(1, 0, 0, 1)];
  const unread = new Float32Array(4).fill(Number.NaN);
  expect([...(await tfjs.multiply(a, b, gemm, unread, unread))]).toEqual(expected);
});

test('a client names all that is to be installed, and is not used with another major version', async () => {
  writeVersion('5.0.0');
  await expect(kernel('tfjs:cpu').prepare?.()).rejects.toThrow(
    'tfjs:cpu needs @tensorflow/tfjs-core, but version 5.0.0 is installed, and only 4 is supported. ' +
      'Run: npm install @tensorflow/tfjs-core@4 @tensorflow/tfjs-backend-cpu@4',
  );
});

test('a backend that does not start is an error of the product', async () => {
  // The stand-in has only the cpu backend; the wasm backend is another package.
  const wasm = join(project, 'node_modules/@tensorflow/tfjs-backend-wasm');
  mkdirSync(wasm, { recursive: true });
  writeFileSync(join(wasm, 'package.json'), '{"name":"@tensorflow/tfjs-backend-wasm","version":"4.99.0"}');
  writeFileSync(join(wasm, 'index.js'), '');
  const tfjs = kernel('tfjs:wasm');
  await tfjs.prepare?.();
  const one = Float32Array.of(1);
  await expect(tfjs.multiply(one, one, plainGemm({ m: 1, k: 1, n: 1 }), one, one)).rejects.toThrow(
    'TensorFlow.js could not start its backend wasm',
  );
});
