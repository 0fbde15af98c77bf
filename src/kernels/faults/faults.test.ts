import { describe, expect, it } from 'vitest';
import { findAlgorithm } from '../../algorithms/algorithms.ts';
import { findWrongBlocks } from '../../algorithms/verify-algorithm.ts';
import { ParanoiaError } from '../../base/errors.ts';
import { inShort } from '../../base/in-short.testing.ts';
import { compileProgram, type GpuProgram } from '../../gpu/wgsl/dispatches.ts';
import { findLeaf } from '../../gpu/wgsl/leaves/leaves.ts';
import { compile } from '../../plan/compile.ts';
import type { Plan } from '../../plan/plan.ts';
import { emulated } from '../../precision/arithmetic.ts';
import { type DeviceFacts, type Wgsl, wgslOf } from '../../precision/precision.ts';
import { precisions } from '../../precision/precisions.ts';
import type { Numeric } from '../../precision/wgsl/numeric.ts';
import { fringes, type Method, tails } from '../../problem/method.ts';
import { allBuiltinNames, builtinPlan, findStyled, parseKernelName } from '../builtin-plan.ts';

import { onLoadNumeric } from '../codes-on-device.ts';

import { type AlternativeEdits, createPlanter, faultClasses, faultsIn, type ShaderEdit } from './fault.ts';
import { type Fault, faults, findFault, rungs } from './faults.ts';
import { scheduleLineFaults } from './schedule.ts';

/** Arithmetic of devices without f16, in each precision. */
const facts: DeviceFacts = {
  arithmetic: emulated,
  half: async () => undefined,
  packedDots: async () => true,
  losesErrors: async () => undefined,
};
const numerics = new Map(
  await Promise.all(
    precisions.items.map(async (one) => [one.name, ((await wgslOf(one, facts)) as Wgsl).numeric] as const),
  ),
);

/** Awkward shapes first, then one that every tile divides. */
const SHAPES = [
  { m: 40, k: 41, n: 42 },
  { m: 43, k: 29, n: 51 },
  { m: 64, k: 64, n: 64 },
];

/** True if the fault is planted in a product of some shape; several are tried, since faults may spare the first. */
function isPlanted({ kernel, levels, precision = 'f32', tampering }: Fault): boolean {
  const { algorithm, leaf } = parseKernelName(kernel);
  const claimed = findAlgorithm(algorithm);
  const executed = tampering.algorithm?.(claimed) ?? claimed;
  const manners = levels.flatMap((level) =>
    fringes.flatMap((fringe) => tails.map((tail): Method => ({ levels: level, fringe, tail }))),
  );
  const plant = createPlanter(tampering);
  const styled = findStyled(leaf);
  const tries = SHAPES.flatMap((shape) => manners.map((manner) => ({ shape, manner })));
  return tries.some(({ shape, manner }) => {
    const plan = builtinPlan(kernel, shape, manner);
    const { fringe, tail } = manner;
    const changed = compile({ algorithm: executed, shape, depth: { levels: manner.levels }, fringe, tail });
    const part = (size: number) => Math.ceil(size / 2 ** manner.levels);
    const own = findLeaf(styled === undefined ? leaf : 'naive', {
      m: part(shape.m),
      k: part(shape.k),
      n: part(shape.n),
    });
    const stored = numerics.get(precision) as Numeric;
    const numeric = onLoadNumeric(plan, own, stored, precisions.find(precision)) ?? stored;
    const programOf = (plan: Plan) => compileProgram(plan, own, numeric, styled?.blocking);
    return Array.from({ length: tampering.meets === undefined ? 1 : 70 }).some(() => {
      try {
        return plant(plan, executed === claimed ? plan : changed, programOf) !== programOf(plan);
      } catch (error) {
        if (error instanceof ParanoiaError && error.code === 'fault-not-planted') return false;
        throw error;
      }
    });
  });
}

describe('the planted faults', () => {
  it('are at least sixty, of different names, each of a kernel of ours and of every class', () => {
    expect(faults.length - scheduleLineFaults.length).toBeGreaterThanOrEqual(60);
    const all = [...faults, ...rungs];
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    for (const { kernel, levels } of all) {
      expect(allBuiltinNames).toContain(kernel);
      expect(levels.length).toBeGreaterThan(0);
    }
    for (const name of faultClasses) {
      expect(faults.filter((fault) => fault.class === name).length).toBeGreaterThanOrEqual(5);
      expect(rungs.some((rung) => rung.class === name)).toBe(true);
    }
  });

  it('can be spelt in a case', () => {
    for (const { name } of [...faults, ...rungs]) expect(name).toMatch(/^[a-z0-9-]+$/);
  });

  it.each(inShort([...faults, ...rungs], 5).map((fault) => [fault.name, fault] as const))(
    '%s changes what is executed',
    (_, fault) => expect(isPlanted(fault)).toBe(true),
  );

  it('are refused where an edit finds no text, whatever the others find, and where nothing changes', () => {
    const plan = builtinPlan('classical:naive', SHAPES[0], { levels: 0, fringe: 'pad', tail: 'mask' });
    const programOf = (plan: Plan) => compileProgram(plan, findLeaf('naive', SHAPES[0]));
    const planted = (...edits: readonly (ShaderEdit | AlternativeEdits)[]) => {
      const [fault] = faultsIn('edges', 'classical:naive', [0], { one: { what: 'one', edits } });
      return createPlanter(fault.tampering)(plan, plan, programOf).dispatches[0].shader;
    };
    const found = ['p < params.k;', 'p + 1u < params.k;'] as const;
    const gone = ['no such text', 'x'] as const;
    expect(planted(found)).not.toBe(programOf(plan).dispatches[0].shader);
    expect(planted({ either: [gone, found] })).toBe(planted(found));
    const refused: (readonly (ShaderEdit | AlternativeEdits)[])[] = [
      [gone],
      [found, gone],
      [{ either: [gone, gone] }],
    ];
    for (const edits of refused) {
      expect(() => planted(...edits)).toThrow(
        /cannot be planted: no shader of this product has no such text/,
      );
    }
    const nothing = /cannot be planted: it changes none of the steps that run/;
    for (const tampering of [
      {},
      { steps: (all: Plan['steps']) => all.filter(({ slots: [slot] }) => slot.window === undefined) },
      { dispatches: (all: GpuProgram['dispatches']) => all.map((one) => ({ ...one })) },
    ]) {
      expect(() => createPlanter(tampering)(plan, plan, programOf)).toThrow(nothing);
    }
    // Without levels a schedule is not used.
    const { tampering } = findFault('swapped-m3-m5');
    const algorithm = tampering.algorithm?.(findAlgorithm('strassen')) ?? findAlgorithm('strassen');
    const flat = compile({ algorithm, shape: SHAPES[0] });
    expect(() => createPlanter(tampering)(plan, flat, programOf)).toThrow(nothing);
  });

  it('leave the kernel they are planted in as it is for the next run', () => {
    const before = structuredClone(findAlgorithm('strassen'));
    for (const { tampering } of faults) tampering.algorithm?.(findAlgorithm('strassen'));
    expect(findAlgorithm('strassen')).toEqual(before);
  });

  it('of the lines of schedules compute no product', () => {
    expect(scheduleLineFaults.length).toBeGreaterThan(50);
    for (const { kernel, tampering } of scheduleLineFaults) {
      const claimed = findAlgorithm(parseKernelName(kernel).algorithm);
      expect(findWrongBlocks(claimed)).toEqual([]);
      expect(findWrongBlocks(tampering.algorithm?.(claimed) ?? claimed)).not.toEqual([]);
    }
  });

  it('that count products begin afresh for every kernel', () => {
    const plan = builtinPlan('classical:naive', SHAPES[0], { levels: 0, fringe: 'pad', tail: 'mask' });
    const programOf = (plan: Plan) => compileProgram(plan, findLeaf('naive', SHAPES[0]));
    const { tampering } = findFault('order-by-run');
    const shaders = () => {
      const plant = createPlanter(tampering);
      return [1, 2].map(() => plant(plan, plan, programOf).dispatches[0].shader);
    };
    const honest = programOf(plan).dispatches[0].shader;
    for (const [once, again] of [shaders(), shaders()]) {
      expect(once).toBe(honest);
      expect(again).not.toBe(honest);
    }
  });

  it('are found by name', () => {
    expect(findFault('stale-tile').kernel).toBe('classical:tiled');
    expect(findFault('accumulator-22-bits').rung).toEqual({ ladder: 'accumulator', size: '22 bits' });
    expect(() => findFault('stale-tiles')).toThrow(/Unknown planted fault .* Did you mean "stale-tile"\?/);
  });
});

it('an unknown fault is refused with the nearest names, and not with all of them', () => {
  const refused = () => findFault('dropped-last');
  expect(refused).toThrow('Unknown planted fault "dropped-last". Did you mean "dropped-last-k"? Known: ');
  expect(refused).toThrow(/, … \(`gemm-paranoia list faults` prints all\)\.$/);
});
