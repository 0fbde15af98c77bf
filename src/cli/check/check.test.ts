import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exactProduct } from '../../exact/exact.ts';
import { findInput } from '../../inputs/inputs.ts';
import { type Matrix, matrix, transpose } from '../../matrix/dense.ts';
import { checked } from '../../pages/checked.ts';
import { npyBytes } from '../../tensors/files.testing.ts';
import { runHere } from '../in-process.testing.ts';

let folder: string;
const { a, b } = findInput('uniform').generate({ m: 6, k: 9, n: 5, seed: 3 });
const mapped = ({ rows, cols, data }: Matrix, of: (x: number, e: number) => number) =>
  matrix(rows, cols, Float32Array.from(data, of));
const product = (x: Matrix, y: Matrix) => mapped(exactProduct(x, y).product, (value) => value);
const d = product(a, b);
const c = mapped(d, (_, e) => e % 4);
const bias = Float32Array.of(1, -2, 3, -4, 5);
const [other, another] = [mapped(a, (x) => -x), mapped(b, (x, e) => x + (e % 3))];

const save = (name: string, bytes: Uint8Array) => writeFileSync(join(folder, name), bytes);
const saveAll = (name: string, shape: readonly number[], ...parts: readonly Matrix[]) =>
  save(name, npyBytes('<f4', shape, Float32Array.from(parts.flatMap(({ data }) => [...data]))));

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'check-'));
  const matrices = {
    ...{ a, b, c, d },
    at: transpose(a),
    bt: transpose(b),
    wrong: mapped(d, (x, e) => x + Number(e === 13)),
    scaled: mapped(d, (x, e) => 2 * x + 0.5 * c.data[e]),
    added: mapped(d, (x, e) => x + c.data[e]),
    biased: mapped(d, (x, e) => x + bias[e % 5]),
    activated: mapped(d, (x, e) => Math.max(0, x + bias[e % 5])),
  };
  for (const [name, x] of Object.entries(matrices)) saveAll(`${name}.npy`, [x.rows, x.cols], x);
  const codes = Int8Array.from(matrices.activated.data, (x) => Math.min(127, Math.round(x * 32)));
  codes[0] += codes[0] > 0 ? -1 : 1;
  save('codes.npy', npyBytes('|i1', [6, 5], codes));
  save('bias.npy', npyBytes('<f4', [5], bias));
  save('vector.npy', npyBytes('<f4', [9], new Float32Array(9)));
  save('none.npy', npyBytes('<f4', [0, 5], new Float32Array(0)));
  save('nothing.npy', npyBytes('<f4', [0, 9], new Float32Array(0)));
  save('wide.npy', npyBytes('<f8', [6, 5], Float64Array.from(d.data)));
  save(
    'bits.npy',
    npyBytes(
      '|V2',
      [6, 9],
      Uint16Array.from({ length: 54 }, (_, e) => 0x3f80 + (e % 3)),
    ),
  );
  save('raw', new Uint8Array(Float32Array.from(a.data).buffer));
  saveAll('batch-a.npy', [2, 6, 9], a, other);
  saveAll('batch-b.npy', [2, 9, 5], b, another);
  saveAll('batch-bt.npy', [2, 5, 9], transpose(b), transpose(another));
  saveAll('batch-d.npy', [2, 6, 5], d, product(other, another));
  saveAll('shared-d.npy', [2, 6, 5], d, product(a, another));
  saveAll('turned-d.npy', [2, 6, 5], product(other, another), d);
  saveAll('four-a.npy', [2, 3, 1, 2], matrix(6, 2, new Float32Array(12)));
  saveAll('four-d.npy', [3, 2, 1, 2], matrix(6, 2, new Float32Array(12)));
  saveAll('two.npy', [2, 2], matrix(2, 2, new Float32Array(4)));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a check of some words; a low line stands for a blank within a word. */
const check = (text: string) =>
  runHere(folder, ['check', ...text.split(' ').map((word) => word.replaceAll('_', ' '))]);

describe('check passes', () => {
  it.each([
    '--a a.npy --b b.npy --d d.npy',
    '--a at.npy --op-a t --b b.npy --d d.npy',
    '--a a.npy --b bt.npy --op-b t --d d.npy',
    '--a at.npy --op-a t --b bt.npy --op-b t --d d.npy',
    '--a a.npy --b b.npy --d scaled.npy --c c.npy --alpha 2 --beta 0.5',
    '--a a.npy --b b.npy --d added.npy --c c.npy',
    '--a a.npy --b b.npy --d biased.npy --bias bias.npy',
    '--a a.npy --b b.npy --d biased.npy --epilogue bias:bias.npy',
    '--a a.npy --b b.npy --d activated.npy --bias bias.npy --epilogue relu',
    '--a a.npy --b b.npy --d activated.npy --epilogue bias:{"values":"bias.npy"}_relu',
    '--a batch-a.npy --b batch-b.npy --d batch-d.npy',
    '--a a.npy --b batch-b.npy --d shared-d.npy',
    '--a batch-a.npy --b batch-bt.npy --op-b t --d batch-d.npy',
    '--a raw --b b.npy --d d.npy --shape 6x9x5 --dtype f32,f32,f32',
    '--a a.npy --b b.npy --d wide.npy --precision f32',
    '--a a.npy --b b.npy --d d.npy --claims {"order":"pairwise"}',
    '--a a.npy --b b.npy --d d.npy --algorithm strassen:1',
  ])('%s', async (text) => {
    const { code, stdout, stderr } = await check(text);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^PASS: /m);
    expect(stdout).toMatch(/^Largest error: \S+ % of its bound[,.]/m);
  });
});

describe('check fails', () => {
  it.each([
    ['--a a.npy --b b.npy --d wrong.npy', /only\s+entry\s+\(2,\s+3\)/],
    ['--a a.npy --b b.npy --d scaled.npy --c c.npy --alpha 2', /30 of 30|entries/],
    ['--a a.npy --b b.npy --d scaled.npy --c c.npy --beta 0.5', /entries/],
    ['--a a.npy --b b.npy --d added.npy', /entries/],
    ['--a a.npy --b b.npy --d biased.npy', /entries/],
    ['--a a.npy --b batch-b.npy --d batch-d.npy', /product 1/],
    ['--a batch-a.npy --b batch-b.npy --d turned-d.npy', /all 2\s+products/],
  ])('%s', async (text, words) => {
    const { code, stdout } = await check(text);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^FAIL: /m);
    expect(stdout).toMatch(/^Largest error: \S+ times its bound,/m);
    expect(stdout).toMatch(words);
  });

  it('with a page, and as JSON of its schema', async () => {
    const { code, stdout } = await check('--a a.npy --b b.npy --d wrong.npy --json --html page.html');
    const found = checked.parse(JSON.parse(stdout));
    expect(code).toBe(found.exitCode);
    expect(found).toMatchObject({ verdict: 'fail', m: 6, k: 9, n: 5, batch: 1, precision: 'f32' });
    expect(found.worst[0]).toMatchObject({ i: 2, j: 3 });
    expect(found.worst[0].error).toBeCloseTo(1, 5);
    expect(found.reason).toContain(`expected ${Number(Number(found.worst[0].expected).toPrecision(9))}.`);
    expect(found.maps).toBeDefined();
    expect(readFileSync(join(folder, 'page.html'), 'utf8')).toMatch(/<h1>fail<\/h1>/);
  });
});

describe('check of an epilogue', () => {
  it('names the steps, the mistake and the codes that are off by one', async () => {
    const { stdout } = await check('--a a.npy --b b.npy --d biased.npy --epilogue bias:bias.npy_relu');
    expect(stdout).toMatch(/^D = A·B, then bias \(row\), relu; m=6/);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/likely mistake: relu was skipped/);
    const steps = 'bias:bias.npy_relu_requantize:{"to":"int8","scale":0.03125}';
    const codes = await check(`--a a.npy --b b.npy --d codes.npy --epilogue ${steps}`);
    expect(codes.stdout.replace(/\s+/g, ' ')).toMatch(/only entry \(0, 0\), by one step/);
    expect(codes.stdout).not.toMatch(/Largest error:/);
    const clamped = await check('--a a.npy --b b.npy --d d.npy --epilogue clamp:{"low":-9,"high":-8}');
    expect(clamped.stdout).toMatch(/^Largest error: \d+\.\d+, where 0 is allowed\.$/m);
  });

  it('is in the JSON', async () => {
    const { code, stdout } = await check('--a a.npy --b b.npy --d d.npy --epilogue tanh --json');
    const found = checked.parse(JSON.parse(stdout));
    expect(code).toBe(1);
    expect(found).toMatchObject({
      epilogue: 'tanh',
      n: 5,
      checks: [{ name: 'epilogue', looksLike: { cause: 'epilogue-step-skipped' } }],
    });
    expect(found.maps).toBeDefined();
  });
});

describe('check refuses', () => {
  it.each([
    ['--a a.npy --b b.npy', /^--d needs a file: check needs --a, --b and --d/],
    ['--a b.npy --b a.npy --d d.npy', /The shapes do not match/],
    ['--a at.npy --b b.npy --d d.npy', /A must have as many columns as B has rows/],
    ['--a a.npy --b b.npy --d wide.npy', /No precision has A in f32, B in f32 and D in f64/],
    ['--a bits.npy --b b.npy --d d.npy', /bits\.npy.* has entries of type \|V2.*--dtype: f16, bf16/],
    ['--a a.npy --b b.npy --d d.npy --dtype f32,f32', /one type, or three/],
    ['--a a.npy --b b.npy --d d.npy --dtype f31', /Unknown dtype "f31"/],
    ['--a vector.npy --b b.npy --d d.npy', /A is \(9\).*reshape a vector/],
    ['--a nothing.npy --b b.npy --d none.npy', /D is \(0, 5\).*no entries to check/],
    [
      '--a a.npy --b b.npy --d d.npy --bias c.npy',
      /^Step 1 of the epilogue, bias, cannot be used: "values" is 6×5; a number, a row of 5/,
    ],
    [
      '--a a.npy --b b.npy --d d.npy --epilogue gleu',
      /^Unknown epilogue step "gleu"\. Did you mean "gelu"\?/,
    ],
    ['--a a.npy --b b.npy --d d.npy --epilogue relu:2', /relu has no parameters, but 2 is given/],
    ['--a a.npy --b b.npy --d d.npy --epilogue requantize:{"to"', /a brace has no partner/],
    [
      '--a a.npy --b b.npy --d d.npy --epilogue swiglu',
      /two halves of the columns, and the product has 5 columns/,
    ],
    ['--a a.npy --b b.npy --d d.npy --epilogue relu --sigmas 6', /--epilogue|--sigmas/],
    ['--a a.npy --b b.npy --d d.npy --epilogue bias:none-such.npy', /none-such\.npy/],
    ['--a four-a.npy --b two.npy --d four-d.npy', /the leading dimensions of D, or none/],
    ['--a a.npy --b b.npy --d d.npy --claims [1]', /--claims is no JSON object/],
    ['--a a.npy --b b.npy --d d.npy --claims {"order":"pair-wise"}', /must be one of/],
    ['--a - --b - --d d.npy', /only one operand can come from it/],
  ])('%s', async (text, message) => {
    const { code, stdout, stderr } = await check(text);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
  });
});
