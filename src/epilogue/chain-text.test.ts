import { describe, expect, it } from 'vitest';
import { createRandom } from '../base/random.ts';
import { type SampledProduct, typicalSize } from '../evidence/epilogue/draw-epilogue.ts';
import type { Matrix } from '../matrix/dense.ts';
import { f32 } from '../precision/format.ts';
import { type GivenStep, readEpilogue } from './chain.ts';
import { type Chain, drawSteps, readChain, readChains } from './chain-text.ts';
import { epilogueSteps } from './epilogues.ts';

const drawn = ({ steps }: Chain, product: Pick<SampledProduct, 'sizes' | 'entry'>, seed: number) =>
  drawSteps(steps, {
    ...{ sizes: product.sizes, format: f32, random: createRandom(seed) },
    sizeBehind: (before) => typicalSize(before, { ...product, format: f32 }),
  });

const valuesOf = (step: GivenStep) => (typeof step === 'string' ? undefined : step.values);

describe('a chain as text', () => {
  it.each([
    ['none'],
    ['bias:row,gelu-tanh'],
    ['scale:column,bias:scalar,swiglu:gate-last,residual'],
    ['leaky-relu:0.1,round:f16,requantize:int8:row:any:toward-zero:wraps'],
    ['leaky-relu:any,clamp:-1:0.5'],
    ['gelu:wgsl,silu:4'],
  ])('%s is its own canonical text', (text) => {
    expect(readChain(text).text).toBe(text);
  });

  it.each([
    [' bias:row , relu ', 'bias:row,relu'],
    ['requantize:int8:scalar:0:nearest', 'requantize:int8'],
    ['clamp:any:any', 'clamp'],
    ['swiglu:gate-first', 'swiglu'],
  ])('%s is written %s', (text, canonical) => {
    expect(readChain(text).text).toBe(canonical);
  });

  it.each([
    ['gelo', /no epilogue step "gelo"|Unknown epilogue step.*gelu/],
    ['bias', /Step 1 of the epilogue, bias, .*"values" needs a place, as in bias:row/],
    [
      'relu,bias:rows',
      /Step 2 .*bias.*"rows" is none of its settings \(values: one of scalar, row, column\)/,
    ],
    ['requantize', /requantize.*"to" is missing: one of int8/],
    ['requantize:int8,relu', /it must be the last step, and relu follows/],
    ['relu,relu,relu,relu,relu', /it has 5 steps, and at most 4 are judged/],
    ['requantize:e4m3:scalar:3', /"zeroPoint" must be 0/],
    ['clamp:2:1', /"low" is 2 and exceeds "high", 1/],
    ['relu:', /"" is one setting too many/],
    ['residual:row', /"row" is one setting too many/],
    ['leaky-relu:-0.1', /\(slope: a finite number, at least 0\)/],
  ])('%s is refused', (text, message) => {
    expect(() => readChain(text)).toThrow(message);
  });

  it('lists of chains have each once', () => {
    expect(readChains('none|clamp|clamp:any:any| relu').map(({ text }) => text)).toEqual([
      'none',
      'clamp',
      'relu',
    ]);
  });
});

/** A chain with the step, whatever it needs. */
const chainWith = (name: string) => {
  const { parameters, main } = epilogueSteps.find(name);
  const of = parameters[main ?? '']?.tensor === 'any' ? ':row' : (parameters[main ?? '']?.words?.[0] ?? '');
  return readChain(`${name}${of === '' || of.startsWith(':') ? of : `:${of}`}`);
};

describe('numbers of steps', () => {
  it.each(epilogueSteps.names)('%s gets valid ones at every size of entries', (name) => {
    const chain = chainWith(name);
    const sizes = { m: 3, n: 4, batch: 2 };
    for (let seed = 1; seed <= 50; seed++) {
      const size = 2 ** (seed - 25);
      const entry = (i: number, j: number) => size * (i + 1) * (j - 1.5);
      const steps = drawn(chain, { sizes, entry }, seed);
      expect(readEpilogue(steps, sizes).steps).toHaveLength(1);
    }
  });

  it('are of the size of the entries that they meet, some 0, of both signs', () => {
    const sizes = { m: 40, n: 50, batch: 1 };
    const values = valuesOf(drawn(readChain('bias:row'), { sizes, entry: () => 1000 }, 7)[0]) as Matrix;
    const data = [...values.data];
    expect([values.rows, values.cols]).toEqual([1, 50]);
    expect(data.every((x) => x === 0 || (Math.abs(x) >= 512 && Math.abs(x) <= 2048))).toBe(true);
    expect(data.filter((x) => x === 0).length).toBeGreaterThan(0);
    expect(data.filter((x) => x < 0).length).toBeGreaterThan(10);
    expect(data.filter((x) => x > 0).length).toBeGreaterThan(10);
    expect(data.filter((x) => Number.isInteger(Math.log2(Math.abs(x)))).length).toBeGreaterThan(5);
  });

  it('of later steps follow those before: factors bring entries near 1', () => {
    const sizes = { m: 8, n: 8, batch: 1 };
    const values = valuesOf(
      drawn(readChain('scale:scalar,bias:scalar'), { sizes, entry: () => 3e5 }, 3)[1],
    ) as number;
    expect(Math.abs(values)).toBeLessThanOrEqual(4);
  });
});

it('the typical size behind an activation is that of the entries which it keeps', () => {
  const sizes = { m: 3, n: 5, batch: 1 };
  const entry = (_: number, j: number) => (j < 3 ? -1e12 : 1e12);
  expect(Math.log2(typicalSize(['gelu'], { sizes, entry, format: f32 }) / 1e12)).toBeCloseTo(0, -0.5);
  expect(typicalSize(['gelu'], { sizes, entry: () => -1e12, format: f32 })).toBeLessThan(1e-35);
});
