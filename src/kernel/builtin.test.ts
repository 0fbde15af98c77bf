import { afterAll, describe, expect, it } from 'vitest';
import { openNodeDevice } from '../gpu/node/open.ts';
import { findInput } from '../inputs/inputs.ts';
import { borders, edges } from '../plan/plan.ts';
import { EXIT } from '../problems.ts';
import {
  allBuiltinNames,
  builtinKernel,
  builtinNames,
  builtinPlan,
  expandKernels,
  parseKernelName,
} from './builtin.ts';
import { mirrorKernel } from './mirror-kernel.ts';

const open = await openNodeDevice({ adapter: 'software' });
afterAll(() => open.close());

describe('names of kernels', () => {
  it('are every algorithm with every family of leaf kernels', () => {
    expect(builtinNames).toEqual(
      ['classical', 'strassen', 'winograd'].flatMap((algorithm) =>
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
    [':tiled', ['classical:tiled', 'strassen:tiled', 'winograd:tiled']],
    [':tiled-8', ['classical:tiled-8', 'strassen:tiled-8', 'winograd:tiled-8']],
  ])('%s is a pattern of %j', (pattern, names) => {
    expect(expandKernels(pattern)).toEqual(names);
  });

  it.each([
    ['strasen', 'strassen'],
    [':tile', ':tiled'],
    ['winograd:registr', 'winograd:register'],
    ['Classical', 'classical'],
  ])('%s is refused; perhaps %s was meant', (pattern, meant) => {
    expect(() => expandKernels(pattern)).toThrow(`Did you mean "${meant}"?`);
    expect(() => expandKernels(pattern)).toThrow(expect.objectContaining({ exitCode: EXIT.usage }));
  });

  it.each(['', ':', 'strassen:', ':naive', 'strassen', 'strassen:register:4', 'mirror'])(
    '"%s" is no kernel',
    (name) => {
      expect(() => parseKernelName(name)).toThrow(/^Unknown kernel/);
      expect(() => builtinKernel(name, open)).toThrow(/^Unknown kernel/);
    },
  );
});

describe('a kernel of ours', () => {
  const shape = { m: 19, k: 23, n: 21 };
  const manners = [0, 2].flatMap((levels) =>
    borders.flatMap((border) => edges.map((edge) => ({ levels, border, edge }))),
  );

  it('claims the plan that is known without a device', () => {
    const names = allBuiltinNames.filter((name) =>
      /:([a-z]+|tiled-4|register-8x16|staged-64x64.*)$/.test(name),
    );
    for (const name of names) {
      for (const manner of manners) {
        expect(builtinPlan(name, shape, manner)).toEqual(builtinKernel(name, open).plan(shape, manner));
      }
    }
  });

  it('gives what the mirror of its plan gives, bit for bit', async () => {
    const { a, b } = findInput('uniform').generate({ ...shape, seed: 5 });
    const names = ['classical:tiled-8', 'strassen:register', 'winograd:naive'];
    for (const [at, name] of names.entries()) {
      const manner = manners[3 * at];
      const kernel = builtinKernel(name, open);
      const execution = await kernel.multiply(a, b, kernel.plan(shape, manner));
      const mirror = mirrorKernel(kernel.algorithm, open.arithmetic);
      const mirrored = await mirror.multiply(a, b, mirror.plan(shape, manner));
      expect(execution.c).toEqual(mirrored.c);
      expect(execution).toMatchObject({ unwritten: 0, guardsTouched: 0, operandsChanged: 0 });
    }
  });

  it('refuses levels that no plan can be made for', () => {
    const manner = { levels: 15, border: 'pad', edge: 'guard' } as const;
    expect(() => builtinPlan('strassen:naive', shape, manner)).toThrow(/levels must be so few/);
  });
});
