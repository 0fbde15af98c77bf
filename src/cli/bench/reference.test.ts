import { describe, expect, it, vi } from 'vitest';
import { itWhole } from '../../base/in-short.testing.ts';
import { plainLook } from '../../report/terminal/text.ts';
import { runCommand } from '../in-process.testing.ts';
import { type BenchReference, benchReferenceText, runBenchReference } from './reference.ts';

async function run(options: Parameters<typeof runBenchReference>[0]): Promise<string> {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  let text = '';
  const write = (more: string) => {
    text += more;
  };
  expect(await runBenchReference(options, { write }).finally(() => vi.restoreAllMocks())).toBe(0);
  return text;
}

describe('bench reference', () => {
  itWhole('times every way on the same products', async () => {
    const report = JSON.parse(await run({ size: 20, runs: 1, json: true })) as BenchReference;
    expect(report).toMatchObject({ size: 20, runs: 1, machine: { cores: expect.any(Number) } });
    const [first, ...others] = report.inputs;
    const ways = first.times.map(({ way }) => way);
    expect(ways).toEqual(
      expect.arrayContaining(['TypeScript double-double', 'BigInt fixed point', 'decimal.js']),
    );
    expect(ways.includes('FLINT fmpz_mat_mul') || report.skipped.some(({ name }) => name === 'FLINT')).toBe(
      true,
    );
    for (const { times } of [first, ...others]) {
      for (const { size, least, median, products, certificate } of times) {
        expect(size).toBe(20);
        expect(median).toBeGreaterThanOrEqual(least);
        expect(products).toBeCloseTo(8000 / least, 3);
        expect(certificate?.entries ?? 400).toBe(400);
      }
    }
    expect(others.map(({ input, precision }) => `${input} ${precision}`)).toEqual([
      'wide-exponents f32',
      'uniform f16',
      'uniform f64',
    ]);
    expect(benchReferenceText(report, plainLook)).toMatch(/^decimal\.js +1 +20³ /m);
  });

  it.each([
    ['size', 'NaN', '--size must be a whole number from 1 to 32768, but is "NaN".'],
    ['size', '0', '--size must be a whole number from 1 to 32768, but is "0".'],
    ['runs', '1.5', '--runs must be a whole number from 1 to 1000, but is "1.5".'],
  ])('refuses a %s of %s', async (option, given, message) => {
    await expect(runCommand(['bench', 'reference', `--${option}`, given])).rejects.toMatchObject({
      code: 'bad-number',
      exitCode: 2,
      message,
    });
  });
});

it('names what is left out, and how entries were decided', () => {
  const certificate = {
    ...{ entries: 4, byExactSum: 3, byDoubleDouble: 1, byExpansion: 0, byBigInt: 0, nonFinite: 0 },
    ...{ exactDoubleDouble: 0, overflowed: 0, worstAbsolute: 2 ** -70, worstRelative: 2 ** -70 },
  };
  const one = { threads: 2, size: 2, median: 0.2, certificate };
  const text = benchReferenceText(
    {
      machine: { cpu: 'an abacus', cores: 1, node: 'v20' },
      ...{ size: 2, runs: 1, skipped: [{ name: 'FLINT', why: 'the C compiler "cc" is not installed' }] },
      inputs: [
        {
          ...{ input: 'uniform', precision: 'f32' },
          times: [
            { ...one, way: 'fast', least: 0.1, products: 80 },
            { ...one, way: 'slow', least: 100, products: 0.08 },
          ],
        },
      ],
    },
    plainLook,
  );
  expect(text).toMatch(/on 1 core \(an abacus\), Node v20\.\nSeconds of 1 run, taken in turns/);
  expect(text).toMatch(/^fast +2 +2³ +0\.1 +0\.2 +8\.00e\+1 +1$/m);
  expect(text).toMatch(/^slow +2 +2³ +100 +0\.2 +8\.00e-2 +1000$/m);
  expect(text).toContain('exact sums 3, double-double sums 1; error before rounding at most 8.47e-22');
  expect(text).toMatch(/Left out: FLINT, because the C compiler "cc" is not installed\.\n$/);
});
