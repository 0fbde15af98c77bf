import type { Matrix } from '../matrix/dense.ts';
import { holding, type Question } from './question.ts';
import { sameBits, Unasked } from './session.ts';

/** Rows that come together. */
const ROWS = { quick: [1, 8, 33], full: [1, 2, 3, 4, 7, 8, 16, 17, 31, 32, 33, 48, 65, 128] };

/** Does a row of C depend on how many rows come with it, or on where it stands? */
export const batch: Question = {
  id: 'batch-invariant',
  question: 'Has a row of C the same bits whatever rows come with it?',
  async ask({ session, random, quick, measured }) {
    const { k, n } = session.home(1);
    const row = Array.from({ length: k }, () => session.stored.round(random.uniform(-1, 1)));
    const b = session.uniform(random, k, n);
    const [first, last] = [new Map<number, Matrix>(), new Map<number, Matrix>()];
    for (const m of quick ? ROWS.quick : ROWS.full) {
      if (session.refuses({ m, k, n }) !== undefined) continue;
      const others = session.uniform(random, m, k);
      const at = (place: number) =>
        session.matrix(m, k, (i, p) => (i === place ? row[p] : others.data[i * k + p]));
      first.set(m, rowOf(await session.multiply(at(0), b), 0));
      if (m > 1) last.set(m, rowOf(await session.multiply(at(m - 1), b), m - 1));
    }
    if (first.size < 2) throw new Unasked('It takes fewer than two of the numbers of rows that were tried.');
    const [alone, ...larger] = [...first];
    const differing = larger.flatMap(([m, c]) => (sameBits(alone[1], c) ? [] : [m]));
    const moved = [...last].flatMap(([m, c]) => (sameBits(first.get(m) as Matrix, c) ? [] : [m]));
    const invariant = differing.length === 0 && moved.length === 0;
    measured.batchInvariant = invariant;
    const tried = [...first.keys()].join(', ');
    const times = `A row times a ${k}×${n} matrix`;
    const evidence = invariant
      ? `${times}, among ${tried} rows, first and last: the same bits.`
      : `${times}: other bits than among ${alone[0]} ${alone[0] === 1 ? 'row' : 'rows'} among ${differing.join(', ') || 'none'}; other bits as the last row than as the first among ${moved.join(', ') || 'none'}.`;
    return [holding(invariant, invariant ? 'yes' : 'no', evidence)];
  },
};

function rowOf({ cols, data }: Matrix, row: number): Matrix {
  return { rows: 1, cols, data: data.slice(row * cols, (row + 1) * cols) };
}
