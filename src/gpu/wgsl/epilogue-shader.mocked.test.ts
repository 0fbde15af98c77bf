import { describe, expect, it, vi } from 'vitest';
import { openGpu } from '../../../properties/device.ts';
import { Evaluator } from '../../evidence/evaluate.ts';
import { exactProduct } from '../../exact/exact.ts';
import { builtinKernel } from '../../kernels/builtin.ts';
import { parseCase } from '../../problem/case.ts';
import type { EpilogueShader } from './epilogue-shader.ts';

/** A fault in the text of a shader: what replaces a part of it. */
type Fault = readonly [part: string | RegExp, by: string];

const planted = vi.hoisted((): { fault?: Fault | undefined } => ({}));
vi.mock('./epilogue-shader.ts', async (load) => {
  const { epilogueShader, ...others } = await load<typeof import('./epilogue-shader.ts')>();
  return {
    ...others,
    epilogueShader(...given: Parameters<typeof epilogueShader>): EpilogueShader {
      const { declare, words } = epilogueShader(...given);
      return {
        words,
        declare(binding) {
          const text = declare(binding);
          if (planted.fault === undefined) return text;
          const wrong = text.replace(...planted.fault);
          expect(wrong).not.toBe(text);
          return wrong;
        },
      };
    },
  };
});

const { open } = await openGpu();

async function judged(kernel: string, epilogue: string, fault?: Fault, input = 'uniform') {
  planted.fault = fault;
  const value = parseCase(`${kernel};input=${input};m=19;k=13;n=21;epilogue=${epilogue}`);
  const evaluator = new Evaluator(exactProduct);
  const { epilogue: found } = await evaluator.evaluate(
    await evaluator.prepare(value, builtinKernel(value.kernel, open)),
  );
  return found;
}

/** Kernels with the steps in the last sum of a leaf product, entry by entry, and in the pass that writes D. */
const kernels = [
  'kernel=classical:tiled',
  'kernel=classical:naive;batch=2;a=t',
  'kernel=strassen:naive;levels=1',
];

const lines = /( {2}x = [^\n]*\n)( {2}x = [^\n]*\n)/;
const faults: readonly (readonly [what: string, epilogue: string, fault: Fault, says: RegExp])[] = [
  [
    'the bias of the next row',
    'bias:column,relu',
    ['product, i, j)', 'product, (i + 1u) % 19u, j)'],
    /next row/,
  ],
  [
    'the bias of the next column',
    'bias:row,silu:wgsl',
    ['product, i, j)', 'product, i, (j + 1u) % 21u)'],
    /next column/,
  ],
  ['the activation before the bias', 'bias:row,relu', [lines, '$2$1'], /bias was applied after relu/],
  ['no activation in the last tile', 'bias:row,relu', [lines, '$1  if (j >= 16u) { return x; }\n$2'], /./],
  [
    'a scale that is divided by',
    'scale:row,sigmoid:wgsl',
    [/fma\(x, (.*), bitcast<f32>\(params.zero\)\)/, '(x / $1)'],
    /./,
  ],
  ['the sigmoid of 1.702x', 'gelu-tanh:wgsl', [/\n {2}x = .*;/, '\n  x = x * sigmoidOf(1.702 * x);'], /./],
  ['truncated codes', 'bias:row,requantize:int8', ['round(', 'trunc('], /truncated/],
  ['codes without saturation', 'requantize:int8', [/select\(number\(3u.*;/, 'x;'], /./],
];

describe.each(kernels)('%s', (kernel) => {
  it('passes without a fault', async () => {
    for (const epilogue of new Set(faults.map(([, one]) => one)))
      expect(await judged(kernel, epilogue)).toMatchObject({ verdict: 'pass' });
  });

  it.each(faults)('fails with %s', async (_, epilogue, fault, says) => {
    const found = await judged(kernel, epilogue, fault);
    expect(found).toMatchObject({ verdict: 'fail', reason: expect.stringMatching(says) });
  });
});

it('fails with the residual of the first product of a batch', async () => {
  const fault = ['product * apart.x', '0u * apart.x'] as const;
  const found = await judged('kernel=classical:naive;batch=2;a=t', 'residual,tanh:wgsl', fault);
  expect(found).toMatchObject({ verdict: 'fail', reason: expect.stringMatching(/first product/) });
});

it('passes no infinity of sums of blocks, and fails none', async () => {
  const epilogue = 'scale:row,residual,silu:wgsl';
  const ofSpecials = (kernel: string) => judged(kernel, epilogue, undefined, 'special-values');
  expect(await ofSpecials('kernel=classical:naive')).toMatchObject({ verdict: 'pass' });
  expect(await ofSpecials('kernel=winograd:naive;levels=1')).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringContaining('may turn infinity into NaN'),
  });
});
