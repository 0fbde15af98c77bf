import { expect, it } from 'vitest';
import { checkNames, mergeOptions } from './options.ts';
import { defaults } from './run-options.ts';

const known = { kernels: ['strassen', ':tiled'], inputs: ['uniform'], reporters: ['json'] };

it('prefers the command line to the config to the defaults, each threshold by itself', () => {
  expect(mergeOptions({}, {})).toEqual(defaults);
  const config = { seed: 2, sizes: [1], out: 'a', thresholds: { sigmas: 4, drift: 3 } };
  const merged = mergeOptions(config, { seed: 3, out: undefined, sigmas: 5, config: 'x.ts', verbose: true });
  expect(merged).toEqual({ ...defaults, seed: 3, sizes: [1], out: 'a', thresholds: { sigmas: 5, drift: 3 } });
});

it('a limit of the command line replaces the other kind of limit of the config', () => {
  expect(mergeOptions({ budget: 'quick' }, { cases: 5 })).toEqual({ ...defaults, cases: 5 });
});

it.each([
  [{ kernels: ['strasen'] }, 'Unknown kernel "strasen". Did you mean "strassen"?'],
  [{ inputs: ['uniforn'] }, 'Unknown input "uniforn". Did you mean "uniform"?'],
  [{ reporters: ['jsn'] }, 'Unknown reporter "jsn". Did you mean "json"?'],
])('suggests a name for %j', (options, message) => {
  expect(() => checkNames(options, known)).toThrow(message);
});
