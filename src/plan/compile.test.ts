import { describe, expect, it, test } from 'vitest';
import { expectSameNumbers } from '../../properties/compare.ts';
import { type Algorithm, countLevelsWithin } from '../algorithms/algorithm.ts';
import { algorithms, findAlgorithm } from '../algorithms/algorithms.ts';
import { inShort } from '../base/in-short.testing.ts';
import { exactProduct } from '../exact/exact.ts';
import { matrix, type Shape } from '../matrix/dense.ts';
import { emulated } from '../precision/arithmetic.ts';
import { singleComputation } from '../precision/single.ts';
import { type Fringe, fringes, type Tail, tails } from '../problem/method.ts';
import { runModel } from '../readers/model.ts';
import { compile, type PlanOptions } from './compile.ts';
import type { Plan, Step, StepOperand } from './plan.ts';

const square = (n: number): Shape => ({ m: n, k: n, n });

const planOf = (name: string, shape: Shape, levels: number, options: Partial<PlanOptions> = {}): Plan =>
  compile({ algorithm: findAlgorithm(name), shape, depth: { levels }, ...options });

const integers = (rows: number, cols: number, seed: number) =>
  matrix(
    rows,
    cols,
    Float32Array.from(
      { length: rows * cols },
      (_, e) => ((e * 7919 + seed * 104729 + ((e * e) % 31)) % 19) - 9,
    ),
  );

/** Checks a plan's product on whole numbers so small that no sum rounds. */
function expectProduct(plan: Plan): void {
  const { m, k, n } = plan.shape;
  const [a, b] = [integers(m, k, 1), integers(k, n, 2)];
  expectSameNumbers(runModel(plan, a, b, singleComputation(emulated)), exactProduct(a, b).product);
}

const shapes: readonly Shape[] = [
  square(1),
  square(16),
  square(31),
  { m: 5, k: 40, n: 7 },
  { m: 40, k: 5, n: 33 },
  { m: 18, k: 23, n: 1 },
];

const { schedule: _, ...unscheduled } = findAlgorithm('winograd');
const all: readonly Algorithm[] = [...algorithms, { ...unscheduled, name: 'winograd from its table' }];

/** Returns the levels from none to those with at most a hundred products. The laws and digests cover further levels. */
const levelsOf = (algorithm: Algorithm) => [0, 1, 2].slice(0, countLevelsWithin(algorithm, 100) + 1);

describe.each(all.map((algorithm) => [algorithm.name, algorithm] as const))('%s', (_, algorithm) => {
  const cases = fringes.flatMap((fringe) => tails.map((tail): [Fringe, Tail] => [fringe, tail]));
  it.each(inShort(cases, 3))('%s, %s: computes the product, exactly in integers', (fringe, tail) => {
    for (const shape of inShort(shapes, 2)) {
      for (const levels of levelsOf(algorithm)) {
        const tile = { m: 4, k: 2, n: 8 };
        expectProduct(compile({ algorithm, shape, depth: { levels }, fringe, tail, tile }));
      }
    }
  });
});

it('computes the product where the base is not square', () => {
  const classical122: Algorithm = {
    name: 'made',
    title: 'Classical ⟨1,3,2;6⟩',
    what: '',
    source: 'this test',
    base: { m: 1, k: 3, n: 2 },
    u: [0, 0, 1, 1, 2, 2].map((p) => [0, 1, 2].map((i) => Number(i === p))),
    v: [0, 1, 2, 3, 4, 5].map((p) => [0, 1, 2, 3, 4, 5].map((i) => Number(i === p))),
    w: [0, 1, 0, 1, 0, 1].map((p) => [0, 1].map((i) => Number(i === p))),
  };
  for (const fringe of fringes) {
    for (const levels of [1, 2]) {
      for (const shape of [square(18), { m: 5, k: 20, n: 11 }]) {
        expectProduct(compile({ algorithm: classical122, shape, depth: { levels }, fringe }));
      }
    }
  }
});

describe.each(all.map((algorithm) => [algorithm.name, algorithm] as const))('%s, fused', (_, algorithm) => {
  const uncut = { m: 8, k: 12, n: 16 };
  const shapes = [{ m: 1, k: 1, n: 1 }, { m: 5, k: 9, n: 7 }, uncut];
  it.each(inShort(['fused', 'hybrid', 'atomic'] as const, 3))('%s: computes the product', (style) => {
    for (const shape of shapes) {
      for (const levels of levelsOf(algorithm)) {
        expectProduct(compile({ algorithm, shape, depth: { levels }, style }));
      }
    }
  });
});

describe.each([
  ['strassen', 1],
  ['winograd', 2],
] as const)('the workspace of %s', (name, innermost) => {
  it.each(inShort([1, 2, 3, 4], 2))(
    'for n = 2^k and %d levels: at most two temporaries a level, below 2n²/3',
    (levels) => {
      for (const n of [256, 1024, 16384]) {
        const { sizes } = planOf(name, square(n), levels);
        // Products of the innermost level stay in registers. A schedule has temporaries for some of them.
        const saved = (2 - innermost) * (n / 2 ** levels) ** 2;
        expect(sizes.W).toBe(((2 * n * n) / 3) * (1 - 4 ** -levels) - saved);
        expect([sizes.A, sizes.B, sizes.C]).toEqual([n * n, n * n, n * n]);
      }
    },
  );

  it('is none without recursion', () => expect(planOf(name, square(100), 0).sizes.W).toBe(0));
});

describe.each(all.map((algorithm) => [algorithm.name, algorithm] as const))(
  'blocks of %s',
  (_, algorithm) => {
    const touched = (step: Step): readonly StepOperand[] =>
      step.kind === 'multiply' ? [...step.slots, ...step.x, ...step.y] : step.slots;

    it.each(fringes)('%s: lie within their buffers; inputs are never written', (fringe) => {
      for (const shape of inShort(shapes, 2)) {
        const plan = compile({ algorithm, shape, depth: { levels: 2 }, fringe });
        const blocks = plan.steps.flatMap(touched).map(({ block }) => block);
        const isWithin = ({ offset, layout, buffer }: (typeof blocks)[number]) =>
          offset % 64 === 0 && offset + layout.size <= plan.sizes[buffer];
        expect(blocks.filter((block) => !isWithin(block))).toEqual([]);
        const written = plan.steps.flatMap(({ slots }) => slots.filter(({ store }) => store));
        expect(written.filter(({ block }) => !['C', 'W'].includes(block.buffer))).toEqual([]);
      }
    });

    it('that a step writes overlap nothing else it touches', () => {
      for (const shape of shapes) {
        const { steps } = compile({ algorithm, shape, depth: { levels: Math.max(...levelsOf(algorithm)) } });
        for (const step of steps) {
          const operands = touched(step);
          step.slots.forEach((slot, s) => {
            if (!slot.store) return;
            operands.forEach(({ block }, o) => {
              if (o === s || block.buffer !== slot.block.buffer) return;
              const [from, to] = [slot.block.offset, slot.block.offset + slot.block.layout.size];
              const apart = block.offset + block.layout.size <= from || to <= block.offset;
              if (!apart) expect.fail(`slot ${s} and operand ${o} of product ${step.path.join('.')} overlap`);
            });
          });
        }
      }
    });
  },
);

describe('padding', () => {
  it('rounds sizes up to a multiple of 2^levels, once', () => {
    const plan = planOf('strassen', { m: 33, k: 40, n: 47 }, 3);
    expect(plan.leaf).toEqual({ m: 5, k: 5, n: 6 });
    expect([plan.layouts.A.rows, plan.layouts.A.cols, plan.layouts.B.cols]).toEqual([40, 40, 48]);
    expect(plan.shape).toEqual({ m: 33, k: 40, n: 47 });
    expect(plan.steps.every(({ slots }) => slots.every(({ window }) => window === undefined))).toBe(true);
  });

  it('keeps the levels asked for, even beyond the size', () => {
    expect(planOf('strassen', square(3), 4).levels).toBe(4);
  });
});

describe('peeling', () => {
  const fixUp = ({ slots: [{ window, load }] }: Step) =>
    load ? 'core' : window?.row === 0 ? 'right' : window?.col === 0 ? 'bottom' : 'none';

  it('halves what is even, at each level anew', () => {
    const plan = planOf('winograd', { m: 33, k: 38, n: 47 }, 3, { fringe: 'peel' });
    expect(plan.leaf).toEqual({ m: 4, k: 4, n: 5 });
    expect(plan.layouts.A.rows).toBe(33);
  });

  it('completes core, right and bottom with thin products of the right shapes', () => {
    const { steps } = planOf('strassen', { m: 9, k: 11, n: 13 }, 1, { fringe: 'peel' });
    const thin = steps.slice(-3).map((step) => (step.kind === 'multiply' ? [fixUp(step), step.shape] : []));
    expect(thin).toEqual([
      ['core', { m: 8, k: 1, n: 12 }],
      ['right', { m: 9, k: 11, n: 1 }],
      ['bottom', { m: 1, k: 11, n: 12 }],
    ]);
  });

  it('adds only the products that are needed', () => {
    const fixUps = (shape: Shape) =>
      planOf('strassen', shape, 1, { fringe: 'peel' }).steps.slice(17).map(fixUp);
    expect(fixUps(square(8))).toEqual([]);
    expect(fixUps({ m: 8, k: 9, n: 8 })).toEqual(['core']);
    expect(fixUps({ m: 9, k: 8, n: 8 })).toEqual(['bottom']);
    expect(fixUps({ m: 8, k: 8, n: 9 })).toEqual(['right']);
  });

  it('stops where a dimension cannot be halved', () => {
    expect(planOf('strassen', { m: 64, k: 3, n: 64 }, 4, { fringe: 'peel' }).levels).toBe(1);
    expect(planOf('strassen', { m: 64, k: 1, n: 64 }, 4, { fringe: 'peel' }).levels).toBe(0);
  });
});

test('leaves padded to the tile are multiplied at their stored size, guarded ones at their own', () => {
  const tile = { m: 4, k: 2, n: 8 };
  const leafOf = (tail: Tail) => {
    const [first] = planOf('classical', { m: 10, k: 10, n: 10 }, 1, { tail, tile }).steps;
    return first.kind === 'multiply' ? first.shape : undefined;
  };
  expect(leafOf('pad')).toEqual({ m: 8, k: 6, n: 8 });
  expect(leafOf('mask')).toEqual({ m: 5, k: 5, n: 5 });
});

test('steps know which product of which level they serve', () => {
  const { steps } = planOf('strassen', square(32), 2);
  const products = steps.filter(({ kind }) => kind === 'multiply').map(({ path }) => path.join());
  expect(products).toEqual(Array.from({ length: 49 }, (_, p) => `${Math.floor(p / 7) + 1},${(p % 7) + 1}`));
});

test.each([
  [{ shape: { m: -1, k: 4, n: 4 } }, /size m must be a whole number from 0 to 2147483647, but is -1/],
  [{ shape: { m: 4, k: 2.5, n: 4 } }, /size k must be/],
  [{ shape: { m: 4, k: 4, n: 2 ** 31 } }, /size n must be/],
  [{ depth: { levels: -1 } }, /levels must be a whole number of at least 0/],
  [
    { depth: { levels: 8 } },
    /levels must be so few that the plan has at most 2000000 steps \(up to 5 with strassen\), but is 8/,
  ],
])('%o is refused', (options, message) => {
  const algorithm = findAlgorithm('strassen');
  expect(() => compile({ algorithm, shape: square(512), ...options })).toThrow(message);
});
