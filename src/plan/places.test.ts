import { describe, expect, it } from 'vitest';
import { expectSameNumbers } from '../../properties/compare.ts';
import { skewed } from '../../properties/skewed.ts';
import type { Algorithm } from '../algorithms/algorithm.ts';
import { algorithms, findAlgorithm } from '../algorithms/algorithms.ts';
import { levelGrowth } from '../algorithms/growth.ts';
import { listOperands, scheduleValuesOf } from '../algorithms/notation.ts';
import { scheduleFromTable } from '../algorithms/schedule.ts';
import { exactProduct } from '../exact/exact.ts';
import { findInput } from '../inputs/inputs.ts';
import { uniform } from '../inputs/uniform.ts';
import { emulated } from '../precision/arithmetic.ts';
import { singleComputation } from '../precision/single.ts';
import { fringes } from '../problem/method.ts';
import { runModel } from '../readers/model.ts';
import { compile } from './compile.ts';
import { launchesOf } from './pack.ts';
import { type PlacementInput, placeValues } from './places.ts';
import { type Step, type StepOperand, type Style, styles } from './plan.ts';

const shapes = {
  square: { A: 64, B: 64, C: 64 },
  'wide C': { A: 64, B: 64, C: 256 },
  'long k': { A: 128, B: 192, C: 64 },
};
const cases = algorithms.flatMap((algorithm) =>
  (['scheduled', 'wide'] as const).flatMap((style) =>
    Object.entries(shapes).flatMap(([shape, sizes]) =>
      [true, false].map((inRegisters) => ({
        name: algorithm.name,
        algorithm,
        style,
        shape,
        sizes,
        inRegisters,
      })),
    ),
  ),
);

describe('places', () => {
  it.each(cases)(
    'of $name, $style, $shape, registers $inRegisters: what is read is what was written there last',
    ({ algorithm, style, sizes, inRegisters }) => {
      const values = scheduleValuesOf(algorithm);
      const launches = launchesOf(values, style);
      const { m, k, n } = algorithm.base;
      const placing: PlacementInput = {
        ...{ values, launches, sizes, columns: n, inner: k, start: 128, inRegisters },
        free: style === 'wide',
      };
      const { of, top } = placeValues(placing);
      // The value that every entry of C and of the workspace holds.
      const c = Array.from({ length: m * n }, () => new Int32Array(sizes.C).fill(-1));
      const w = new Int32Array(top).fill(-1);
      const range = (value: number) => {
        const place = of[value];
        if (place === undefined) return undefined;
        const from = place.buffer === 'C' ? 0 : place.at;
        return (place.buffer === 'C' ? c[place.at] : w).subarray(from, from + sizes[values.all[value].role]);
      };
      const register = new Set<number>();
      for (const launch of launches) {
        register.clear();
        const operands = values.all[launch[0]].kind === 'product' ? listOperands(values.all[launch[0]]) : [];
        for (const value of launch) {
          for (const term of [...listOperands(values.all[value]), ...operands]) {
            if (values.all[term].kind === 'input' || register.has(term)) continue;
            expect(range(term)?.every((held) => held === term)).toBe(true);
          }
          range(value)?.fill(value);
          if (range(value) === undefined) register.add(value);
        }
        // All invocations of a product read its operands until it ends.
        for (const term of operands) {
          if (values.all[term].kind !== 'input')
            expect(range(term)?.every((held) => held === term)).toBe(true);
        }
      }
      for (const [block, value] of values.outputs.entries()) {
        expect(c[block].subarray(0, sizes.C).every((held) => held === value)).toBe(true);
      }
    },
  );
});

/**
 * Returns variants of an algorithm: unchanged; with sums in the launch of the product before them; and with every block of C written first
 * to the name of an operand of the product that updates it.
 */
function variants(algorithm: Algorithm): Algorithm[] {
  const merged: string[][] = [];
  for (const lines of algorithm.schedule ?? scheduleFromTable(algorithm)) {
    if (merged.length === 0 || lines[0].includes(' * ')) merged.push([...lines]);
    else merged[merged.length - 1].push(...lines);
  }
  const overwriting = scheduleFromTable(algorithm).map(([first, ...rest]) => {
    const [, operand] = / = .*\b(TA|TB)\b/.exec(first) ?? [];
    if (operand === undefined) return [first, ...rest];
    return [
      first,
      ...rest.flatMap((line) => [line.replace(/^\w+/, operand), `${line.split(' ')[0]} = ${operand}`]),
    ];
  });
  return [algorithm, { ...algorithm, schedule: merged }, { ...algorithm, schedule: overwriting }];
}

/** Returns the stored ranges of a step that its other invocations still read, or that have another slot. */
function races({ slots, ...step }: Step): string[] {
  const overlap = ({ block: x }: StepOperand, { block: y }: StepOperand) =>
    x.buffer === y.buffer && x.offset < y.offset + y.layout.size && y.offset < x.offset + x.layout.size;
  const read: StepOperand[] = step.kind === 'multiply' ? [...step.x, ...step.y] : [];
  return slots.flatMap((slot, at) => {
    // Windows of fused products are parts of one block.
    const others = slots.filter((other, then) => then !== at && other.window === undefined);
    const isShared = slot.store && [...read, ...others].some((one) => overlap(slot, one));
    return isShared ? [`${slot.block.buffer} from ${slot.block.offset}`] : [];
  });
}

describe.each([...algorithms, skewed()])('of a plan of $name', (algorithm) => {
  // Square blocks and others: places of one size serve blocks of A, B and C.
  const shapes = [
    { m: 36, k: 36, n: 36 },
    { m: 17, k: 64, n: 19 },
  ];

  it.each(Object.keys(styles) as Style[])('%s, no launch writes over what it reads', (style) => {
    for (const one of variants(algorithm)) {
      for (const fringe of fringes) {
        for (const shape of shapes) {
          const { steps } = compile({ algorithm: one, shape, depth: { levels: 1 }, fringe, style });
          expect(steps.flatMap(races)).toEqual([]);
        }
      }
    }
  });

  it.each(['scheduled', 'wide'] as const)(
    '%s, however its schedule writes it, the product is right',
    (style) => {
      const [, shape] = shapes;
      const growth = levelGrowth(algorithm);
      const { a, b } = findInput('integers').generate({ ...shape, levels: 1, growth, seed: 3 });
      const exact = exactProduct(a, b).product;
      for (const one of variants(algorithm)) {
        const plan = compile({ algorithm: one, shape, depth: { levels: 1 }, style });
        expectSameNumbers(runModel(plan, a, b, singleComputation(emulated)), exact);
      }
    },
  );
});

describe('a wide plan', () => {
  it.each([
    ['strassen', 'peel', 2],
    ['winograd', 'pad', 3],
    ['winograd', 'peel', 1],
  ] as const)('of %s, %s, at %i levels, has the bits of the schedule', (name, fringe, levels) => {
    const shape = { m: 37, k: 26, n: 41 };
    const { a, b } = uniform.generate({ ...shape, seed: 8 });
    const [wide, scheduled] = (['wide', 'scheduled'] as Style[]).map((style) => {
      const plan = compile({ algorithm: findAlgorithm(name), shape, depth: { levels }, fringe, style });
      return runModel(plan, a, b, singleComputation(emulated));
    });
    expect(wide).toEqual(scheduled);
  });

  it.each(algorithms)('of $name binds at most eight blocks a step, sums before all products', (algorithm) => {
    const plan = compile({ algorithm, shape: { m: 72, k: 72, n: 72 }, depth: { levels: 1 }, style: 'wide' });
    for (const step of plan.steps) {
      const operands = step.kind === 'multiply' ? 2 : 0;
      expect(step.slots.length + operands).toBeLessThanOrEqual(8);
    }
    const products = plan.steps.map(({ kind }) => kind === 'multiply');
    expect(products.lastIndexOf(true) - products.indexOf(true) + 1).toBe(algorithm.u.length);
  });
});
