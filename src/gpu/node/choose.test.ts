import { describe, expect, test } from 'vitest';
import { EXIT } from '../../base/errors.ts';
import type { FoundAdapter } from './adapters.ts';
import { chooseAdapter } from './open.ts';

function adapter(name: string, kind: 'hardware' | 'software'): FoundAdapter {
  return { name, kind, backend: 'vulkan', source: 'system', request: () => Promise.resolve(null) };
}

const llvmpipe = adapter('llvmpipe (LLVM 19.1.7, 256 bits)', 'software');
const swiftShader = adapter('SwiftShader Device (Subzero)', 'software');
const h200 = adapter('NVIDIA H200', 'hardware');
const all = { adapters: [llvmpipe, h200, swiftShader], notes: [] };

test.each([
  [undefined, h200, 'it is the hardware adapter'],
  ['hardware', h200, 'hardware was requested'],
  ['software', llvmpipe, 'software was requested'],
  ['swiftshader', swiftShader, '"swiftshader" was requested'],
])('%s', (wanted, chosen, because) => {
  expect(chooseAdapter(all, wanted)).toEqual({ adapter: chosen, because });
});

test('software when there is no hardware, and why', () => {
  const choice = chooseAdapter({ adapters: [swiftShader], notes: ['no driver was found'] });
  expect(choice).toEqual({
    adapter: swiftShader,
    because: 'no hardware adapter was found (no driver was found)',
  });
});

describe('what is missing is told, with what there is', () => {
  const notes = ['no driver was found'];
  test.each([
    [
      [swiftShader],
      'hardware',
      /^No hardware GPU adapter .*\(no driver was found\).* Found: SwiftShader Device/,
    ],
    [[swiftShader], 'radeon', /^No GPU adapter named "radeon"/],
    [[], undefined, /^No GPU adapter was found on this machine/],
  ])('%#', (adapters, wanted, message) => {
    const choose = (): unknown => chooseAdapter({ adapters, notes }, wanted);
    expect(choose).toThrow(message);
    expect(choose).toThrow(expect.objectContaining({ code: 'no-adapter', exitCode: EXIT.noAdapter }));
  });
});
