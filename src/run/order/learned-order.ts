import type { LearnedOrder } from './case-facets.ts';

/**
 * Learned from 45 wrong kernels, seed 1, version 0.1.0, 2026-11-28. `npm run lab -- order` writes it. The facet `sweep` counts as one more
 * kernel, wrong at one size in 1,009: a sweep of 200 products shows a fifth of such faults.
 */
export const learnedOrder: LearnedOrder = {
  judge: { case: 0.0023, call: 0.0014, swept: 0.0005, work: 2.1e-8 },
  ...readShares(`
rate 0.9 0.5 0.2 0.08 0.03 0.01
a* 0 0 0.000764 0 0 0
a*interleaved 0 0 0.000764 0 0 0
a*same 0 0 0.000764 0 0 0
a+ 0 0 0.000764 0 0 0
a=f 0 0 0.000764 0 0 0
a=t 0 0 0.000764 0 0 0
a=t&b=t 0 0 0.0817 0 0 0
a@ 0 0 0.000764 0 0 0
alpha 0 0 0.0227 0.0201 0 0
alpha=0 0 0 0.000764 0 0 0
any 0 0 0.000764 0 0 0
b* 0 0 0.000764 0 0 0
b*interleaved 0 0 0.000764 0 0 0
b*same 0 0 0.000764 0 0 0
b+ 0 0 0.000764 0 0 0
b=f 0 0 0.000764 0 0 0
b=t 0 0 0.000764 0 0 0
b=t&b=f 0.0218 0 0 0 0 0
b@ 0 0 0.000764 0 0 0
batch 0.0223 0 0.0347 0 0 0
beta 0 0.0585 0.000764 0 0 0
beta=1 0 0 0.000764 0 0 0
c* 0 0 0.000764 0 0 0
c*interleaved 0 0 0.000764 0 0 0
c*same 0 0 0.000764 0 0 0
c+ 0 0 0.000764 0 0 0
c=f 0 0 0.000764 0 0 0
c@ 0 0 0.000764 0 0 0
d 0 0 0.000764 0 0 0
d* 0 0 0.000764 0 0 0
d*interleaved 0 0 0.000764 0 0 0
d+ 0 0 0.000764 0 0 0
d=f 0 0 0.000764 0 0 0
d@ 0 0 0.000764 0 0 0
edit=cancel 0 0 0.000764 0 0 0
edit=equal-rows 0 0 0.000764 0 0 0
edit=far-bands 0 0 0.000764 0 0 0
edit=gram 0 0 0.000764 0 0 0
edit=held 0.00584 0 0.000764 0 0 0
edit=intercept 0 0 0.000764 0 0 0
edit=minus-zeros 0 0 0.000764 0 0 0
edit=nan 0 0 0.000764 0.0494 0 0
edit=near-largest 0 0 0.000764 0 0 0
edit=near-least 0.00441 0 0.000764 0 0 0
edit=opposed 0 0 0.000764 0 0 0
edit=patterned 0 0 0.000764 0 0 0
edit=special 0 0 0.000764 0.00988 0 0
edit=spread 0 0 0.000764 0 0 0
edit=symmetric 0 0 0.000764 0 0 0
edit=whole 0 0 0.000764 0 0 0
edit=zero-rows 0 0 0.000764 0 0 0
input=bytes 0 0 0.000764 0 0 0
input=complementary-zeros 0 0 0.000764 0 0 0
input=decimals 0 0 0.000764 0 0 0
input=ends 0.0056 0 0.000764 0 0 0
input=factor-ends 0 0 0.000764 0 0 0
input=integers 0.0124 0 0.000764 0 0 0
input=inverse-pair 0 0 0.000764 0 0 0
input=measurements 0 0 0.000764 0 0 0
input=normal 0 0 0.000764 0 0 0
input=permutation 0 0 0.000764 0 0 0
input=powers-of-two 0 0 0.000764 0 0.0056 0
input=relu 0 0 0.000764 0 0 0
input=rotations 0 0 0.000764 0 0 0
input=scaled-rows 0.00155 0 0.000764 0 0 0
input=signals 0 0 0.000764 0 0 0
input=softmax 0 0 0.000764 0 0 0
input=special-values 0 0 0.000764 0 0 0
input=uniform 0.0506 0 0.016 0 0 0
input=uniform&edit=intercept 0.0168 0 0 0 0 0
input=uniform-0-1 0 0 0.000764 0 0 0
input=uniform-2-5 0.00075 0.00597 0.00267 0 0 0
input=unit-rows 0.0146 0 0.000764 0 0 0
input=weights 0 0 0.000764 0 0 0
input=wide-exponents 0.00158 0 0.000764 0 0 0
input=wild 0 0 0.000764 0 0 0.0042
input=wild-integers 0 0 0.000764 0 0 0
input=wild-integers&program 0.0171 0 0 0 0 0
k% 0 0 0.000764 0 0 0
k%&n2 0 0.00316 0 0 0 0
k%16 0 0 0.000764 0 0 0
k%2 0.00403 0 0.000764 0 0 0
k%2&a=t 0 0.00501 0 0 0 0
k0 0 0 0.000764 0 0 0
k0&beta 0.0224 0 0 0 0 0
k1 0 0.0109 0.000764 0 0 0
k1025 0 0 0.000764 0 0 0
k1025&n1 0.0267 0 0 0 0 0
k129 0.0138 0 0.000764 0 0 0
k2 0 0 0.000764 0 0 0
k257 0.0033 0 0.000764 0 0 0
k33 0 0 0.000764 0 0 0
k33&a=t 0.0145 0 0 0 0 0
k4097 0 0 0.000764 0 0 0
k4097&n1 0 0.0152 0 0 0 0
k513 0 0 0.000764 0 0 0
k9 0 0 0.000764 0 0 0
k9&n1 0 0 0.0342 0 0 0
k=n 0 0 0.000764 0 0 0
m% 0 0 0.000764 0 0 0
m%16 0 0 0.000764 0 0 0
m%16&k1 0 0.00331 0 0 0 0
m%2 0.0181 0 0.000764 0 0 0
m0 0 0 0.000764 0 0 0
m1 0 0 0.000764 0 0 0
m1025 0 0 0.000764 0 0 0
m129 0.00468 0 0.000764 0 0 0
m2 0 0 0.000764 0 0 0
m2&n129 0.00445 0 0 0 0 0
m257 0 0 0.000764 0 0 0
m33 0.0155 0 0.000764 0 0 0
m4097 0 0 0.000764 0 0 0
m513 0 0 0.000764 0 0 0
m9 0 0.00429 0.000764 0 0 0
m9&n%2 0 0 0 0.037 0 0
m9&n129 0.00315 0 0 0 0 0
m=k 0 0 0.000764 0 0 0
m=n 0 0 0.000764 0 0 0
n% 0 0 0.000764 0 0 0
n%&m=k 0 0 0 0.0224 0 0
n%16 0 0 0.000764 0 0 0
n%2 0.0041 0 0.000764 0 0 0
n0 0 0 0.000764 0 0 0
n1 0 0 0.000764 0 0 0
n1025 0 0 0.000764 0 0 0
n129 0 0 0.000764 0 0 0
n129&repeats2 0 0.00444 0 0 0 0
n2 0 0 0.000764 0 0 0
n257 0 0 0.000764 0 0 0
n33 0.00834 0 0.000764 0 0 0
n33&repeats2 0 0 0.0406 0 0 0
n4097 0 0 0.000764 0 0 0
n513 0 0 0.000764 0 0 0
n9 0 0 0.000764 0 0 0
program 0.00868 0.049 0.00111 0 0 0
repeats10 0 0 0.000764 0 0 0
repeats2 0.0122 0.0131 0.000764 0 0.0184 0
sweep 0 0 0.02 0 0 0
`),
};

/** Reads the table of shares of faults: a line of rates, then a line of shares for each facet. */
export function readShares(text: string): Pick<LearnedOrder, 'rates' | 'facets'> {
  const [[, rates], ...facets] = text
    .trim()
    .split('\n')
    .map((line) => {
      const [name, ...numbers] = line.split(' ');
      return [name, numbers.map(Number)] as const;
    });
  return { rates, facets: new Map(facets) };
}

/** Writes a table that {@link readShares} reads. */
export const writeShares = ({ rates, facets }: Pick<LearnedOrder, 'rates' | 'facets'>): string =>
  [['rate', rates] as const, ...facets].map(([name, numbers]) => [name, ...numbers].join(' ')).join('\n');
