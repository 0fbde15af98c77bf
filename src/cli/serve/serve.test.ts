import { describe, expect, it } from 'vitest';
import { openPipe, serve } from './serve.ts';

const bytesOf = (...values: number[]) => new Uint8Array(Float32Array.of(...values).buffer);
const f32 = (shape: number[], bytes = 4 * shape.reduce((all, size) => all * size, 1)) => ({
  ...{ dtype: 'f32', shape, bytes },
});

/** Lets a stream be read in pieces of at most so many bytes. */
function streamOf(parts: readonly (Uint8Array | object | string)[], most: number) {
  const text = (part: object | string) => (typeof part === 'string' ? part : `${JSON.stringify(part)}\n`);
  const all = Buffer.concat(
    parts.map((part) => (part instanceof Uint8Array ? part : new TextEncoder().encode(text(part)))),
  );
  let at = 0;
  return openPipe((target) => {
    const piece = all.subarray(at, at + Math.min(most, target.length));
    target.set(piece);
    at += piece.length;
    return piece.length;
  });
}

/** Serves a stream. @returns the exit code, the lines of the answers, and the bytes after the last one */
async function answers(
  parts: readonly (Uint8Array | object | string)[],
  most = 7,
  checkRoom?: Parameters<typeof serve>[2],
) {
  const written: Buffer[] = [];
  const code = await serve(streamOf(parts, most), (bytes) => written.push(Buffer.from(bytes)) > 0, checkRoom);
  const lines: Record<string, unknown>[] = [];
  let rest = Buffer.concat(written);
  while (rest[0] === '{'.charCodeAt(0)) {
    const end = rest.indexOf('\n');
    lines.push(JSON.parse(rest.subarray(0, end).toString()));
    rest = rest.subarray(end + 1);
  }
  return { code, lines, rest };
}

const [a, b] = [bytesOf(1, 2, 3, 4), bytesOf(5, 6, 7, 8)];
const d = bytesOf(19, 22, 43, 50);
const square = f32([2, 2]);
const check = { id: 1, do: 'check', a: square, b: square, d: square };
const pass = { answer: { verdict: 'pass', m: 2, k: 2, n: 2 } };

describe('serve', () => {
  it.each([1, 7, 2 ** 20])('answers one request after the other, in pieces of %i bytes', async (most) => {
    const wrong = bytesOf(19, 22, 43, 51);
    const { code, lines } = await answers([check, a, b, d, { ...check, id: 2 }, a, b, wrong], most);
    expect(code).toBe(0);
    expect(lines).toMatchObject([
      { ready: true, protocol: 2, node: process.versions.node },
      { id: 1, ...pass },
      {
        id: 2,
        answer: {
          verdict: 'fail',
          worst: [{ i: 1, j: 1, found: 51, expected: 50 }],
          dtypes: ['f32', 'f32', 'f32'],
        },
      },
    ]);
    expect((lines[2].answer as { text: string }).text).toMatch(/FAIL: /);
  });

  it('reads C, the bias and the factors, in the order of their names', async () => {
    const c = bytesOf(1, 0, 0, 1);
    const sum = bytesOf(39, 44, 86, 101);
    const withC = { ...check, c: square, alpha: 2, beta: 1 };
    const row = bytesOf(10, 20);
    const biased = { ...check, bias: f32([2]) };
    const { lines } = await answers([withC, a, b, c, sum, biased, a, b, row, bytesOf(29, 42, 53, 70)]);
    expect(lines.slice(1)).toMatchObject([pass, pass]);
  });

  it('computes exact products and tolerances', async () => {
    const exact = { id: 3, do: 'exact', a: square, b: square };
    const { lines, rest } = await answers([{ id: 2, do: 'tolerance', k: 64 }, exact, a, b]);
    expect(lines.slice(1)).toMatchObject([
      { id: 2, answer: { k: 64, precision: 'f32', entries: 4096, fitting: { rtol: 0 } } },
      { id: 3, answer: { dtype: 'f64', shape: [2, 2], bytes: 32 } },
    ]);
    expect([...new Float64Array(Uint8Array.from(rest).buffer)]).toEqual([19, 22, 43, 50]);
  });

  it('reads unsigned bytes as the precision says', async () => {
    const one = { dtype: 'uint8', shape: [1, 1], bytes: 1 };
    const given = { id: 1, do: 'check', a: one, b: one, d: f32([1, 1]) };
    const ones = [Uint8Array.of(0x38), Uint8Array.of(0x38), bytesOf(1)];
    const wholes = {
      ...given,
      b: { ...one, dtype: 'int8' },
      d: { ...one, dtype: 'i32', bytes: 4 },
      precision: 'uint8-i32',
    };
    const product = new Uint8Array(Int32Array.of(-400).buffer);
    const { lines } = await answers([
      ...[
        { ...given, precision: 'e4m3-f32' },
        ...ones,
        { ...given, precision: 'e5m2-f32' },
        ...ones,
        given,
        ...ones,
      ],
      ...[wholes, Uint8Array.of(200), Uint8Array.of(254), product],
    ]);
    expect(lines.slice(1)).toMatchObject([
      { answer: { verdict: 'pass' } },
      { answer: { verdict: 'fail' } },
      { error: { code: 'dtype-unknown' } },
      { answer: { verdict: 'pass' } },
    ]);
  });

  it('goes on after a request that it refuses', async () => {
    const short = { ...check, d: f32([2, 2], 12) };
    const { code, lines } = await answers([
      ...[{ ...check, precision: 'f31' }, a, b, d],
      ...[short, a, b, bytesOf(1, 2, 3)],
      ...[{ ...check, a: f32([1, 4]) }, a, b, d],
      ...[{ id: 9, do: 'check', a: square }, a],
      ...[check, a, b, d],
    ]);
    expect(code).toBe(0);
    expect(lines.slice(1)).toMatchObject([
      { id: 1, error: { code: 'unknown-name', exitCode: 2 } },
      {
        error: {
          code: 'tensor-unreadable',
          message: 'Cannot read d: it has 12 bytes, and 2×2 of f32 takes 16.',
        },
      },
      { error: { code: 'shapes-differ' } },
      { id: 9, error: { code: 'tensor-unreadable' } },
      pass,
    ]);
  });

  it('skips the bytes of a request that do not fit in memory', async () => {
    const fits = (bytes: number) => {
      if (bytes > 2 ** 17) throw new RangeError('Array buffer allocation failed');
    };
    const large = new Float32Array(2 ** 15 + 1);
    const vast = { ...check, a: f32([2 ** 15 + 1, 1]) };
    const { code, lines } = await answers(
      [vast, new Uint8Array(large.buffer), b, d, check, a, b, d],
      2 ** 16,
      fits,
    );
    expect(code).toBe(0);
    expect(lines.slice(1)).toMatchObject([{ error: { code: 'too-few-resources' } }, pass]);
  });

  it.each([
    ['no JSON', 'hello\n'],
    ['another request', { id: 1, do: 'dance' }],
    ['a negative size', { ...check, a: { ...square, bytes: -1 } }],
  ])('ends at %s, since bytes that follow have no known end', async (_, part) => {
    const { code, lines } = await answers([part, check, a, b, d]);
    expect(code).toBe(2);
    expect(lines).toMatchObject([{ ready: true }, { error: { code: 'request-unreadable' } }]);
  });

  it('ends where the stream ends, in a request too', async () => {
    expect((await answers([])).lines).toHaveLength(1);
    expect(await answers([check, a])).toMatchObject({ code: 0, lines: [{}] });
    expect(await answers(['{"id": 1'])).toMatchObject({ code: 0, lines: [{}] });
  });

  it('ends where nobody reads', async () => {
    let lines = 0;
    await serve(streamOf([check, a, b, d, check, a, b, d], 64), () => ++lines < 2);
    expect(lines).toBe(2);
  });
});
