import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { checkLaw, type LawOptions, type Property, parameters } from './check-law.ts';
import { law, type Operands, operands, shapes } from './index.ts';

const state = { testPath: '/p/laws.test.ts', currentTestName: 'laws > a law' };
const broken = (
  arbitraries: readonly fc.Arbitrary<unknown>[],
  property: (...values: never[]) => unknown,
  options: LawOptions = {},
  environment = {},
) => checkLaw(arbitraries, property as Property<readonly unknown[]>, options, state, environment);

// Makes replays those of a user's project.
beforeAll(() => vi.stubEnv('PARANOIA_VITEST', ''));
afterAll(() => vi.unstubAllEnvs());

describe('a law', () => {
  law('takes values of each arbitrary', [fc.nat(3), fc.boolean()], { runs: 20 }, (x, yes) => {
    expect(x).toBeLessThanOrEqual(3);
    expect(typeof yes).toBe('boolean');
  });

  law('takes no options', [fc.constant('x')], async (x) => expect(x).toBe('x'));

  it('is broken by what throws, rejects or returns false, and by nothing else', async () => {
    expect(await broken([fc.nat()], () => undefined)).toBe(undefined);
    expect(await broken([fc.nat()], () => 0)).toBe(undefined);
    expect((await broken([fc.nat()], () => false))?.message).toMatch(
      /^Law broken at run 1, after \d+ shrinks?, by 0\n/,
    );
    expect((await broken([fc.nat()], () => expect(1).toBe(2)))?.message).toMatch(/expected 1 to be 2/);
    expect((await broken([fc.nat()], () => Promise.reject(new Error('late'))))?.message).toMatch(/\nlate\n/);
  });

  it('says how its failure is replayed, and is: the same values at the first run', async () => {
    const small = ({ shape }: Operands) => shape.m * shape.k * shape.n < 60;
    const arbitraries = [operands({ max: 30 })];
    const error = await broken(arbitraries, small);
    const [, values] = /by (operands\(.*\))\n/.exec(error?.message ?? '') ?? [];
    const [, seed, path, command] =
      /replay: PARANOIA_SEED=(-?\d+) PARANOIA_PATH='([\d:]+)' (.*)$/.exec(error?.message ?? '') ?? [];
    expect(command).toBe("npx vitest run /p/laws.test.ts -t 'laws a law'");
    const tried: string[] = [];
    const replay = await broken(
      arbitraries,
      (pair) => {
        tried.push(fc.stringify(pair));
        return small(pair);
      },
      {},
      { PARANOIA_SEED: seed, PARANOIA_PATH: path },
    );
    expect(tried[0]).toBe(values);
    expect(replay?.message).toContain(values);
  });

  it('says so where no value could be tried', async () => {
    const error = await broken([fc.nat()], () => fc.pre(false));
    expect(error?.message).toMatch(
      /^Failed to run property, too many pre-condition failures[\s\S]*\nreplay: PARANOIA_SEED=/,
    );
  });

  it('is run as often, and from the seed, that options and the environment say', () => {
    expect(parameters(10, {}, {})).toEqual({ numRuns: 10 });
    expect(parameters(10, { seed: 3 }, { PARANOIA_RUNS: '2.5' })).toEqual({ numRuns: 25, seed: 3 });
    expect(parameters(1, { seed: 3 }, { PARANOIA_SEED: '-4', PARANOIA_PATH: '1:2' })).toEqual({
      numRuns: 1,
      seed: -4,
      path: '1:2',
    });
  });

  it.each([
    [{ PARANOIA_RUNS: 'many' }, 'PARANOIA_RUNS must be a number above 0, but is "many".'],
    [{ PARANOIA_RUNS: '0' }, 'PARANOIA_RUNS must be a number above 0, but is "0".'],
    [{ PARANOIA_SEED: 'x' }, 'The seed of a law must be a whole number, but is "x".'],
  ])('refuses %o', (environment, message) => {
    expect(() => parameters(1, {}, environment)).toThrow(message);
  });

  it('tries its examples first', async () => {
    const seen: number[] = [];
    await broken([fc.constant(9)], (x: number) => seen.push(x), { runs: 3, examples: [[1], [2]] });
    expect(seen).toEqual([1, 2, 9]);
  });
});

describe('arbitraries', () => {
  law(
    'operands are of their shape, family and precision',
    [operands({ max: 20, precision: 'f16' })],
    (pair) => {
      const { a, b, shape } = pair;
      expect([a.rows, a.cols, b.rows, b.cols]).toEqual([shape.m, shape.k, shape.k, shape.n]);
      expect(Math.max(shape.m, shape.k, shape.n)).toBeLessThanOrEqual(20);
      expect(a.data.every((x) => Math.abs(x) <= 65504)).toBe(true);
      expect(Object.keys(pair)).toEqual(['a', 'b', 'shape', 'input', 'seed']);
    },
  );

  it('draws all families that are asked for, and no others', () => {
    const inputs = ['uniform', 'powers-of-two', 'inverse-pair'];
    const drawn = fc.sample(operands({ max: 8, inputs }), { seed: 1, numRuns: 200 });
    expect(new Set(drawn.map(({ input }) => input))).toEqual(new Set(inputs));
  });

  it('shrinks operands to the smallest shape and the first family that break a law', async () => {
    const error = await broken([operands({ max: 40 })], ({ shape }: Operands) => shape.k < 5);
    expect(error?.message).toMatch(/by operands\(\{ shape: 1×5×1, input: 'integers', seed: 1 \}\)\n/);
  });

  it('meets the edges of tiles', () => {
    const drawn = fc.sample(shapes({ max: 33, tiles: [16] }), { seed: 1, numRuns: 300 });
    const sizes = new Set(drawn.flatMap(({ m, k, n }) => [m, k, n]));
    for (const size of [1, 15, 16, 17, 31, 32, 33]) expect(sizes).toContain(size);
  });

  it.each([
    [() => shapes({ max: 0 }), 'The largest size must be a whole number from 1 to 32768, but is 0.'],
    [
      () => shapes({ tiles: [2.5] }),
      'The size of a tile must be a whole number from 1 to 32768, but is 2.5.',
    ],
    [() => operands({ inputs: ['unifrom'] }), 'Did you mean "uniform"?'],
    [() => operands({ precision: 'f17' as never }), 'Unknown precision "f17".'],
    [() => operands({ inputs: [] }), 'No case ran'],
    [() => operands({ inputs: ['subnormals'], precision: 'f16' }), 'No case ran'],
  ])('refuses what cannot be drawn (%#)', (make, message) => {
    expect(make).toThrow(message);
  });
});
