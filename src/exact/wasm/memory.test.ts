import { expect, it } from 'vitest';
import { compile } from './memory.ts';

it('says why it has no kernels', () => {
  expect(compile(undefined)).toBe('this runtime has no WebAssembly');
  class Module {
    constructor() {
      throw new SyntaxError('Wasm SIMD unsupported');
    }
  }
  expect(compile({ Module, Instance: class {} as never })).toBe(
    'this runtime does not compile WebAssembly with vectors (Wasm SIMD unsupported)',
  );
});
