import { defineKernel, type FunctionKernel } from 'gemm-paranoia';
import { multiply } from './multiply.ts';

/** Binary32 with 11 of its 24 bits, as tensor units keep. */
function tf32(x: number): number {
  const word = new Uint32Array(Float32Array.of(x).buffer);
  word[0] = ((word[0] ?? 0) + 0x1000) & 0xffffe000;
  return new Float32Array(word.buffer)[0] ?? 0;
}

const define = (name: string, faulty: FunctionKernel['multiply']) => defineKernel({ name, multiply: faulty });

export const wrongSign = define('wrong-sign', (a, b, call) => multiply(a, b, call).map((x) => -x));

export const tensorUnits = define('tensor-units', (a, b, call) => multiply(a.map(tf32), b.map(tf32), call));

/** Leaves the last term of each sum out. */
export const oneShort = define('one-short', (a, b, { m, k, n }) => {
  const [shortA, shortB] = [new Float32Array(m * (k - 1)), b.subarray(0, (k - 1) * n)];
  for (let i = 0; i < m; i++) shortA.set(a.subarray(i * k, (i + 1) * k - 1), i * (k - 1));
  return multiply(shortA, shortB, { m, k: k - 1, n });
});

export const oneNaN = define('one-nan', (a, b, call) => {
  const c = multiply(a, b, call);
  c[c.length - 1] = Number.NaN;
  return c;
});

export const transposed = define('transposed', (a, b, call) => {
  const { k, n } = call;
  return multiply(
    a,
    b.map((_, e) => b[(e % n) * k + Math.floor(e / n)] ?? 0),
    call,
  );
});
