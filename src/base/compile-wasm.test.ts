import { expect, it } from 'vitest';
import { compileWasm } from './compile-wasm.ts';

it('says why a module is not compiled', () => {
  class Module {
    constructor() {
      throw new SyntaxError('Wasm SIMD unsupported');
    }
  }
  expect(compileWasm('', { Module, Instance: class {} as never })).toBe(
    'this runtime cannot compile WebAssembly with SIMD (Wasm SIMD unsupported)',
  );
});

it('says that a runtime has no WebAssembly', () => {
  const { WebAssembly: own } = globalThis as { WebAssembly?: unknown };
  try {
    Object.assign(globalThis, { WebAssembly: undefined });
    expect(compileWasm('')).toBe('this runtime has no WebAssembly');
  } finally {
    Object.assign(globalThis, { WebAssembly: own });
  }
});
