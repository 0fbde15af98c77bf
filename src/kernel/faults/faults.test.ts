import { describe, expect, it } from 'vitest';
import { findAlgorithm } from '../../algorithms/algorithms.ts';
import { type Program, program } from '../../gpu/dispatches.ts';
import { findLeaf } from '../../gpu/leaves/leaves.ts';
import { builtinNames, builtinPlan, parseKernelName } from '../builtin.ts';
import type { Manner } from '../kernel.ts';
import { faults, findFault } from './faults.ts';

describe('the planted faults', () => {
  it('are at least twelve, of different names, each of a kernel of ours', () => {
    expect(faults.length).toBeGreaterThanOrEqual(12);
    expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
    for (const { kernel, levels } of faults) {
      expect(builtinNames).toContain(kernel);
      expect(levels.length).toBeGreaterThan(0);
    }
  });

  it('can be spelt in a case', () => {
    for (const { name } of faults) expect(name).toMatch(/^[a-z0-9-]+$/);
  });

  it.each(faults.map((fault) => [fault.name, fault] as const))('%s changes what is executed', (_, fault) => {
    const { algorithm, leaf } = parseKernelName(fault.kernel);
    const manner: Manner = { levels: fault.levels[0], border: 'pad', edge: 'guard' };
    const shape = { m: 40, k: 41, n: 42 };
    const plan = builtinPlan(fault.kernel, shape, manner);
    const part = 2 ** manner.levels;
    const made: Program = program(plan, findLeaf(leaf, { m: 40 / part, k: 41 / part, n: 42 / part }));
    const claimed = findAlgorithm(algorithm);
    const changed = [
      fault.tampering.program?.(made) ?? made,
      fault.tampering.algorithm?.(claimed) ?? claimed,
    ];
    expect(changed).not.toEqual([made, claimed]);
  });

  it('leave the kernel they are planted in as it is for the next run', () => {
    const before = structuredClone(findAlgorithm('strassen'));
    for (const { tampering } of faults) tampering.algorithm?.(findAlgorithm('strassen'));
    expect(findAlgorithm('strassen')).toEqual(before);
  });

  it('are found by name', () => {
    expect(findFault('stale-tile').kernel).toBe('classical:tiled');
    expect(() => findFault('stale-tiles')).toThrow(/Unknown planted fault .* Did you mean "stale-tile"\?/);
  });
});
