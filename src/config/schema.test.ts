import { expect, it } from 'vitest';
import { strassen } from '../algorithms/strassen.ts';
import { complete } from '../evidence/checks/complete.ts';
import { flattenCase, parseCase } from '../problem/case.ts';
import { ranges } from '../problem/ranges.ts';
import { type Config, defineConfig } from './config.ts';
import { parseConfig } from './schema.ts';

const known = {
  kernels: ['strassen', 'strassen:register', 'classical:tiled-8'],
  inputs: ['uniform', 'integers'],
  reporters: ['json', 'junit'],
};

const waived = (change: object) => ({
  waivers: [{ case: 'kernel=x', reason: 'Known.', expires: '2026-12-31', ...change }],
});

it('takes every option', () => {
  const config: Required<Omit<Config, 'cases'>> = {
    adapter: 'software',
    kernels: ['strassen', 'classical:tiled-8'],
    algorithms: [strassen],
    checks: [complete],
    studies: [{ name: 'mine', what: 'a study' }],
    inputs: ['uniform'],
    levels: [0, 15],
    sizes: [1, 32768, [129, 65, 33]],
    plain: true,
    precisions: ['f16', 'tf32-f32'],
    toggles: ['vulkan_enable_f16_on_nvidia'],
    fringes: ['pad', 'peel'],
    tails: ['mask', 'pad'],
    seed: 4294967295,
    replicates: 3,
    thresholds: { sigmas: 6.5, drift: 2 },
    waivers: [
      { case: 'kernel=strassen:*;m=1..16', reason: 'Known.', expires: '2026-12-31' },
      { case: 'input=special-values', reason: 'Known.', expires: '2028-02-29', check: 'exceptions' },
    ],
    baselines: 'baselines',
    reporters: ['junit'],
    out: 'out',
    jobs: 2,
    budget: '90s',
    timeLimit: 0.5 + 1,
  };
  expect(parseConfig(defineConfig(config), known)).toEqual(config);
  expect(parseConfig({ cases: 20 }, known)).toEqual({ cases: 20 });
  expect(parseConfig({}, known)).toEqual({});
  expect(parseConfig({ seed: undefined }, known)).toEqual({});
});

it.each<[unknown, string]>([
  [undefined, 'is missing.'],
  [null, 'must be an object, but is null.'],
  [() => ({}), 'must be an object, but is a function.'],
  [{ size: [64] }, 'unknown option "size". Did you mean "sizes"? Known: adapter, kernels,'],
  [{ cases: 0 }, 'cases: must be a whole number from 1 to 1000000000, but is 0.'],
  [{ budget: 'quick', cases: 5 }, 'budget cannot be combined with cases. Leave one of them out.'],
  [{ xyzzy: 1 }, 'unknown option "xyzzy". Known: adapter,'],
  [
    { thresholds: { sigma: 6 } },
    'thresholds: unknown option "sigma". Did you mean "sigmas"? Known: sigmas, drift.',
  ],
  [{ sizes: [64, 65, -3] }, 'sizes[2]: must be a whole number from 0 to 2147483647, but is -3.'],
  [{ sizes: ['64'] }, 'sizes[0]: must be a whole number or [m, k, n], but is "64".'],
  [{ sizes: [[1, 2]] }, 'sizes[0]: must be a whole number or [m, k, n], but is [1,2].'],
  [{ sizes: [[1, -1, 3]] }, 'sizes[0][1]: must be a whole number from 0 to 2147483647, but is -1.'],
  [{ sizes: 64 }, 'sizes: must be a list, but is 64.'],
  [{ sizes: [] }, 'sizes: must have at least one entry, but is [].'],
  [{ levels: [16] }, 'levels[0]: must be a whole number from 0 to 15, but is 16.'],
  [{ seed: '1' }, 'seed: must be a whole number from 0 to 4294967295, but is "1".'],
  [{ thresholds: { sigmas: 0 } }, 'thresholds.sigmas: must be a number from 1 to 1000, but is 0.'],
  [{ timeLimit: Number.POSITIVE_INFINITY }, 'timeLimit: must be a number from 1 to 604800, but is Infinity.'],
  [{ fringes: ['pads'] }, 'fringes[0]: must be "pad" or "peel", but is "pads".'],
  [{ out: ' ' }, 'out: must be a non-empty string, but is " ".'],
  [{ kernels: 'strassen' }, 'kernels: must be a list, but is "strassen".'],
  [
    { kernels: ['strassen', 'strasen:register'] },
    'kernels[1]: Unknown kernel "strasen:register". Did you mean "strassen:register"? Known:',
  ],
  [{ inputs: ['unifrom'] }, 'inputs[0]: Unknown input "unifrom". Did you mean "uniform"?'],
  [{ reporters: ['html'] }, 'reporters[0]: Unknown reporter "html".'],
  [waived({ reason: ' ' }), 'waivers[0].reason: must be a non-empty string, but is " ".'],
  [waived({ reason: undefined }), 'waivers[0].reason: is missing.'],
  [waived({ expires: '2026-02-30' }), 'waivers[0].expires: must be a date such as 2026-12-31, but is "2026'],
  [
    waived({ until: '2026-12-31' }),
    'waivers[0]: unknown option "until". Known: case, reason, expires, check.',
  ],
  [waived({ case: 'kernal=x' }), 'waivers[0]: Unknown key in a pattern "kernal". Did you mean "kernel"?'],
  [waived({ check: 'sigmas' }), 'waivers[0]: Unknown check "sigmas". Did you mean "sigma"? Known:'],
])('refuses wrong value %#', (value, fault) => {
  expect(() => parseConfig(value, known, 'x.ts')).toThrow(
    expect.objectContaining({
      code: 'bad-config',
      exitCode: 2,
      message: expect.stringContaining(`x.ts: ${fault}`),
    }),
  );
});

it('ends each message with one full stop', () => {
  for (const value of [{ xyzzy: 1 }, { sizes: [-1] }, { inputs: ['x'] }]) {
    expect(() => parseConfig(value, known)).toThrow(/[^.]\.$/);
  }
});

it.each([
  ['m', ranges.dimension],
  ['levels', ranges.levels],
  ['seed', ranges.seed],
])('allows for %s what a case can hold, no less and no more', (key, { least, most }) => {
  const read = (value: number) => parseCase(`kernel=x;${key === 'm' ? '' : 'm=1;'}k=1;n=1;${key}=${value}`);
  for (const value of [least, most]) expect(flattenCase(read(value))).toMatchObject({ [key]: value });
  for (const value of [least - 1, most + 1]) expect(() => read(value)).toThrow();
});
