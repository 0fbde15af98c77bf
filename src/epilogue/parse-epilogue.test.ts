import { expect, it } from 'vitest';
import { readEpilogue } from './chain.ts';
import { parseEpilogue } from './parse-epilogue.ts';

const row = { rows: 1, cols: 4, data: new Float32Array(4) };
const sizes = { m: 3, n: 4, batch: 1 };
const parse = (text: string) => parseEpilogue(text, () => row);

it.each<[text: string, steps: unknown]>([
  ['gelu', [{ step: 'gelu' }]],
  ['  bias:b.npy\n relu ', [{ step: 'bias', values: row }, { step: 'relu' }]],
  ['bias:"two words.npy" relu', [{ step: 'bias', values: row }, { step: 'relu' }]],
  ['scale:1e-3', [{ step: 'scale', values: 1e-3 }]],
  ['swiglu:gate-last', [{ step: 'swiglu', order: 'gate-last' }]],
  ['round:bf16', [{ step: 'round', to: 'bf16' }]],
  ['clamp:{"low": -1, "high": 6}', [{ step: 'clamp', low: -1, high: 6 }]],
  ['requantize:{"to": "int8", "scale": "s {1}.npy"} ', [{ step: 'requantize', to: 'int8', scale: row }]],
])('%s is read', (text, steps) => {
  expect(parse(text)).toEqual(steps);
});

it.each<[text: string, message: RegExp]>([
  ['relu:6', /^The epilogue cannot be read: relu has no parameters, but 6 is given\.$/],
  ['clamp:6', /clamp takes low and high by name only, but 6 is given\.$/],
  ['bias:', /nothing follows the colon of bias\.$/],
  ['gleu:6', /^Unknown epilogue step "gleu"\. Did you mean "gelu"\?/],
  ['clamp:{"low":1', /a brace has no partner\.$/],
  ['bias:"b.npy', /a quote has no partner\.$/],
  ['clamp:{low:1}', /what follows clamp is no JSON: /],
])('%s is refused', (text, message) => {
  expect(() => parse(text)).toThrow(message);
});

it.each(['nan', 'NaN', 'inf', '-inf', 'Infinity', '0'])('scale:%s is a number that is refused', (text) => {
  expect(() => readEpilogue(parse(`scale:${text}`), sizes)).toThrow(/finite and not 0, but is \S+\.$/);
});

it('lists take the same words, but for places', () => {
  const words = ['scale:0.5', 'swiglu:gate-last', 'requantize:{"to":"int8","scale":0.25}'];
  const read = (given: unknown) => readEpilogue(given, sizes).steps.map(({ settings }) => settings);
  expect(read(words)).toEqual(read(parse(words.join(' '))));
  expect(() => read(['bias:b.npy'])).toThrow(
    'The epilogue cannot be read: "b.npy" is no number; give an array of numbers in an object.',
  );
});
