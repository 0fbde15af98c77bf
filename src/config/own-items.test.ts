import { expect, it } from 'vitest';
import { defineCheck } from '../evidence/checks/define-check.ts';
import { builtinItems } from '../evidence/items.ts';
import { definePrecision } from '../precision/define-precision.ts';
import { f32 } from '../precision/format.ts';
import { precisions } from '../precision/precisions.ts';
import { readItems } from './own-items.ts';

const precision = definePrecision({ name: 'mine', what: 'as f32', stored: f32 });
const check = defineCheck({
  name: 'mine',
  what: 'Is it mine?',
  judge: () => ({ status: 'pass', message: 'Yes.' }),
});
const read = (config: unknown) => readItems(config, 'x.mjs');

it('items of a config come beside the built-in ones, which stay as they are', () => {
  const { config, items } = read({ precisions: ['f32', precision], checks: [check], seed: 3 });
  expect(config).toEqual({ precisions: ['f32', 'mine'], checks: [check], seed: 3 });
  expect(items.precisions.find('mine')).toBe(precision);
  expect(items.checks.items.at(-1)?.name).toBe('mine');
  expect(items.inputs).toBe(builtinItems.inputs);
  expect([builtinItems.precisions.get('mine'), builtinItems.checks.get('mine')]).toEqual([
    undefined,
    undefined,
  ]);
  expect(read({}).items).toEqual(builtinItems);
});

it.each([
  [
    { precisions: [{ ...precision, name: 'f32' }] },
    'precisions: .* gemm-paranoia already has one of this name',
  ],
  [{ precisions: [precision, precision] }, 'precisions: .* the config has two of this name. Rename one'],
  [
    { precisions: [{ ...precisions.find('c32'), name: 'own' }] },
    'precisions.0.: .* only built-in precisions have complex',
  ],
])('refuses %o', (config, sentence) => {
  expect(() => read(config)).toThrow(new RegExp(`^x\\.mjs: ${sentence}`));
});
