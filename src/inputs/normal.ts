import { type InputSpec, inputFamily, whileSmooth } from './input.ts';

/** Returns the maker of independent entries that are functions of normal numbers, those of B perhaps with k. */
const ofNormal =
  (a: (x: number) => number, b: (x: number, k: number) => number): InputSpec['make'] =>
  ({ m, k, n, random, fill }) => {
    const [ra, rb] = [random(1), random(2)];
    return { a: fill(m, k, () => a(ra.normal())), b: fill(k, n, () => b(rb.normal(), k)) };
  };

const asDrawn = (x: number): number => x;
const positivePart = (x: number): number => Math.max(0, x);
const inCents = (x: number): number => Math.round(1000 * x) / 100;

/** The usual test data of libraries, and the initial weights of networks. */
export const normal = inputFamily({
  name: 'normal',
  what: 'Independent normal entries, of mean 0 and variance 1.',
  source: 'the default random matrix of numerical libraries (randn)',
  catches: 'Kernels made to pass on entries of one sign, or of at most 1.',
  statistics: 'random',
  exactness: 'none',
  make: ofNormal(asDrawn, asDrawn),
});

/** Decimal numbers of everyday tables: prices, temperatures, marks. Their decimal digits have no short binary form. */
export const decimals = inputFamily({
  name: 'decimals',
  what: 'Normal entries of deviation 10, rounded to two decimal digits.',
  source: 'tables of measurements and prices',
  catches: 'Operands kept in too few bits: these hold short binary fractions but no decimal ones.',
  statistics: 'random',
  exactness: 'none',
  reach: { entries: 7, sums: 17 },
  make: ofNormal(inCents, inCents),
});

/** Operands of a network layer: activations, half of them 0 and the others positive, times weights of both signs. */
export const relu = inputFamily({
  name: 'relu',
  what: 'Entries of A are max(0, x) and those of B |x|, for normal numbers x.',
  source: 'after Nair, Hinton 2010, Rectified linear units improve restricted Boltzmann machines',
  catches: 'Errors of sums of one sign with many zero terms, as in neural networks.',
  statistics: 'random',
  randomUpTo: whileSmooth,
  exactness: 'none',
  make: ofNormal(positivePart, Math.abs),
});

/** Operands of a network before training: activations, times weights that keep their size. */
export const weights = inputFamily({
  name: 'weights',
  what: 'Entries of A are normal with negative ones set to zero, those of B normal with variance 2/k.',
  source: 'He, Zhang, Ren and Sun, "Delving deep into rectifiers" (2015), equation 10: initial weights',
  catches: 'Small numbers of both signs taken for noise: by scales, thresholds or low-bit formats.',
  statistics: 'random',
  exactness: 'none',
  make: ofNormal(positivePart, (x, k) => Math.sqrt(2 / Math.max(1, k)) * x),
});
