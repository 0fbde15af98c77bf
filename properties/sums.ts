/**
 * Sums of products as kernels compute them, written out apart from the mirror: each an inner product of two lines of
 * binary32 numbers.
 */
export type Dot = (x: Float32Array, y: Float32Array) => number;

const f = Math.fround;
const float = new Float32Array(1);
const word = new Uint32Array(float.buffer);

/** Toward zero in binary32. */
export function cut(x: number): number {
  float[0] = x;
  if (Math.abs(float[0]) > Math.abs(x)) word[0]--;
  return float[0];
}

/** Adding and subtracting it rounds to whole numbers, ties to even. */
const WHOLE = 1.5 * 2 ** 52;

/** To nearest in so many bits, ties to even. */
export const toBits =
  (bits: number) =>
  (x: number): number => {
    const last = 2 ** (Math.floor(Math.log2(Math.abs(x) || 1)) - bits + 1);
    return (x / last + WHOLE - WHOLE) * last;
  };

const running =
  (round: (x: number) => number): Dot =>
  (x, y) => {
    let sum = 0;
    for (let p = 0; p < x.length; p++) sum = round(sum + round(x[p] * y[p]));
    return sum;
  };

export const sequential = running(f);
export const towardZero = running(cut);
export const inBits = (bits: number): Dot => running(toBits(bits));
export const backwards: Dot = (x, y) => sequential(x.slice().reverse(), y.slice().reverse());

export const fused: Dot = (x, y) => {
  let sum = 0;
  for (let p = 0; p < x.length; p++) sum = f(sum + x[p] * y[p]);
  return sum;
};

export const inDoubles: Dot = (x, y) => {
  let sum = 0;
  for (let p = 0; p < x.length; p++) sum += x[p] * y[p];
  return f(sum);
};

export const pairwise =
  (smallest: number): Dot =>
  (x, y) => {
    const half = x.length >> 1;
    if (x.length <= smallest) return sequential(x, y);
    const sum = pairwise(smallest);
    return f(sum(x.subarray(0, half), y.subarray(0, half)) + sum(x.subarray(half), y.subarray(half)));
  };

/** Blocks of so many terms by `inner`, their sums added one after the other. */
export const blocked =
  (each: number, inner: Dot = sequential): Dot =>
  (x, y) => {
    let sum = 0;
    for (let p = 0; p < x.length; p += each) {
      sum = f(sum + inner(x.subarray(p, p + each), y.subarray(p, p + each)));
    }
    return sum;
  };

export const kahan: Dot = (x, y) => {
  let [sum, lost] = [0, 0];
  for (let p = 0; p < x.length; p++) {
    const term = f(f(x[p] * y[p]) - lost);
    const next = f(sum + term);
    lost = f(f(next - sum) - term);
    sum = next;
  }
  return sum;
};

export const neumaier: Dot = (x, y) => {
  let [sum, lost] = [0, 0];
  for (let p = 0; p < x.length; p++) {
    const term = f(x[p] * y[p]);
    const next = f(sum + term);
    const [large, small] = Math.abs(sum) >= Math.abs(term) ? [sum, term] : [term, sum];
    lost = f(lost + f(f(large - next) + small));
    sum = next;
  }
  return f(sum + lost);
};

/** The smallest products first. */
export const sorted: Dot = (x, y) => {
  let sum = 0;
  for (const term of Float32Array.from(x, (value, p) => value * y[p]).sort()) sum = f(sum + term);
  return sum;
};

/** Products and sums become either neighbour, the nearer one the more often. */
export const stochastic =
  (random: () => number): Dot =>
  (x, y) => {
    let sum = 0;
    for (let p = 0; p < x.length; p++) {
      const exact = sum + x[p] * y[p];
      const inner = cut(exact);
      if (inner === exact) {
        sum = inner;
        continue;
      }
      float[0] = inner;
      word[0]++;
      const outer = float[0];
      sum = random() * (outer - inner) < exact - inner === outer > inner ? outer : inner;
    }
    return sum;
  };

/** So many products and the sum, aligned to the largest and cut off behind so many bits; `end` rounds the result. */
export const atOnce =
  (terms: number, bits: number, end = cut): Dot =>
  (x, y) => {
    let sum = 0;
    for (let at = 0; at < x.length; at += terms) {
      const until = Math.min(at + terms, x.length);
      let most = Math.abs(sum);
      for (let p = at; p < until; p++) most = Math.max(most, Math.abs(x[p] * y[p]));
      if (most === 0) continue;
      const last = 2 ** (Math.floor(Math.log2(most)) + 1 - bits);
      let total = Math.trunc(sum / last) * last;
      for (let p = at; p < until; p++) total += Math.trunc((x[p] * y[p]) / last) * last;
      sum = end(total);
    }
    return sum;
  };
