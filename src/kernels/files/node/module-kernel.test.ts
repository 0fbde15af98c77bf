import { expect, test } from 'vitest';
import type { FunctionKernel } from '../../user-kernel.ts';
import { inFolder } from './files.testing.ts';
import { moduleKernel } from './module-kernel.ts';

const put = inFolder();
const FUNCTION = '(a, b, { m, n }) => new Float32Array(m * n)';

test('an exported function multiplies, in the precision that is asked for', async () => {
  const text = 'export function f(a: Float32Array): Float32Array { return a }\nexport const sizes = [1];';
  const origin = put('one.ts', text, { name: 'one.ts#f', symbol: 'f', ways: { precision: 'f64' } });
  expect(await moduleKernel(origin)).toEqual({
    ...{ name: 'one.ts#f', precision: 'f64', multiply: expect.any(Function) },
  });
  const only = (await moduleKernel({ ...origin, symbol: undefined, ways: {} })) as FunctionKernel;
  expect(only.multiply.name).toBe('f');
  expect(only.precision).toBe(undefined);
});

test('the default export is meant where none is named, also of CommonJS, and its parts can be', async () => {
  const several = put('two.mjs', `export default ${FUNCTION}; export const other = ${FUNCTION};`);
  expect(await moduleKernel(several)).toMatchObject({ multiply: expect.any(Function) });
  const common = put('three.cjs', `module.exports = { f: ${FUNCTION} };`, { symbol: 'f' });
  expect(await moduleKernel(common)).toMatchObject({ multiply: expect.any(Function) });
});

test('a kernel that is defined says more, but for its name', async () => {
  const text = `export const mine = { name: 'mine', precision: 'f64', claims: { order: 'sequential' }, multiply: ${FUNCTION} };`;
  const kernel = await moduleKernel(put('four.mjs', text, { name: 'four.mjs#mine', symbol: 'mine' }));
  expect(kernel).toMatchObject({ name: 'four.mjs#mine', precision: 'f64', claims: { order: 'sequential' } });
});

test.each([
  ['throws.mjs', 'throw new Error("no luck");', 'cannot be read: no luck.'],
  ['syntax.ts', 'export const = 1;', 'cannot be read: ParseError: Unexpected token, line 1.'],
  ['none.mjs', 'export const x = 1;', 'has no exported function.'],
])('%s is refused in a sentence', async (file, text, why) => {
  await expect(moduleKernel(put(file, text))).rejects.toThrow(`The file ${file} ${why}`);
});
