import { expect, it } from 'vitest';
import { ranges } from '../problem/ranges.ts';
import { parseNumber, parseSize, parseSizes } from './flags.ts';
import { defaults, mergeOptions, parseFlags } from './options.ts';

const known = {
  kernels: ['strassen', ':tiled'],
  inputs: ['uniform', 'integers'],
  reporters: ['json', 'junit'],
};

it('reads every option as a command line gives it', () => {
  const flags = {
    adapter: 'software',
    kernel: 'strassen, :tiled,strassen',
    input: ['uniform', 'integers'],
    levels: '0,1',
    size: ['64,129x65x33', 7],
    fringe: 'pad,peel',
    tail: 'mask',
    seed: 7,
    replicates: '3',
    sigmas: 6.5,
    baselines: 'b',
    reporter: 'json',
    out: 'o',
    timeLimit: '1e2',
    config: 'x.ts',
    '--': [],
  };
  expect(parseFlags(flags, known)).toEqual({
    adapter: 'software',
    kernels: ['strassen', ':tiled'],
    inputs: ['uniform', 'integers'],
    levels: [0, 1],
    sizes: [64, [129, 65, 33], 7],
    fringes: ['pad', 'peel'],
    tails: ['mask'],
    seed: 7,
    replicates: 3,
    thresholds: { sigmas: 6.5 },
    baselines: 'b',
    reporters: ['json'],
    out: 'o',
    timeLimit: 100,
  });
  expect(parseFlags({}, known)).toEqual({});
});

it.each([
  ['64', 64],
  ['129x65x33', [129, 65, 33]],
  ['129 × 65 × 33', [129, 65, 33]],
])('reads the size %s', (given, size) => {
  expect(parseSize('--size', given)).toEqual(size);
});

it.each([
  '-3',
  -3,
  '1.5',
  'NaN',
  'Infinity',
  '2147483648',
  '0x10',
  'abc',
  '1x2',
  '1x2x3x4',
  '1xx3',
  '1,2,3',
  Number.NaN,
])('refuses the size %s', (given) => {
  expect(() => parseSize('--size', given)).toThrow(
    expect.objectContaining({ code: 'bad-number', exitCode: 2 }),
  );
});

it('says what a size must be', () => {
  expect(() => parseSizes('--size', '64,129x-1x33')).toThrow(
    '--size must be a whole number from 0 to 2147483647, but is "-1".',
  );
  expect(() => parseSize('--size', '1x2')).toThrow('--size must be a size n, or three: mxkxn, but is "1x2".');
});

it.each([
  [{ size: true }, '--size'],
  [{ size: '' }, '--size'],
  [{ seed: [1, 2] }, '--seed'],
  [{ out: true }, '--out'],
  [{ timeLimit: '' }, '--time-limit'],
  [{ kernel: {} }, '--kernel'],
])('asks for the value in %j', (flags, option) => {
  expect(() => parseFlags(flags, known)).toThrow(
    expect.objectContaining({ code: 'missing-option', message: expect.stringContaining(`Give ${option} `) }),
  );
});

it('names an empty item of a list', () => {
  expect(() => parseFlags({ levels: '0,,1' }, known)).toThrow('--levels "0,,1" has an empty value: ');
});

it.each([
  [{ kernel: 'strasen' }, 'Unknown kernel "strasen". Did you mean "strassen"?'],
  [{ fringe: 'pad,pele' }, 'Unknown fringe "pele". Did you mean "peel"?'],
  [{ reporter: 'jsn' }, 'Unknown reporter "jsn". Did you mean "json"?'],
])('suggests a name for %j', (flags, message) => {
  expect(() => parseFlags(flags, known)).toThrow(message);
});

it('takes only numbers for numbers', () => {
  expect(parseNumber('--sigmas', '+4.5', ranges.sigmas)).toBe(4.5);
  for (const text of ['4,5', '0x10', '1e', '--1', '6σ', '1_000']) {
    expect(() => parseNumber('--sigmas', text, ranges.sigmas)).toThrow(
      '--sigmas must be a number from 1 to 1000',
    );
  }
});

it('prefers the command line to the config to the defaults, each threshold by itself', () => {
  expect(mergeOptions({}, {})).toEqual(defaults);
  const config = { seed: 2, sizes: [1], out: 'a', thresholds: { sigmas: 4, drift: 3 } };
  const merged = mergeOptions(config, {
    seed: 3,
    out: undefined,
    thresholds: { sigmas: 5, drift: undefined },
  });
  expect(merged).toEqual({ ...defaults, seed: 3, sizes: [1], out: 'a', thresholds: { sigmas: 5, drift: 3 } });
});
