import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EXIT } from '../../src/base/errors.ts';
import { judgment } from '../../src/pages/judgment.ts';
import { installPacked, type Project } from '../support/packed.ts';

/** Commands of the installed package end with the exit codes of `docs/reference`, and give the reason in their first line. */
let project: Project;

const KERNELS = `
export const right = (a, b, { m, k, n }) => {
  const c = new Float32Array(m * n);
  for (let i = 0; i < m; i++)
    for (let p = 0; p < k; p++) for (let j = 0; j < n; j++) c[i * n + j] += a[i * k + p] * b[p * n + j];
  return c;
};
export const wrong = (...given) => right(...given).fill(1);
export const throwing = () => { throw new Error('no device'); };
`;

beforeAll(() => {
  project = installPacked('new-project');
  writeFileSync(join(project.folder, 'k.mjs'), KERNELS);
  writeFileSync(join(project.folder, 'leaves.mjs'), 'process.exit(0);');
  paranoia('gate', 'k.mjs#right', '--size', '3,4', '--seed', '1', '--shard', '1/2', '--out', 'one');
});
afterAll(() => project.remove());

const MAIN = 'node_modules/gemm-paranoia/dist/cli/main.js';

function paranoia(...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...words], {
    ...{ cwd: project.folder, encoding: 'utf8' },
  });
  return { status, said: stdout + stderr };
}

const SMALL = ['--size', '1,17', '--seed', '1'];

it.each<[keyof typeof EXIT, readonly string[], RegExp]>([
  ['pass', ['gate', 'k.mjs#right', ...SMALL], /^ ?PASS: All \d+ cases passed /m],
  ['fail', ['gate', 'k.mjs#wrong', '--case', 'kernel=k.mjs#wrong;input=integers;m=4;k=4;n=4'], /^ ?FAIL: /m],
  ['usage', ['gate', '--kernal', 'x'], /Did you mean "--kernel"\?/],
  ['usage', ['gate', 'nowhere.mjs#f'], /nowhere\.mjs/],
  ['usage', ['gaet'], /Did you mean/],
  ['noAdapter', ['gate', '--kernel', 'classical:naive', '--adapter', 'none-such'], /none-such/],
  ['inconclusive', ['merge', 'one/results.json', '--out', 'part'], /^ ?INCONCLUSIVE: /m],
  ['crash', ['inspect', 'k.mjs#throwing', '--quick'], /no device/],
  ['ended', ['gate', 'leaves.mjs#f'], /leaves\.mjs/],
])('%s: %j', (name, words, says) => {
  const { status, said } = paranoia(...words);
  expect([status, said]).toEqual([EXIT[name], expect.stringMatching(says)]);
  expect(said).not.toMatch(/\n +at /);
});

it.each<[keyof typeof EXIT, string]>([
  ['usage', 'judge'],
  ['usage', 'judge k.mjs#right --budgte 5s'],
  ['usage', 'judge nowhere.mjs'],
  ['usage', 'PASSWORD=hunter2hunter2 judge hunter2hunter2.mjs --hunter2hunter2'],
  ['resources', 'TMPDIR=/nonexistent judge k.mjs#right'],
  ['resources', 'ulimit -n 20; judge k.mjs#right'],
])('judge answers with one object where it judges nothing: %s: %s', (name, line) => {
  const { status, stdout } = spawnSync(
    'sh',
    ['-c', line.replace('judge', `'${process.execPath}' ${MAIN} judge`)],
    {
      ...{ cwd: project.folder, encoding: 'utf8' },
    },
  );
  expect(judgment.parse(JSON.parse(stdout))).toMatchObject({
    ...{ verdict: 'inconclusive', exitCode: EXIT[name], run: { cases: 0 } },
  });
  expect(status).toBe(EXIT[name]);
  expect(stdout).not.toContain('hunter2hunter2');
});

it.each([
  'Buffer.from = ((of) => (...given) => of.apply(Buffer, given).fill(0))(Buffer.from);',
  "JSON.stringify = () => 'rubbish';",
  'Array.prototype.push = () => 0;',
])('a file that replaces what all code computes with is refused: %s', (line) => {
  writeFileSync(join(project.folder, 'replaces.mjs'), `${line}${KERNELS}`);
  const { status, said } = paranoia('gate', 'replaces.mjs#right', '--size', '4');
  expect([status, said]).toEqual([
    EXIT.usage,
    expect.stringMatching(
      /^The file replaces\.mjs .*: it replaces (Buffer\.from|JSON\.stringify|Array\.prototype\.push), .*\n$/,
    ),
  ]);
});

const HANGING = `
let calls = 0;
export const wrong = (a, b, { m, n }) => {
  if (++calls > 1) for (;;);
  return new Float32Array(m * n).fill(7);
};
`;

it.each([
  ['it loads', 'SIGTERM'],
  ['it is watched for an end by code of others', 'exit'],
])('judge that a signal ends while %s gives its one object', async (_, event) => {
  // Sends the signal when the first listener is added, before there are results.
  const hook = `let n = 0; process.on('newListener', (name) => { if (name === '${event}' && n++ === 0) setImmediate(() => process.kill(process.pid, 'SIGTERM')); });`;
  const hooked = ['--import', `data:text/javascript,${encodeURIComponent(hook)}`];
  const child = spawn(process.execPath, [...hooked, MAIN, 'judge', 'k.mjs#right'], { cwd: project.folder });
  const [printed] = await Promise.all([text(child.stdout), once(child, 'close')]);
  expect(child.exitCode).toBe(EXIT.inconclusive);
  const { verdict, reason, exitCode } = judgment.parse(JSON.parse(printed));
  expect({ verdict, exitCode }).toEqual({ verdict: 'inconclusive', exitCode: EXIT.inconclusive });
  expect(reason).toMatch(/^A signal ended the command before a kernel was judged/);
});

it('judge that a signal ends while a product is in flight fails a kernel that has failed', async () => {
  writeFileSync(join(project.folder, 'hanging.mjs'), HANGING);
  const child = spawn(process.execPath, [MAIN, 'judge', 'hanging.mjs#wrong', '--sandbox', 'off'], {
    ...{ cwd: project.folder, stdio: ['ignore', 'pipe', 'pipe'] },
  });
  const [said, told, closed] = [text(child.stdout), text(child.stderr), once(child, 'close')];
  let heard = '';
  child.stderr.on('data', (part) => {
    heard += part;
    if (!/^FAIL /m.test(heard) || /^Stopping/m.test(heard)) return;
    child.kill('SIGTERM');
  });
  const [[code], stdout] = await Promise.all([closed, said, told]);
  expect(code).toBe(EXIT.fail);
  const { verdict, exitCode, failures } = judgment.parse(JSON.parse(stdout));
  expect({ verdict, exitCode }).toEqual({ verdict: 'fail', exitCode: EXIT.fail });
  expect(failures[0].replay).toContain("gate hanging.mjs#wrong --case 'kernel=hanging.mjs#wrong;");
});

/** Ends while the threads of the software adapter start launches. */
const COMPUTING = `
import { openNodeDevice } from './node_modules/gemm-paranoia/dist/node.js';
import { endNow } from './node_modules/gemm-paranoia/dist/base/node/ending.js';
const { device } = await openNodeDevice({ adapter: 'software' });
const code = \`
  @group(0) @binding(0) var<storage, read_write> x: array<u32>;
  @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) at: vec3u) {
    for (var n = 0u; n < 20u; n++) { x[at.x] += n; }
  }\`;
const module = device.createShaderModule({ code });
const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module } });
const buffer = device.createBuffer({ size: 4096, usage: GPUBufferUsage.STORAGE });
const layout = pipeline.getBindGroupLayout(0);
const group = device.createBindGroup({ layout, entries: [{ binding: 0, resource: { buffer } }] });
const encoder = device.createCommandEncoder();
const pass = encoder.beginComputePass();
pass.setPipeline(pipeline);
pass.setBindGroup(0, group);
for (let launch = 0; launch < 300_000; launch++) pass.dispatchWorkgroups(16);
pass.end();
device.queue.submit([encoder.finish()]);
process.on('exit', () => console.log('cleaned up'));
endNow(4);
`;

it('an end while a GPU computes has its exit code, and cleans up', () => {
  writeFileSync(join(project.folder, 'computing.mjs'), COMPUTING);
  for (let run = 0; run < 4; run++) {
    const { status, signal, stdout } = spawnSync(process.execPath, ['computing.mjs'], {
      ...{ cwd: project.folder, encoding: 'utf8' },
    });
    expect({ status, signal, stdout }).toEqual({ status: 4, signal: null, stdout: 'cleaned up\n' });
  }
});
