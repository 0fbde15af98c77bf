import { type Gemm, readsAddend } from '../../matrix/gemm.ts';
import { readsFactors } from '../../matrix/members.ts';
import type { EntryPrediction } from './cause.ts';

/** Returns the row of the other part of a complex entry, in the real product that stands for it: imaginary parts lie below real ones. */
export const otherPart = (i: number, m: number): number => (i + m / 2) % m;

/** Returns alpha·product + beta·added, entry by entry, in doubles; a term that the factors leave unread is not evaluated. */
export function scaledEntry(gemm: Gemm, product: EntryPrediction, added: EntryPrediction): EntryPrediction {
  const { m, alpha, beta, imaginary } = gemm;
  const times = (by: number, of: EntryPrediction, i: number, j: number, p: number): number | undefined => {
    const entry = of(i, j, p);
    return entry === undefined ? undefined : by * entry;
  };
  const scaled =
    (re: number, im: number, of: EntryPrediction): EntryPrediction =>
    (i, j, p) => {
      const own = re === 0 && im !== 0 ? 0 : times(re, of, i, j, p);
      if (im === 0 || own === undefined) return own;
      const other = times(im, of, otherPart(i, m), j, p);
      return other === undefined ? undefined : own + (i < m / 2 ? -other : other);
    };
  const ofProduct = readsFactors(gemm) ? scaled(alpha, imaginary?.alpha ?? 0, product) : () => 0;
  if (!readsAddend(gemm)) return ofProduct;
  const ofAddend = scaled(beta, imaginary?.beta ?? 0, added);
  return (i, j, p) => {
    const [x, y] = [ofProduct(i, j, p), ofAddend(i, j, p)];
    return x === undefined || y === undefined ? undefined : x + y;
  };
}
