import { describe, expect, it } from 'vitest';
import { ParanoiaError } from '../base/errors.ts';
import { inShort } from '../base/in-short.testing.ts';
import { exactness } from '../evidence/checks/exactness.ts';
import { Evaluator } from '../evidence/evaluate.ts';
import { exactProduct } from '../exact/exact.ts';
import type { OpenDevice } from '../gpu/device.ts';
import type { Entries } from '../matrix/operands.ts';
import { assumed } from '../precision/arithmetic.ts';
import { roundingIn } from '../precision/claimed-rounding.ts';
import { codings } from '../precision/coding/codings.ts';
import { kernelOperandsOf } from '../precision/coding/kernel-operands.ts';
import { applyClaims } from '../precision/precision.ts';
import { precisions } from '../precision/precisions.ts';
import { parseCase } from '../problem/case.ts';
import { checkKernel } from './check-kernel.ts';
import { decodingKernel } from './coded.testing.ts';
import { externalKernel } from './external-kernel.ts';
import { openFunctionKernel } from './function-kernel.ts';
import type { FunctionKernel } from './user-kernel.ts';

const open = { arithmetic: assumed, fingerprint: { id: 'cpu' } } as OpenDevice;

/** Evaluates a case by a kernel in a coded precision. */
async function evidenceOf(spec: FunctionKernel, text: string) {
  const precision = precisions.find(spec.precision ?? 'f32');
  const kernel = externalKernel(spec, openFunctionKernel(spec), applyClaims(precision, spec.claims));
  const value = parseCase(`kernel=any;${text};precision=${precision.name}`);
  return new Evaluator(exactProduct).attempt({ case: value, kernel }, open);
}

async function statusOf(spec: FunctionKernel, text: string) {
  const evidence = await evidenceOf(spec, text);
  if (evidence instanceof ParanoiaError) return evidence.message;
  const { unwritten, overwritten, changed } = evidence.outcomes[0];
  return [exactness.judge(evidence, limits).status, unwritten, overwritten, changed];
}

const limits = { sigmas: 8, drift: 2 };
const RIGHT = ['pass', 0, 0, 0];

it.each(
  inShort(
    codings.items.map(({ name }) => name),
    9,
  ),
)('%s: what a kernel decodes is what its product is held to', async (name) => {
  const kernel = decodingKernel(name);
  expect(await statusOf(kernel, 'input=integers;m=5;k=70;n=7')).toEqual(RIGHT);
  expect(
    await statusOf(kernel, 'input=integers;m=3;k=131;n=130;batch=2;a=t+3@2;b=tf*5;alpha=2;beta=-1'),
  ).toEqual(RIGHT);
});

describe('results narrower than sums', () => {
  const claims = (rounding: 'nearest' | 'toward-zero') => ({ arithmetic: { result: { rounding } } });
  const made = (name: string, done: 'nearest' | 'toward-zero', claimed = done) =>
    decodingKernel(name, { claims: claims(claimed) }, roundingIn(precisions.find(name).d, done).round);

  it.each(['e4m3-row-f32-bf16', 'nvfp4-f32-bf16', 'nbits4-f16-f32-bf16', 'int8-row-zeros-f32-f16'])(
    '%s: are sums rounded once, as it is claimed',
    async (name) => {
      const text = 'input=integers;m=5;k=70;n=7;alpha=3';
      expect(await statusOf(made(name, 'nearest'), text)).toEqual(RIGHT);
      expect(await statusOf(made(name, 'toward-zero'), text)).toEqual(RIGHT);
      expect(await statusOf(made(name, 'toward-zero', 'nearest'), text)).toEqual(['fail', 0, 0, 0]);
      expect(await statusOf(made(name, 'nearest', 'toward-zero'), text)).toEqual(['fail', 0, 0, 0]);
    },
  );
});

it('all products of a batch may share one coded matrix', async () => {
  expect(
    await statusOf(decodingKernel('mxfp8-e4m3'), 'input=integers;m=5;k=40;n=7;batch=3;b=n*same'),
  ).toEqual(RIGHT);
});

it('factors that a kernel writes to are counted as changed operands', async () => {
  const { multiply } = decodingKernel('nvfp4');
  const spoiling: FunctionKernel = decodingKernel('nvfp4', {
    multiply(a, b, gemm, c, d, factors = {}) {
      multiply(a, b, gemm, c, d, factors);
      factors.b?.scales[1].fill(0);
      return d;
    },
  });
  expect(await statusOf(spoiling, 'input=integers;m=2;k=33;n=3')).toEqual(['pass', 0, 0, 1]);
});

it('swizzled: the same factors, in tiles of 128 lines and 4 blocks', async () => {
  const seen: Record<'plain' | 'swizzled', Entries[]> = { plain: [], swizzled: [] };
  for (const scales of ['plain', 'swizzled'] as const) {
    const { multiply } = decodingKernel('mxfp8-e4m3');
    const kernel = decodingKernel('mxfp8-e4m3', {
      scales,
      multiply(a, b, gemm, c, d, factors = {}) {
        seen[scales].push(...(factors.a?.scales ?? []));
        return multiply(a, b, gemm, c, d, factors);
      },
    });
    await evidenceOf(kernel, 'input=uniform;edit=spread:9;m=40;k=96;n=3');
  }
  const [plain] = seen.plain;
  const [swizzled] = seen.swizzled;
  expect([plain.length, swizzled.length]).toEqual([40 * 3, 128 * 4]);
  // Line 33 is the second of four adjacent lines in the second row of the tile.
  expect(swizzled.slice(16 + 4, 16 + 7)).toEqual(plain.slice(33 * 3, 34 * 3));
  expect(new Set(plain).size).toBeGreaterThan(3);
});

it('operands that are not those that were coded are coded anew', async () => {
  const evidence = await evidenceOf(decodingKernel('mxfp8-e4m3'), 'input=integers;m=2;k=40;n=3');
  if (evidence instanceof ParanoiaError) throw evidence;
  const { operands, gemm } = evidence;
  const precision = precisions.find('mxfp8-e4m3');
  const known = operands.coded?.a?.coded;
  expect(kernelOperandsOf(operands, gemm, precision).a).toBe(known?.elements);
  const other = { ...operands.a, data: operands.a.data.map((x) => 2 * x) };
  const { a, factors } = kernelOperandsOf({ ...operands, a: other }, gemm, precision);
  expect(a).not.toBe(known?.elements);
  expect(a.data[0] * (factors.a?.scales[0].data[0] ?? 0)).toBe(other.data[0]);
});

it.each([
  [{ scales: 'tiled' }, 'its scales must name a known layout, but are "tiled"'],
  [{ precision: 'f32', scales: 'plain' }, 'its scales name a layout, but f32 has no scales'],
  [{ precision: 'mxfp8-e4m4' }, 'its precision "mxfp8-e4m4" is unknown. Did you mean "mxfp8-e4m3"?'],
] as const)('a kernel of %o is refused', (change, why) => {
  const spec: object = { ...decodingKernel('mxfp8-e4m3'), ...change };
  expect(() => checkKernel(spec)).toThrow(why);
});
