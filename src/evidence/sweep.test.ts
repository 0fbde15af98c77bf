import { describe, expect, it } from 'vitest';
import type { ParanoiaError } from '../base/errors.ts';
import { exactProduct } from '../exact/exact.ts';
import { externalKernel } from '../kernels/external-kernel.ts';
import { openFunctionKernel } from '../kernels/function-kernel.ts';
import { productsApart } from '../kernels/host/node/apart.ts';
import { type KernelSession, runInSequence } from '../kernels/kernel.ts';
import { kernelHangs } from '../kernels/messages.ts';
import type { FunctionKernel } from '../kernels/user-kernel.ts';
import type { Shape } from '../matrix/dense.ts';
import { applyClaims } from '../precision/precision.ts';
import { singlePrecision } from '../precision/single.ts';
import { parseCase } from '../problem/case.ts';
import { sweptShapes } from '../problem/special-shapes.ts';
import { Evaluator } from './evaluate.ts';
import type { WrongSweptProduct } from './sweep-fault.ts';

const SWEPT = 60;
const value = parseCase(`kernel=mine;input=integers;m=2;k=3;n=4;seed=160;sweep=${SWEPT}`);
const shapes = Array.from(
  { length: SWEPT },
  (
    (all) => () =>
      all.next().value as Shape
  )(sweptShapes(160)),
);

interface Fault {
  /** Changes the result, or throws. */
  readonly act: (c: Float32Array, a: Float32Array) => void;
  /** Says if a call shows it: the shape, and the number of calls so far. */
  readonly shows: (shape: Shape, calls: number) => boolean;
}

/** Returns a kernel, and what it was asked for: the number of products of each message, and all shapes. */
function kernelWith(fault?: Fault, more: Partial<KernelSession> = {}, accepts?: FunctionKernel['accepts']) {
  const [messages, asked]: [number[], string[]] = [[], []];
  const spec: FunctionKernel<Float32Array> = {
    name: 'mine',
    ...(accepts === undefined ? {} : { accepts }),
    multiply(a, b, { m, k, n }) {
      asked.push(`${m}×${k}×${n}`);
      const c = new Float32Array(m * n);
      for (let i = 0; i < m; i++)
        for (let p = 0; p < k; p++) for (let j = 0; j < n; j++) c[i * n + j] += a[i * k + p] * b[p * n + j];
      if (fault?.shows({ m, k, n }, asked.length) === true) fault.act(c, a);
      return c;
    },
  };
  const open = openFunctionKernel(spec as FunctionKernel);
  const session: KernelSession = {
    ...open,
    asksApart: true,
    run: runInSequence(async (job) => {
      messages.push(job.apart?.length ?? 1);
      if (job.apart !== undefined) return productsApart(open, job, job.apart);
      const [product] = await open.run([job]);
      if (product instanceof Error) throw product;
      return product;
    }),
    ...more,
  };
  const kernel = externalKernel(spec as FunctionKernel, session, applyClaims(singlePrecision));
  return { kernel, messages, asked };
}

const judged = ({ kernel }: Pick<ReturnType<typeof kernelWith>, 'kernel'>, one = value) =>
  new Evaluator(exactProduct).attempt({ case: one, kernel }, { fingerprint: undefined } as never);

const textOf = ({ m, k, n }: Shape) => `${m}×${k}×${n}`;
const isFortieth = (shape: Shape) => textOf(shape) === textOf(shapes[39]);
const causeOf = (error: unknown) => (error as ParanoiaError).cause as WrongSweptProduct;

describe('a sweep', () => {
  it('asks for every size once in a few messages, and for the product of its case', async () => {
    const mine = kernelWith();
    expect(await judged(mine)).toMatchObject({ case: value, outcomes: [{ c: { rows: 2, cols: 4 } }] });
    expect(mine.asked.slice(0, SWEPT)).toEqual(shapes.map(textOf));
    expect(new Set(mine.asked.slice(SWEPT))).toEqual(new Set(['2×3×4']));
    expect(mine.messages[0]).toBe(1);
    expect(mine.messages.length).toBeLessThan(mine.asked.length / 4);
  });

  it('leaves out sizes that the kernel does not accept, and takes others in their place', async () => {
    const mine = kernelWith(undefined, {}, ({ m }) => m % 2 === 0 || 'm must be even');
    expect(await judged(mine)).not.toBeInstanceOf(Error);
    expect(mine.asked.length).toBeGreaterThan(SWEPT);
    expect(mine.asked.every((text) => Number(text.split('×')[0]) % 2 === 0)).toBe(true);
  });

  it.each<readonly [string, Fault['act'], code: string | undefined]>([
    ['has a wrong entry', (c) => (c[c.length - 1] += 1), undefined],
    ['changes an operand', (_, a) => (a[0] = 77), undefined],
    ['throws', () => Promise.reject(), undefined],
  ])('names the product that %s, whose own case shows it too', async (what, act) => {
    const own =
      what === 'throws'
        ? () => {
            throw new Error('no');
          }
        : act;
    const mine = kernelWith({ shows: isFortieth, act: own });
    const error = await judged(mine);
    expect(error).toMatchObject({ code: 'kernel-errs-in-sweep', blames: 'kernel' });
    expect((error as Error).message).toContain(`product 40, ${textOf(shapes[39])}: `);
    const { product, alone } = causeOf(error);
    expect(product.problem).toMatchObject({ ...shapes[39], sweep: 0 });
    expect(alone?.code).toBe(what === 'throws' ? 'kernel-threw' : undefined);
  });

  it('names a product that is wrong among others alone', async () => {
    const mine = kernelWith({ shows: (_, calls) => calls === 40, act: (c) => (c[0] += 1) });
    const error = await judged(mine);
    expect((error as Error).message).toContain(`in a sweep of small sizes, in product 40, `);
    expect(await judged(mine, causeOf(error).product)).not.toBeInstanceOf(Error);
    expect(causeOf(error).errorOf(true).message).toContain(`${textOf(shapes[39])}, and right alone: `);
  });

  it('charges a message with an error that none of its products shows alone', async () => {
    const mine = kernelWith({
      shows: (_, calls) => calls === 40,
      act: () => {
        throw new Error('not now');
      },
    });
    const error = await judged(mine);
    expect((error as Error).message).toMatch(/in one of the products \d+ to \d+, and right alone: .*not now/);
    expect(causeOf(error)).toBeUndefined();
  });

  it('asks for products one by one where they were too slow together', async () => {
    const { kernel, asked } = kernelWith();
    const { run } = kernel.session;
    const session: KernelSession = {
      ...kernel.session,
      run: async (jobs) =>
        jobs[0].apart === undefined
          ? run(jobs)
          : [kernelHangs({ kernel: 'mine', shape: 'them', seconds: 60 })],
    };
    expect(await judged({ kernel: { ...kernel, session } })).not.toBeInstanceOf(Error);
    expect(asked.slice(0, SWEPT)).toEqual(shapes.map(textOf));
  });

  it('asks for products one by one where the session takes no others', async () => {
    const mine = kernelWith({ shows: isFortieth, act: (c) => (c[0] += 1) }, { asksApart: false });
    expect(causeOf(await judged(mine)).product.problem).toMatchObject(shapes[39]);
    expect(mine.messages.every((count) => count === 1)).toBe(true);
  });
});
