import { describe, expect, it } from 'vitest';
import { findAlgorithm } from '../../algorithms/algorithms.ts';
import { scheduleFaults as wrongBlocks } from '../../algorithms/verify-schedule.ts';
import type { PrecisionName } from '../../formats/precision.ts';
import { type Program, program } from '../../gpu/dispatches.ts';
import { findLeaf } from '../../gpu/leaves/leaves.ts';
import { binary64 } from '../../gpu/numerics/f64.ts';
import { emulatedHalf } from '../../gpu/numerics/half.ts';
import { mixed } from '../../gpu/numerics/mixed.ts';
import type { Numeric } from '../../gpu/numerics/numeric.ts';
import { pairs } from '../../gpu/numerics/pairs.ts';
import { roundHalf, roundOff } from '../../gpu/numerics/rounding.ts';
import { single } from '../../gpu/numerics/single.ts';
import { borders, edges } from '../../plan/plan.ts';
import { allBuiltinNames, builtinPlan, parseKernelName, type Tampering } from '../builtin.ts';
import type { Manner } from '../kernel.ts';
import { findStyled } from '../styled-leaves.ts';
import { faultClasses } from './fault.ts';
import { type Fault, faults, findFault, ladders, rungs } from './faults.ts';
import { scheduleLineFaults } from './schedule-lines.ts';

/** How devices without f16 compute in each precision. */
const numerics: Readonly<Record<PrecisionName, Numeric>> = {
  f32: single,
  f16: emulatedHalf,
  'f16-f32': mixed(roundHalf),
  'bf16-f32': mixed(roundOff('roundToBf16', 16)),
  'tf32-f32': mixed(roundOff('roundToTf32', 13)),
  f64: binary64,
  f32x2: pairs,
};

/** Awkward shapes first, then one that every tile divides. */
const SHAPES = [
  { m: 40, k: 41, n: 42 },
  { m: 43, k: 29, n: 51 },
  { m: 64, k: 64, n: 64 },
];

/** Whether some product of some shape is computed otherwise; of two, since faults may spare the first. */
function changesSomething({ kernel, levels, precision = 'f32' }: Fault, tampering: Tampering): boolean {
  const { algorithm, leaf } = parseKernelName(kernel);
  const claimed = findAlgorithm(algorithm);
  if ((tampering.algorithm?.(claimed) ?? claimed) !== claimed) return true;
  const manners = levels.flatMap((level) =>
    borders.flatMap((border) => edges.map((edge): Manner => ({ levels: level, border, edge }))),
  );
  return SHAPES.some((shape) =>
    manners.some((manner) => {
      const part = (size: number) => Math.ceil(size / 2 ** manner.levels);
      const plan = builtinPlan(kernel, shape, manner);
      const fused = findStyled(leaf);
      const own = findLeaf(fused === undefined ? leaf : 'naive', {
        m: part(shape.m),
        k: part(shape.k),
        n: part(shape.n),
      });
      const made: Program = program(plan, own, numerics[precision], fused?.blocking);
      return JSON.stringify(tampering.program?.(made).dispatches) !== JSON.stringify(made.dispatches);
    }),
  );
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
      expect(ladders.filter((ladder) => ladder.class === name).length).toBeGreaterThanOrEqual(1);
    }
  });

  it('can be spelt in a case', () => {
    for (const { name } of [...faults, ...rungs]) expect(name).toMatch(/^[a-z0-9-]+$/);
  });

  it.each([...faults, ...rungs].map((fault) => [fault.name, fault] as const))(
    '%s changes what is executed',
    (_, fault) => {
      // Faults that count products change one in so many.
      const { tampering } = fault;
      const tries = Array.from({ length: 70 }, () => tampering);
      expect(tries.some((again) => changesSomething(fault, again))).toBe(true);
    },
  );

  it('leave the kernel they are planted in as it is for the next run', () => {
    const before = structuredClone(findAlgorithm('strassen'));
    for (const { tampering } of faults) tampering.algorithm?.(findAlgorithm('strassen'));
    expect(findAlgorithm('strassen')).toEqual(before);
  });

  it('of the lines of schedules compute no product', () => {
    expect(scheduleLineFaults.length).toBeGreaterThan(50);
    for (const { kernel, tampering } of scheduleLineFaults) {
      const claimed = findAlgorithm(parseKernelName(kernel).algorithm);
      expect(wrongBlocks(claimed)).toEqual([]);
      expect(wrongBlocks(tampering.algorithm?.(claimed) ?? claimed)).not.toEqual([]);
    }
  });

  it('that remember products begin afresh for every kernel', () => {
    const plan = builtinPlan('classical:naive', SHAPES[0], { levels: 0, border: 'pad', edge: 'guard' });
    const made = program(plan, findLeaf('naive', SHAPES[0]));
    const [once, again] = [findFault('order-by-run').tampering, findFault('order-by-run').tampering];
    const shader = (tampering: Tampering) => tampering.program?.(made).dispatches[0].shader;
    expect(shader(once)).toBe(made.dispatches[0].shader);
    expect(shader(once)).not.toBe(made.dispatches[0].shader);
    expect(shader(again)).toBe(made.dispatches[0].shader);
  });

  it('are found by name', () => {
    expect(findFault('stale-tile').kernel).toBe('classical:tiled');
    expect(findFault('accumulator-22-bits').rung).toEqual({ ladder: 'accumulator', size: '22 bits' });
    expect(() => findFault('stale-tiles')).toThrow(/Unknown planted fault .* Did you mean "stale-tile"\?/);
  });
});
