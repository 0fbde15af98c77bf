import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { inShort } from '../src/base/in-short.testing.ts';
import { fileKernel } from '../src/config/node/file-kernels.ts';
import { checkKernel } from '../src/kernels/check-kernel.ts';
import type { AcceptedProducts } from '../src/kernels/claim-records.ts';
import type { Claims } from '../src/kernels/claims.ts';
import { findPython } from '../src/kernels/files/node/python-kernel.ts';
import { openProgram } from '../src/kernels/host/node/open-program.ts';
import { readDescription } from '../src/kernels/read-description.ts';
import { judgingTermsOf } from '../src/kernels/self-description.ts';
import { productFrom } from '../src/kernels/tampered.testing.ts';
import { matrix } from '../src/matrix/dense.ts';

/**
 * The law: TypeScript, Python, a header of WGSL and a worker refuse invalid claims and features in the same sentence.
 *
 * Why: an author who moves a kernel from one language to another reads the reference once.
 */
interface Saying {
  readonly precision?: string;
  readonly claims?: object;
  readonly accepts?: object;
}

const accumulator = (of: object, more: object = {}): Saying => ({
  precision: 'f16-f32',
  claims: { ...more, arithmetic: { accumulator: of } },
});

/** Invalid claims and features, with their sentences. */
const wrong: readonly (readonly [Saying, why: string])[] = [
  [
    { claims: { order: 'pair-wise' } },
    'its claims.order must be one of (any, sequential, blocked, pairwise, split-k, data-dependent, signs-apart), but is "pair-wise"; did you mean "pairwise"?',
  ],
  [{ accepts: { batches: true } }, 'its `accepts` has the unknown key "batches"; did you mean "batch"?'],
  [{ claims: { ordre: 'any' } }, 'its `claims` has the unknown key "ordre"; did you mean "order"?'],
  [{ claims: { order: 3 } }, 'its claims.order must be one of (any, .*), but is 3'],
  [{ claims: { levels: 16 } }, 'its claims.levels must be a whole number from 0 to 15, but is 16'],
  [{ claims: { levels: 1.5 } }, 'its claims.levels must be a whole number from 0 to 15, but is 1.5'],
  [
    { claims: { algorithm: 'strasen' } },
    'Unknown algorithm in claims "strasen". Did you mean "strassen"? .*',
  ],
  [
    { claims: { order: 'blocked', partition: 0 } },
    'its claims.partition must be a whole number of terms, at least 1, but is 0',
  ],
  [
    { claims: { order: 'split-k', parts: -2 } },
    'its claims.parts must be a whole number, at least 1, but is -2',
  ],
  [
    { claims: { order: 'split-k', parts: 2, cut: 'evenly' } },
    'its claims.cut must be even, rest-last or { tile }, but is "evenly"; did you mean "even"?',
  ],
  [
    { claims: { order: 'split-k', parts: 2, cut: { tile: 0.5 } } },
    'its claims.cut.tile must be a whole number of terms, at least 1, but is 0.5',
  ],
  [
    { claims: { order: 'split-k', parts: 2, partialSums: 'bf16' } },
    'its claims.partialSums must be a record such as { format: "bf16" }, but is "bf16"',
  ],
  [
    { claims: { order: 'split-k', parts: 2, partialSums: { format: 'bf61' } } },
    'its claims.partialSums.format must be one of (bf16, f16, tf32, f32, f64), but is "bf61"; did you mean "bf16"?',
  ],
  [
    { claims: { partialSums: { format: 'bf16' } } },
    'it claims partial sums, but neither parts nor partition. Claim one of them',
  ],
  [
    { claims: { order: 'pairwise', partition: 8, partialSums: { format: 'bf16' } } },
    "it claims partial sums, but the order pairwise has none. Claim order: 'blocked' or 'split-k'",
  ],
  [
    { claims: { order: 'split-k', parts: 2, partialSums: { format: 'f16', added: 'f64' } } },
    'it claims partial sums in f64, but sums of f32 are no wider than f32',
  ],
  [
    {
      precision: 'int8-i32',
      claims: { order: 'split-k', parts: 2, partialSums: { format: 'f16' } },
    },
    'it claims partial sums, but sums of int8-i32 are exact',
  ],
  [
    {
      claims: { algorithm: 'strassen', order: 'split-k', parts: 2, partialSums: { format: 'f16' } },
    },
    'it claims partial sums, which strassen cannot claim. Leave them out',
  ],
  [
    { claims: { activations: 'q8_0' } },
    'its claims.activations must be a record such as { scheme: "q8_0" }, but is "q8_0"',
  ],
  [
    { claims: { activations: { scheme: 'q8_2' } } },
    'its claims.activations.scheme must be one of (q8_0, q8_1, q8_K, int8-block, int8-token, uint8-token), but is "q8_2"; did you mean "q8_0"?',
  ],
  [
    { claims: { activations: { scheme: 'int8-block', block: 0 } } },
    'its claims.activations.block must be a whole number of terms, at least 1, but is 0',
  ],
  [
    { claims: { activations: { scheme: 'q8_0', block: 64 } } },
    'it claims a block of 64, but the blocks of q8_0 are fixed. Leave it out, or claim int8-block',
  ],
  [
    { claims: { activations: { scheme: 'q8_0', rounding: 'stochastic' } } },
    'its claims.activations.rounding must be nearest or nearest-away, but is "stochastic"',
  ],
  [
    { claims: { activations: { scheme: 'q8_K', rounding: 'nearest-away' } } },
    'it claims the rounding nearest-away, but q8_K rounds by nearest',
  ],
  [
    { claims: { activations: { scheme: 'q8_K', division: 'division' } } },
    'it claims the division division, but q8_K divides by quotient or fused',
  ],
  [
    { precision: 'int8-row', claims: { activations: { scheme: 'q8_0' } } },
    'it claims activations, but int8-row has codes of both operands already',
  ],
  [
    { precision: 'int8-i32', claims: { activations: { scheme: 'q8_0' } } },
    'it claims activations, but entries of int8-i32 are int8 already',
  ],
  [
    { precision: 'f64', claims: { activations: { scheme: 'q8_0' } } },
    'it claims activations, but entries of f64 are wider than binary32',
  ],
  [
    { precision: 'bf16-f32', claims: { activations: { scheme: 'q8_0' } } },
    'it claims activations, but bf16-f32 rounds operands to bf16 first',
  ],
  [
    { precision: 'c32', claims: { activations: { scheme: 'q8_0' } } },
    'it claims activations, but entries of c32 are complex',
  ],
  [
    { claims: { algorithm: 'strassen', activations: { scheme: 'q8_0' } } },
    'it claims activations, which strassen cannot claim. Leave them out',
  ],
  [{ claims: { beta: 'operand' } }, 'its claims.beta must be first, last or result, but is "operand"'],
  [{ claims: { deterministic: 'yes' } }, 'its claims.deterministic must be true or false, but is "yes"'],
  [{ claims: { batchInvariant: 1 } }, 'its claims.batchInvariant must be true or false, but is 1'],
  [
    { claims: { algorithm: 'strassen', recursion: { fringe: 'pad' } } },
    'its claims.recursion.fringe must be one of (static-pad, .*), but is "pad"',
  ],
  [
    { claims: { algorithm: 'strassen', recursion: { schedule: 'wide' } } },
    'its claims.recursion must be a record such as { fringe: "static-pad" }, but is {"schedule":"wide"}',
  ],
  [
    { claims: { algorithm: 'strassen', recursion: { fringe: 'static-pad', reversed: ['rows', 'lines'] } } },
    'its claims.recursion.reversed must be a list of rows, inner, columns, but is ["rows","lines"]',
  ],
  [{ claims: { arithmetic: 'fast' } }, 'its claims.arithmetic must be an object, but is "fast"'],
  [
    { claims: { arithmetic: { fma: true } } },
    'its claims.arithmetic.fma must be once, twice or either, but is true',
  ],
  [
    { claims: { arithmetic: { subnormals: { operands: true, below: -1 } } } },
    'its claims.arithmetic.subnormals.below must be a finite number, at least 0, but is -1',
  ],
  [
    { claims: { arithmetic: { exceptions: 'NaN' } } },
    'its claims.arithmetic.exceptions must be true, false or nan, but is "NaN"',
  ],
  [
    accumulator({ terms: 8, widht: 26 }),
    'its `claims.arithmetic.accumulator` has the unknown key "widht"; known are bits, terms, promoted, compensated',
  ],
  [
    accumulator({ bits: 300 }),
    'its claims.arithmetic.accumulator.bits must be a whole number of bits, at most 128, but is 300',
  ],
  [
    accumulator({ bits: 9 }),
    'its claims.arithmetic.accumulator.bits must be .* from 11 (the bits of f16) to 128, but is 9',
  ],
  [
    accumulator({ terms: 8 }),
    'it claims to add 8 terms at once, but not within how many bits. Claim accumulator.bits, too',
  ],
  [
    accumulator({ compensated: 'kahan' }, { order: 'pairwise' }),
    'it claims compensated sums of the order pairwise, but neither partition nor parts. Claim one of them',
  ],
  [
    { claims: { order: 'sequential', parts: 4 } },
    "it claims parts, but the order sequential has none. Remove parts, or claim order: 'split-k'",
  ],
  [
    { claims: { algorithm: '3m' } },
    'it claims 3m, which multiplies complex matrices, but its precision is f32',
  ],
  [
    { claims: { recursion: { fringe: 'static-pad' } } },
    'it claims a recursion, but a classical product does not recurse. Leave it out, or name the algorithm',
  ],
  [{ accepts: { empty: 1 } }, 'its accepts.empty must be true or false, but is 1'],
  [{ accepts: { narrow: 'no' } }, 'its accepts.narrow must be true or false, but is "no"'],
  [
    { accepts: { sizes: 'beta=1' } },
    'its accepts.sizes must be a function of a shape or a pattern such as m=1..4096;k=1..4096, but is "beta=1"',
  ],
];

const folder = mkdtempSync(join(tmpdir(), 'languages-'));
afterAll(() => rmSync(folder, { recursive: true }));
const put = (file: string, text: string) => writeFileSync(join(folder, file), text);

const python = (at: number, [{ ...said }]: (typeof wrong)[number]) => `
@paranoia.kernel(**json.loads(${JSON.stringify(JSON.stringify(said))}))
def f${at}(a, b): return a @ b
`;
put('all.py', `import json\nimport paranoia\n${wrong.map((one, at) => python(at, one)).join('')}`);

/** Writes claims and features as lines of a header. */
const header = (path: string, value: unknown): string =>
  typeof value === 'object' && !Array.isArray(value)
    ? Object.entries(value as object)
        .map(([key, part]) => header(path === '' ? key : `${path}.${key}`, part))
        .join('')
    : `// ${path}: ${Array.isArray(value) ? value.join(', ') : value}\n`;

const SHADER = `
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> sizes: vec4u;
@compute @workgroup_size(8, 8) fn main(@builtin(global_invocation_id) id: vec3u) { c[id.x] = a[id.y] * b[0]; }
`;

/** A worker that greets, and answers every request with a product of one entry, 6. */
const WORKER = `
const say = (line, tail = '') => process.stdout.write(Buffer.concat([Buffer.from(JSON.stringify(line) + '\\n'), Buffer.from(tail)]));
say(JSON.parse(process.argv[1]));
const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1), }".padEnd(117) + '\\n';
const six = Buffer.concat([Buffer.from('\\x93NUMPY\\x01\\x00v\\x00' + header, 'latin1'), Buffer.from(Float32Array.of(6).buffer)]);
process.stdin.once('data', (line) => say({ id: JSON.parse(line.toString().split('\\n')[0]).id, d: six.length }, six));
process.stdin.resume();
`;

/** Number of cases for which a process each is quick. */
const FEW = 2;

const one = matrix(1, 1, Float32Array.of(1));

/** Asks a worker with this greeting for a product. */
async function ask(greeting: object, said: Saying = {}) {
  const command = [process.execPath, '-e', WORKER, JSON.stringify({ ready: true, ...greeting })] as const;
  const program = { command, mode: 'worker' } as const;
  const session = openProgram({ ...said, name: 'mine', program } as never, { cwd: '.' });
  try {
    return (await productFrom(session, { operands: { a: one, b: one } })).c.data[0];
  } finally {
    await session.close?.();
  }
}

const hasNumPy = (() => {
  try {
    return spawnSync(findPython('x.py'), ['-c', 'import numpy']).status === 0;
  } catch {
    return false;
  }
})();

/** The messages of the decorators of all functions, from one process of Python. */
let sent: Readonly<Record<string, object>> | undefined;
function sentByPython(at: number): object {
  if (sent === undefined) {
    const program = fileURLToPath(new URL('../share/programs/paranoia.py', import.meta.url));
    const told = spawnSync(findPython('all.py'), [program, 'describe', join(folder, 'all.py')]);
    sent = JSON.parse(told.stdout.toString()).functions;
  }
  return (sent as Record<string, object>)[`f${at}`];
}

/** Functions that return each language's error for an invalid claim or feature. */
const languages: Readonly<Record<string, (at: number, said: Saying) => unknown>> = {
  TypeScript: (_, said) => checkKernel({ name: 'mine', multiply: () => one.data, ...said }),
  Python: (at) =>
    at < FEW
      ? fileKernel(`all.py#f${at}`, folder, {})
      : checkKernel({ name: 'mine', multiply: () => one.data, ...sentByPython(at) }),
  WGSL: (at, said) => {
    put(`f${at}.wgsl`, header('', said) + SHADER);
    return fileKernel(`f${at}.wgsl`, folder, {});
  },
  worker: (_, { precision, ...said }) =>
    ask({ protocol: 2, ...said }, precision === undefined ? {} : { precision }),
};

/** Returns the pattern of a sentence, in which `.*` stands for any text; a question ends with its question mark. */
const sentence = (why: string): string => {
  const parts = why.split('.*').map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return `${parts.join('.*')}${why.endsWith('?') ? '' : '\\.'}`;
};

describe.each(Object.entries(languages))('in %s', (language, enter) => {
  const cases = wrong.map(([said, why], at) => ({ said, why, at }));
  const asked = language === 'worker' ? inShort(cases, 11) : cases;
  it.skipIf(language === 'Python' && !hasNumPy).each(asked)('$said is refused', async ({ said, why, at }) => {
    await expect((async () => enter(at, said))()).rejects.toThrow(
      expect.objectContaining({
        code: 'bad-kernel',
        message: expect.stringMatching(new RegExp(`^The kernel "[^"]+" cannot be used: ${sentence(why)}$`)),
      }),
    );
  });
});

it.each(wrong.filter(([{ accepts }]) => accepts !== undefined))(
  'who is not trusted is refused with %j',
  (said, why) => {
    expect(() => readDescription('mine', said, judgingTermsOf('f32', {}))).toThrow(
      new RegExp(`^mine fails before any product: ${sentence(why)}$`),
    );
  },
);

it('the compiler refuses what the records do', () => {
  // @ts-expect-error No order has this name.
  const order: Claims = { order: 'pair-wise' };
  // @ts-expect-error No claim has this name.
  const name: Claims = { ordre: 'any' };
  // @ts-expect-error It is no number.
  const arithmetic: Claims = { arithmetic: { accumulator: { bits: '26' } } };
  // @ts-expect-error No feature has this name.
  const accepts: AcceptedProducts = { batches: true };
  const right: Claims = { levels: ({ n }) => n, cut: { tile: 3 }, arithmetic: { exceptions: 'nan' } };
  expect([order, name, arithmetic, accepts, right]).toHaveLength(5);
});

describe('a worker that greets', () => {
  const order = { order: 'sequential' } as const;

  it('with what its config says multiplies', async () => {
    const said = { claims: order, accepts: { alpha: true } };
    expect(await ask({ protocol: 2, ...said }, said)).toBe(6);
  });

  it.each([{}, { versions: { mine: '1' } }, { protocol: 2 }])(
    'with %j, and so with no claim, multiplies',
    async (greeting) => {
      expect(await ask(greeting, { claims: order })).toBe(6);
    },
  );

  it.each<[object, Saying, string]>([
    [
      { protocol: 2, claims: order },
      {},
      'its worker states claims {"order":"sequential"}, but its config states none. Make them equal.',
    ],
    [
      { protocol: 2, accepts: { alpha: true } },
      { accepts: { beta: true } },
      'its worker states accepts {"alpha":true}, but its config {"beta":true}. Make them equal.',
    ],
    [
      { claims: order },
      { claims: order },
      'its worker speaks version 1 of the protocol, expected 2. Greet with "protocol":2, and claims and accepts as in defineKernel.',
    ],
    [
      { protocol: 1 },
      {},
      'its worker speaks version 1 of the protocol, expected 2. Greet with "protocol":2, and claims and accepts as in defineKernel.',
    ],
    [{ protocol: 3 }, {}, 'its worker speaks version 3 of the protocol, expected 2. Update gemm-paranoia.'],
  ])('with %j is told what to do', async (greeting, said, why) => {
    await expect(ask(greeting, said)).rejects.toThrow(`The kernel "mine" cannot be used: ${why}`);
  });
});
