import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { toBeProductOf } from './matchers.ts';
import { replayOfTest } from './message.ts';

const state = { testPath: '/p/gemm.test.ts', currentTestName: 'my gemm > multiplies (fast)', isNot: false };
const match = (c: unknown, a: unknown, b: unknown, options = {}, at = state) =>
  toBeProductOf.call(at, c, a as never, b as never, options);

const a = [
  [1, 2, 3],
  [4, 5, 6],
];
const b = [
  [7, 8],
  [9, 10],
  [11, 12],
];
const c = [
  [58, 64],
  [139, 154],
];

// Makes replays those of a user's project.
beforeAll(() => vi.stubEnv('PARANOIA_VITEST', ''));
afterAll(() => vi.unstubAllEnvs());

describe('toBeProductOf', () => {
  it('passes a product, as rows of numbers or as a matrix', () => {
    expect(match(c, a, b).pass).toBe(true);
    expect(match({ rows: 2, cols: 2, data: Float32Array.of(58, 64, 139, 154) }, a, b).pass).toBe(true);
    expect(match(c, a, b, { precision: 'f64' }).pass).toBe(true);
  });

  it('shows entries, what was expected and allowed, in aligned columns, and how to replay', () => {
    const { pass, message } = match(
      [
        [58, 64.5],
        [139, -154],
      ],
      a,
      b,
    );
    expect(pass).toBe(false);
    const lines = message().split('\n');
    expect(lines[0]).toMatch(
      /^2 of 4 entries of C differ from A·B by more than their error bounds \(algorithm classical, f32\): /,
    );
    expect(lines.slice(2, 5)).toEqual([
      ' entry  found  expected  error  allowed',
      expect.stringMatching(/^\(1, 1\) {3}-154 {7}154 {4}308 {2}[\d.e-]+$/),
      expect.stringMatching(/^\(0, 1\) {3}64\.5 {8}64 {4}0\.5 {2}[\d.e-]+$/),
    ]);
    expect(lines.at(-1)).toBe("replay: npx vitest run /p/gemm.test.ts -t 'my gemm multiplies .fast.'");
  });

  it.each([
    [3, a, b, /^C cannot be used: it must be \{ rows, cols, data \}/],
    [c, [[1, 2], [3]], b, /^The shapes do not match: row 0 of A has 2 entries and row 1 has 1/],
    [
      c,
      [
        [0.1, 2, 3],
        [4, 5, 6],
      ],
      b,
      /^A cannot be used: entry \(0, 0\) is 0\.1, which is no f32 number\./,
    ],
    [[[1]], a, b, /C is 1×1; C must be 2×2/],
  ])('neither passes nor passes under not what is no such product (%#)', (given, left, right, message) => {
    const plain = match(given, left, right);
    expect(plain.pass).toBe(false);
    expect(plain.message()).toMatch(message);
    expect(match(given, left, right, {}, { ...state, isNot: true }).pass).toBe(true);
  });

  it('judges through an epilogue', () => {
    const epilogue = [
      { step: 'scale', values: 0.25 },
      'relu',
      { step: 'requantize', to: 'int8', scale: 0.5 },
    ];
    const codes = [
      [29, 32],
      [70, 77],
    ];
    expect(match(codes, a, b, { epilogue }).pass).toBe(true);
    const { pass, message } = match([[29, 33], codes[1]], a, b, { epilogue });
    expect(pass).toBe(false);
    expect(message()).toMatch(/^D differs from A·B after scale \(0\.25\), relu, requantize/);
    expect(message()).toMatch(/: only entry \(0, 1\), by one step\./);
    expect(message()).not.toContain('NaN');
    const columns = [{ step: 'bias', values: [[1], [2]] }];
    const added = c.map((row, i) => row.map((x) => x + i + 1));
    expect(match(added, a, b, { epilogue: columns }).pass).toBe(true);
    expect(match(c, a, b, { epilogue: null }).message()).toMatch(/must be a list of steps, .* but is null\./);
    expect(match(codes, a, b, { epilogue, sigmas: 6 }).message()).toMatch(
      /^The argument sigmas is .* beside an epilogue/,
    );
  });

  it('neither passes nor, under not, fails where the bound proves nothing', () => {
    const factors = [[[2 ** 20, 1, -(2 ** 20)]], [[2 ** 20], [1], [2 ** 20]]] as const;
    const judged = match([[0]], ...factors);
    expect(judged.pass).toBe(false);
    expect(judged.message()).toMatch(/proves nothing/);
    expect(match([[0]], ...factors, {}, { ...state, isNot: true }).pass).toBe(true);
    // Exact products need no bound.
    expect(match([[1]], ...factors).pass).toBe(true);
  });
});

it('replays a test without a file or a name too', () => {
  expect(replayOfTest({})).toBe('replay: npx vitest run');
});
