import { afterAll, beforeAll, expect } from 'vitest';
import { itWhole } from '../../base/in-short.testing.ts';
import { compareBinary64 } from '../../gpu/compare-f64.ts';
import type { OpenDevice } from '../../gpu/device.ts';
import { openNodeDevice } from '../../gpu/node/open.ts';
import { binary64 } from './f64.ts';

let open: OpenDevice;
beforeAll(async () => {
  open = await openNodeDevice({ adapter: 'software' });
});
afterAll(() => open.close());

itWhole('sums, differences, products and multiply-adds have the bits that JavaScript computes', async () => {
  const found = await compareBinary64(open, { random: 100_000, seed: 20 });
  expect(found).toMatchObject({ mismatches: 0, first: undefined });
  expect(found.compared).toBeGreaterThan(4 * 200_000);
});

/** Faults as replacements in the WGSL; each must be detected. They are a selection, since each takes a second to compile. */
const faults: readonly (readonly [what: string, from: string, to: string])[] = [
  ['a product without a sticky bit', '& 0x3fffu, 1u)', '& 0x3fffu, 0u)'],
  [
    'subnormal products rounded twice',
    'F64(bitcast<i32>(v.y), v.x, 2i)',
    'F64(bitcast<i32>(v.y), (v.x + 63u + ((v.x >> 6u) & 1u)) & ~63u, 2i)',
  ],
  ['a shortcut where exponents lie far apart', ' | (by > 31u)', ''],
  ['ties of sums away from zero', 'lo + 0xffu + ((lo >> 9u) & 1u)', 'lo + 0x100u'],
  ['the sign of a sum of zeros', 'a.e == F64_NEGATIVE_ZERO && b.e', 'a.e == F64_NEGATIVE_ZERO || b.e'],
];

itWhole.each(faults)('%s is noticed', async (_, from, to) => {
  expect(binary64.prelude.split(from)).toHaveLength(2);
  const numeric = { ...binary64, prelude: binary64.prelude.replace(from, to) };
  const { mismatches, first } = await compareBinary64(open, { random: 0, seed: 21, numeric });
  expect(mismatches).toBeGreaterThan(0);
  expect(first).toContain('expected');
});
