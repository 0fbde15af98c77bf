import { describe, expect, it } from 'vitest';
import { algorithms } from '../algorithms/algorithms.ts';
import { builtinNames } from './builtin-plan.ts';
import { builtinCaseItems } from './case-items.ts';
import { builtinCatalog, makeKernelCatalog } from './kernel-catalog.ts';
import { defineKernel } from './user-kernel.ts';

const kernel = (name: string) => defineKernel({ name, multiply: () => new Float32Array(1) });
const mine = kernel('mine');
const all = makeKernelCatalog([mine, kernel('lib:wasm'), kernel('lib:cpu')]);

describe('a catalog', () => {
  it.each([
    ['mine', ['mine']],
    ['lib', ['lib:wasm', 'lib:cpu']],
    ['lib:cpu', ['lib:cpu']],
    ['strassen:tiled-8', ['strassen:tiled-8']],
    ['strassen', builtinNames.filter((name) => name.startsWith('strassen:'))],
    [':naive', algorithms.map(({ name }) => `${name}:naive`)],
  ])('knows what %s means', (pattern, names) => {
    expect(all.expand(pattern)).toEqual(names);
  });

  it('finds the kernels that are not ours', () => {
    expect(all.external('mine')).toBe(mine);
    expect(all.external('strassen:naive')).toBeUndefined();
  });

  it('suggests a name where one is unknown', () => {
    expect(() => all.expand('lib:wasn')).toThrow('Unknown kernel "lib:wasn". Did you mean "lib:wasm"?');
    expect(() => builtinCatalog.expand('mine')).toThrow(/^Unknown kernel "mine"/);
  });

  it.each([
    [[mine, kernel('mine')], /"mine" cannot be used: the config has two of this name. Rename one/],
    [[kernel('strassen')], /a built-in kernel, algorithm or leaf has this name/],
    [[kernel('strassen:naive')], /a built-in kernel, algorithm or leaf has this name/],
    [[kernel(':naive')], /a built-in kernel, algorithm or leaf has this name/],
  ])('refuses names that could mean two kernels (%#)', (own, message) => {
    expect(() => makeKernelCatalog(own)).toThrow(message);
  });

  it('says who brought each of two kernels of one name', () => {
    expect(() => makeKernelCatalog([kernel('lib:cpu')], builtinCaseItems, [kernel('lib:cpu')])).toThrow(
      '"lib:cpu" cannot be used: gemm-paranoia already has one of this name. Rename the one in the config',
    );
  });
});
