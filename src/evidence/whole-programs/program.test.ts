import { expect, it } from 'vitest';
import { inShort, itWhole } from '../../base/in-short.testing.ts';
import { createRandom } from '../../base/random.ts';
import { type DraftMatrix, makeDraft } from '../../inputs/wild/table.ts';
import { drawInitialData, generateProgram, type ProgramStep, routines } from './program.ts';

import { type RequestedProduct, TOGETHER } from './routine.ts';

const shapeOf = ({ a, b, batch = 1 }: RequestedProduct) => [a.rows / batch, a.cols, b.cols];
const workOf = (wanted: RequestedProduct) =>
  shapeOf(wanted).reduce((all, size) => all * size, wanted.batch ?? 1);

function productOf({ a, b, c, batch = 1, alpha = 1, beta = 1 }: RequestedProduct): DraftMatrix {
  const [k, inner] = [a.cols, b.rows / batch];
  expect([k, c?.rows ?? a.rows, c?.cols ?? b.cols]).toEqual([inner, a.rows, b.cols]);
  return makeDraft(a.rows, b.cols, (i, j) => {
    const top = Math.floor((i * batch) / a.rows) * k;
    let sum = 0;
    for (let p = 0; p < k; p++) sum += a.data[i * k + p] * b.data[(top + p) * b.cols + j];
    return alpha * sum + (c === undefined ? 0 : beta * c.data[i * b.cols + j]);
  });
}

/** Returns the first steps of a program, answered in binary64. */
function walked(seed: number, count: number): ProgramStep[] {
  const program = generateProgram(seed);
  const steps: ProgramStep[] = [];
  for (let next = program.next(); steps.length < count && next.done !== true; ) {
    steps.push(next.value);
    next = program.next(productOf(next.value.wanted));
  }
  return steps;
}

it.each(inShort(routines, 6))(
  '$name goes on, in numbers of usual sizes, each computed from the last',
  ({ steps }) => {
    const random = createRandom(7, 1);
    const own = steps({ random, data: (rows, cols) => drawInitialData(rows, cols, random, undefined) });
    const seen = new Set<string>();
    let [next, work] = [own.next(), 0];
    for (let made = 0; made < 60; made++) {
      const wanted = next.value as RequestedProduct;
      const sizes = [wanted.a, wanted.b].flatMap(({ data }) => [...data].map(Math.abs));
      expect(Math.max(...sizes)).toBeLessThan(2 ** 20);
      expect(Math.max(...sizes)).toBeGreaterThan(2 ** -20);
      seen.add([wanted.a, wanted.b].map(({ data }) => data.join()).join());
      work += workOf(wanted);
      next = own.next(productOf(wanted));
    }
    expect(seen.size).toBe(60);
    expect(work / 60).toBeLessThan(2 ** 18);
  },
);

itWhole('is the same again, however many of its products are asked for', () => {
  const [few, more] = [walked(5, 12), walked(5, 20)];
  expect(more.slice(0, 12)).toEqual(few);
  expect(walked(6, 12)).not.toEqual(few);
});

itWhole('has all routines in so many programs of about a hundred products', () => {
  const seeds = Array.from({ length: TOGETHER }, (_, at) => 5 * TOGETHER + at);
  const met = seeds.flatMap((seed) => walked(seed, 120).map(({ routine }) => routine));
  const missing = routines.filter(({ name }) => !met.includes(name));
  expect(missing.map(({ name }) => name)).toEqual([]);
});

itWhole('begins with something large, as a rule', () => {
  const begins = Array.from({ length: 20 }, (_, seed) => walked(seed, 3).map(({ wanted }) => workOf(wanted)));
  const large = begins.filter((all) => Math.max(...all) > 2 ** 20).length;
  expect(large).toBeGreaterThan(10);
  expect(large).toBeLessThan(20);
});
