import { afterAll, describe, expect, it } from 'vitest';
import { algorithms } from '../algorithms/algorithms.ts';
import { EXIT } from '../base/errors.ts';
import { inShort, itWhole } from '../base/in-short.testing.ts';
import { openNodeDevice } from '../gpu/node/open.ts';
import { fringes, tails } from '../problem/method.ts';
import { builtinKernel } from './builtin.ts';
import { allBuiltinNames, builtinNames, builtinPlan, parseKernelName } from './builtin-plan.ts';
import { builtinCatalog } from './kernel-catalog.ts';

const open = await openNodeDevice({ adapter: 'software' });
afterAll(() => open.close());

describe('names of kernels', () => {
  it('are every algorithm with every family of leaf kernels', () => {
    expect(builtinNames).toEqual(
      algorithms.flatMap(({ name: algorithm }) =>
        ['naive', 'tiled', 'register'].map((leaf) => `${algorithm}:${leaf}`),
      ),
    );
    expect(allBuiltinNames).toEqual(expect.arrayContaining([...builtinNames, 'classical:tiled-8']));
    expect(new Set(allBuiltinNames).size).toBe(allBuiltinNames.length);
  });

  it('are read as the algorithm and the leaf', () => {
    for (const name of allBuiltinNames) {
      const { algorithm, leaf } = parseKernelName(name);
      expect(`${algorithm}:${leaf}`).toBe(name);
    }
  });

  it.each([
    ['classical:tiled-8', ['classical:tiled-8']],
    ['strassen', ['strassen:naive', 'strassen:tiled', 'strassen:register']],
    [':tiled', algorithms.map(({ name }) => `${name}:tiled`)],
    [':tiled-8', algorithms.map(({ name }) => `${name}:tiled-8`)],
  ])('%s is a pattern of %j', (pattern, names) => {
    expect(builtinCatalog.expand(pattern)).toEqual(names);
  });

  it.each([
    ['strasen', 'strassen'],
    [':tile', ':tiled'],
    ['winograd:registr', 'winograd:register'],
    ['Classical', 'classical'],
  ])('%s is refused; perhaps %s was meant', (pattern, meant) => {
    expect(() => builtinCatalog.expand(pattern)).toThrow(`Did you mean "${meant}"?`);
    expect(() => builtinCatalog.expand(pattern)).toThrow(expect.objectContaining({ exitCode: EXIT.usage }));
  });

  it.each(['', ':', 'strassen:', ':naive', 'strassen', 'strassen:register:4', 'model'])(
    '"%s" is no kernel',
    (name) => {
      expect(() => parseKernelName(name)).toThrow(/^Unknown kernel/);
      expect(() => builtinKernel(name, open)).toThrow(/^Unknown kernel/);
    },
  );
});

describe('a kernel of ours', () => {
  const shape = { m: 19, k: 23, n: 21 };
  const manners = [0, 1].flatMap((levels) =>
    fringes.flatMap((fringe) => tails.map((tail) => ({ levels, fringe, tail }))),
  );

  itWhole('claims the plan that is known without a device', () => {
    const names = allBuiltinNames.filter((name) =>
      /:([a-z]+|tiled-4|register-8x16|staged-64x64.*)$/.test(name),
    );
    for (const name of inShort(names, 3)) {
      for (const manner of manners) {
        const [known, claimed] = [
          builtinPlan(name, shape, manner),
          builtinKernel(name, open).plan(shape, manner),
        ];
        // Compared as texts, which is a hundred times faster.
        expect(JSON.stringify(known)).toBe(JSON.stringify(claimed));
      }
    }
  });

  it('refuses levels that no plan can be made for', () => {
    const manner = { levels: 15, fringe: 'pad', tail: 'mask' } as const;
    expect(() => builtinPlan('strassen:naive', shape, manner)).toThrow(/levels must be so few/);
  });
});
