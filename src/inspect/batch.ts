import type { Matrix } from '../matrix/dense.ts';
import type { Finding } from './inspection.ts';
import type { Lab, Line } from './lab.ts';

/** Rows that come together. */
const ROWS = { quick: [1, 8, 33], full: [1, 2, 3, 4, 7, 8, 16, 17, 31, 32, 33, 48, 65, 128] };

/** Does a row of C depend on how many rows come with it, or on where it stands? */
export const batch: Line = {
  id: 'batch-invariant',
  question: 'Has a row of C the same bits whatever rows come with it?',
  async ask(lab: Lab): Promise<Finding[]> {
    const { asker, random, quick, measured } = lab;
    const { id, question } = batch;
    const { k, n } = asker.home(1);
    const row = Array.from({ length: k }, () => asker.stored.round(random.uniform(-1, 1)));
    const b = asker.matrix(k, n, () => random.uniform(-1, 1));
    const [first, last] = [new Map<number, Matrix>(), new Map<number, Matrix>()];
    for (const m of quick ? ROWS.quick : ROWS.full) {
      if (asker.refuses({ m, k, n }) !== undefined) continue;
      const others = asker.matrix(m, k, () => random.uniform(-1, 1));
      const at = (place: number) =>
        asker.matrix(m, k, (i, p) => (i === place ? row[p] : others.data[i * k + p]));
      first.set(m, rowOf(await asker.multiply(at(0), b), 0));
      if (m > 1) last.set(m, rowOf(await asker.multiply(at(m - 1), b), m - 1));
    }
    if (first.size < 2) {
      const evidence = 'It takes fewer than two of the numbers of rows that were tried.';
      return [{ id, question, answer: 'could not be asked', value: null, confidence: 'unknown', evidence }];
    }
    const [alone, ...larger] = [...first];
    const differing = larger.flatMap(([m, c]) => (same(alone[1], c) ? [] : [m]));
    const moved = [...last].flatMap(([m, c]) => (same(first.get(m) as Matrix, c) ? [] : [m]));
    const invariant = differing.length === 0 && moved.length === 0;
    measured.batchInvariant = invariant;
    const tried = [...first.keys()].join(', ');
    return [
      {
        id,
        question,
        answer: invariant ? 'yes' : 'no',
        value: invariant,
        confidence: invariant ? 'measured' : 'proved',
        evidence: invariant
          ? `A row times a ${k}×${n} matrix, among ${tried} rows, first and last: the same bits.`
          : `A row times a ${k}×${n} matrix: other bits than among ${alone[0]} ${alone[0] === 1 ? 'row' : 'rows'} among ${differing.join(', ') || 'none'}; other bits as the last row than as the first among ${moved.join(', ') || 'none'}.`,
      },
    ];
  },
};

function rowOf({ cols, data }: Matrix, row: number): Matrix {
  return { rows: 1, cols, data: data.slice(row * cols, (row + 1) * cols) };
}

const same = (x: Matrix, y: Matrix) => x.data.every((value, at) => Object.is(value, y.data[at]));
