import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { runHere } from '../../src/cli/in-process.testing.ts';
import { itWith } from '../support/needs.ts';
import { fileOf } from '../support/workflow.ts';

/**
 * The law: a worker in C, a shader and a Python function with the same claim are held to it. A false claim gives the same sentence for all.
 */
const it = itWith('gcc');
const pythonIt = itWith('python3');

const SHADER = `
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> sizes: vec4u;
@compute @workgroup_size(8, 8) fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.y >= sizes.x || id.x >= sizes.z) { return; }
  var sum = 0.0;
  for (var p = 0u; p < sizes.y; p++) { sum += a[id.y * sizes.y + p] * b[p * sizes.z + id.x]; }
  c[id.y * sizes.z + id.x] = sum;
}
`;
const PYTHON = (claims: object) => `
import numpy as np
import paranoia

@paranoia.kernel(claims=${JSON.stringify(claims)})
def matmul(a, b):
    c = np.zeros((a.shape[0], b.shape[1]), np.float32)
    for p in range(a.shape[1]):
        c += a[:, p : p + 1] * b[p]
    return c
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'claims-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const SMALL = ['--size', '9x8x7', '--input', 'uniform,integers'];
/** A claim that a sequential loop disproves. */
const PAIRWISE = { order: 'pairwise', partition: 1 };
const WRONG =
  'its claims.order must be one of (any, sequential, blocked, pairwise, split-k, data-dependent, signs-apart), but is "pair-wise"; did you mean "pairwise"?';

/** Runs a gate. @returns its exit code, and its output as one line */
async function gate(...args: string[]) {
  const { code, stdout, stderr } = await runHere(folder, ['gate', ...args, ...SMALL, '--verbose']);
  return { code, said: `${stdout}${stderr}`.replace(/\s+/g, ' ') };
}

it('a worker in C that says what its config claims is held to it; another is told why it is not asked', async () => {
  const worker = join(folder, 'worker');
  execFileSync('gcc', ['-O1', '-ffp-contract=off', '-o', worker, fileOf('tests/support/greeting-worker.c')]);
  const kernel = (name: string, order: string, greeting: object) => ({
    ...{ name, claims: { order } },
    program: { command: [worker, JSON.stringify({ ready: true, ...greeting })], mode: 'worker' },
  });
  const kernels = [
    kernel('same', 'sequential', { protocol: 2, claims: { order: 'sequential' } }),
    kernel('silent', 'sequential', {}),
    { ...kernel('other', '', { protocol: 2, claims: PAIRWISE }), claims: PAIRWISE },
    kernel('wrong', 'sequential', { protocol: 2, claims: { order: 'pair-wise' } }),
    kernel('older', 'sequential', { protocol: 1, claims: { order: 'sequential' } }),
  ];
  writeFileSync(join(folder, 'paranoia.config.mjs'), `export default ${JSON.stringify({ kernels })};`);
  expect(await gate('--kernel', 'same,silent')).toMatchObject({ code: 0 });
  const other = await gate('--kernel', 'other');
  expect(other).toMatchObject({ code: 1, said: expect.stringContaining('It claims to add up pairwise') });
  const { said } = await gate('--kernel', 'wrong');
  expect(said).toContain(`The kernel "wrong" cannot be used: ${WRONG}`);
  expect((await gate('--kernel', 'older')).said).toContain(
    'its worker speaks version 1 of the protocol, expected 2. Greet with "protocol":2',
  );
});

it('a shader whose header claims is held to it on a software adapter', async () => {
  const shader = (file: string, order: string) =>
    writeFileSync(join(folder, file), `// claims.order: ${order}\n${SHADER}`);
  shader('right.wgsl', 'sequential');
  shader('false.wgsl', 'pairwise\n// claims.partition: 1');
  shader('wrong.wgsl', 'pair-wise');
  expect(await gate('right.wgsl', '--adapter', 'software')).toMatchObject({ code: 0 });
  const other = await gate('false.wgsl', '--adapter', 'software');
  expect(other).toMatchObject({ code: 1, said: expect.stringContaining('It claims to add up pairwise') });
  const { code, said } = await gate('wrong.wgsl', '--adapter', 'software');
  expect(code).toBe(2);
  expect(said).toContain(`The kernel "wrong.wgsl" cannot be used: ${WRONG}`);
});

pythonIt('a function of Python whose decorator claims is held to it', async () => {
  const all = {
    sequential: { order: 'sequential' },
    pairwise: PAIRWISE,
    'pair-wise': { order: 'pair-wise' },
  };
  for (const [name, claims] of Object.entries(all)) writeFileSync(join(folder, `${name}.py`), PYTHON(claims));
  expect(await gate('sequential.py')).toMatchObject({ code: 0 });
  expect(await gate('pairwise.py')).toMatchObject({ code: 1 });
  const { code, said } = await gate('pair-wise.py');
  expect(code).toBe(2);
  expect(said).toContain(`The kernel "pair-wise.py" cannot be used: ${WRONG}`);
});
