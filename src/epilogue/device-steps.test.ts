import { describe, expect, it } from 'vitest';
import { readChain } from './chain-text.ts';
import { isModeled, whyNotOnDevice } from './device-steps.ts';

describe('a chain of our kernels', () => {
  it.each([
    'bias:row,residual,scale:column',
    'relu,squared-relu,leaky-relu:0.1,clamp',
    'silu:wgsl,sigmoid:wgsl,tanh:wgsl,gelu-tanh:wgsl',
    'requantize:uint4:column:any',
    'none',
  ])('%s', (text) => {
    expect(whyNotOnDevice(readChain(text))).toBeUndefined();
  });

  it.each([
    ['relu,gelu:wgsl', /^it computes no gelu, but bias, residual/],
    ['swiglu:wgsl', /^it computes no swiglu/],
    ['round:bf16', /^it computes no round/],
    ['silu', 'its functions have the accuracy wgsl alone, as in silu:wgsl'],
    ['sigmoid:wgsl:tanh', 'its functions have the accuracy wgsl alone, as in silu:wgsl'],
    ['requantize:e4m3', 'it makes codes of int8, uint8, int4, uint4'],
    ['requantize:int8:toward-zero', 'it rounds codes to nearest, ties to even'],
    ['requantize:int8:wraps', 'its codes saturate'],
    ['requantize:int8:quotient', 'it multiplies by 1/scale, rounded'],
  ])('%s is refused', (text, why) => {
    expect(whyNotOnDevice(readChain(text))).toMatch(why);
  });

  it('has the bits of the model unless it calls a function', () => {
    expect(isModeled(readChain('scale:row,bias:column,leaky-relu,requantize:int8'))).toBe(true);
    expect(isModeled(readChain('bias:row,tanh:wgsl'))).toBe(false);
  });
});
