import type { Matrix } from '../matrix/dense.ts';
import {
  type InspectionContext,
  type InspectionQuestion,
  makeRefutableAnswer,
  type QuestionAnswer,
} from './question.ts';
import { matricesHaveSameBits } from './session.ts';
import { SkippedQuestion } from './wrong-product.ts';

/**
 * Sizes at which kernels choose another code path: few rows and many, short sums and long ones. The products are narrow and so cheap. The
 * numbers of rows of one k and n are compared with each other.
 */
interface Crossing {
  readonly k: number;
  readonly n: number;
  /** Numbers of rows. */
  readonly rows: readonly number[];
}

const UP_TO_64 = Array.from({ length: 64 }, (_, at) => at + 1);

const CROSSINGS: Readonly<Record<'quick' | 'full', readonly Crossing[]>> = {
  quick: [
    { k: 64, n: 16, rows: [1, 8, 33, 512] },
    { k: 8192, n: 4, rows: [1, 8, 33] },
  ],
  full: [
    { k: 64, n: 16, rows: [...UP_TO_64, 65, 96, 128, 256, 512] },
    { k: 1024, n: 8, rows: [1, 2, 4, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 128, 512] },
    { k: 2048, n: 4, rows: [1, 16, 33, 64, 512] },
    { k: 4096, n: 4, rows: [1, 16, 33, 64] },
    { k: 8192, n: 4, rows: [1, 2, 8, 16, 17, 32, 33, 64, 512] },
  ],
};

/** Time after which no further number of rows is tried at one k, in milliseconds. */
const PATIENCE = { quick: 600, full: 4_000 };

/** Returns the crossings that the kernel accepts. If it accepts none of these k, the crossings take the shape that it accepts. */
function crossingsOf({ session, quick }: InspectionContext): Crossing[] {
  const all = quick ? CROSSINGS.quick : CROSSINGS.full;
  const taken = (some: readonly Crossing[]) =>
    some
      .map((one) => ({
        ...one,
        rows: one.rows.filter((m) => session.refuses({ m, k: one.k, n: one.n }) === undefined),
      }))
      .filter(({ rows }) => rows.length > 0);
  const found = taken(all);
  const { m, k, n } = session.home(1);
  return found.length > 0 ? found : taken([{ k, n, rows: [...new Set([...all[0].rows, m])] }]);
}

/** Lists ascending whole numbers, and abbreviates runs of three or more: `1…64, 96`. */
function runsOf(numbers: readonly number[]): string {
  const texts: string[] = [];
  for (let from = 0; from < numbers.length; ) {
    let to = from;
    while (numbers[to + 1] === numbers[to] + 1) to++;
    if (to - from < 2) to = from;
    texts.push(to > from ? `${numbers[from]}…${numbers[to]}` : `${numbers[from]}`);
    from = to + 1;
  }
  return texts.join(', ');
}

/** The results for one k and n. */
interface Asked {
  readonly k: number;
  readonly n: number;
  /** Numbers of rows that were tried. */
  readonly rows: readonly number[];
  /**
   * The subset of `rows` where the row's bits differ from those with the fewest rows; in `moved`, where they differ at another position.
   */
  readonly differing: readonly number[];
  readonly moved: readonly number[];
  /** Numbers of rows where the same operands gave different bits. */
  readonly unsteady: readonly number[];
}

/** Tests that a product repeats itself, and that a row of C does not depend on the number of rows or on its position. */
export const batch: InspectionQuestion = {
  id: 'batch-invariant',
  question: 'Is a row of C independent of the other rows, bit for bit?',
  async ask(context) {
    const told: Asked[] = [];
    for (const crossing of crossingsOf(context)) {
      if (context.stop()) break;
      told.push(await cross(context, crossing));
    }
    if (told.every(({ rows }) => rows.length === 0))
      throw new SkippedQuestion('It accepts none of the tested shapes.');
    return [repeating(context, told), invariance(context, told)];
  },
};

/** Computes every product twice. The compared row stands first, in the middle and last. */
async function cross(
  { session, random, quick, stop, clock }: InspectionContext,
  { k, n, rows }: Crossing,
): Promise<Asked> {
  const row = Array.from({ length: k }, () => random.uniform(-1, 1));
  const b = session.uniform(random, 'b', k, n);
  const [asked, differing, moved, unsteady]: number[][] = [[], [], [], []];
  let alone: Matrix | undefined;
  const start = clock();
  for (const m of rows) {
    if (stop() || clock() - start > (quick ? PATIENCE.quick : PATIENCE.full)) break;
    const places = [0, m >> 1, m - 1];
    const a = session.near('a', m, k, (i, p) => (places.includes(i) ? row[p] : random.uniform(-1, 1)));
    const c = await session.multiply(a, b);
    if (!matricesHaveSameBits(c, await session.multiply(a, b, { a, c }))) unsteady.push(m);
    const [first, ...others] = places.map((place) => rowOf(c, place));
    alone ??= first;
    if (!matricesHaveSameBits(alone, first)) differing.push(m);
    if (!others.every((other) => matricesHaveSameBits(first, other))) moved.push(m);
    asked.push(m);
  }
  return { k, n, rows: asked, differing, moved, unsteady };
}

const rowOf = ({ cols, data }: Matrix, row: number): Matrix => ({
  rows: 1,
  cols,
  data: data.slice(row * cols, (row + 1) * cols),
});

const placesOf = (told: readonly Asked[], rowsOf: (one: Asked) => readonly number[]) =>
  told
    .filter((one) => rowsOf(one).length > 0)
    .map((one) => `m = ${runsOf(rowsOf(one))} with k = ${one.k}, n = ${one.n}`)
    .join('; ');

/** Describes the tested sizes as the verdict does: "m = 1 to 512, k = 64, 1024". */
function extent(told: readonly Asked[]): string {
  const rows = told.flatMap((one) => one.rows);
  const lengths = told.flatMap((one) => (one.rows.length > 0 ? [one.k] : []));
  return `m = ${Math.min(...rows)} to ${Math.max(...rows)}, k = ${lengths.join(', ')}`;
}

/** Returns the answer on determinism. Short products have begun this answer before. */
function repeating({ measures }: InspectionContext, told: readonly Asked[]): QuestionAnswer {
  const unsteady = placesOf(told, (one) => one.unsteady);
  const asked = placesOf(told, (one) => one.rows);
  const before = measures.deterministic;
  measures.deterministic = before !== false && unsteady === '';
  const about = {
    id: 'deterministic-everywhere',
    question: 'Are results repeatable where code paths change?',
  };
  const evidence =
    unsteady === ''
      ? `Random products, each twice, of ${asked}: all bits were the same.`
      : `Random products, each twice: other bits the second time at ${unsteady}; tested at ${asked}.`;
  const answer = unsteady === '' ? `yes, for ${extent(told)}` : `no: not at ${unsteady}`;
  return { ...about, ...makeRefutableAnswer(unsteady === '', answer, evidence) };
}

function invariance({ measures }: InspectionContext, told: readonly Asked[]): QuestionAnswer {
  const asked = placesOf(told, (one) => one.rows);
  const why =
    measures.deterministic === false
      ? 'not even the same product has the same bits twice'
      : told.every(({ rows }) => rows.length < 2)
        ? 'it accepts only one number of rows'
        : undefined;
  if (why !== undefined) {
    const unknown = { value: null, confidence: 'unknown' } as const;
    return { answer: `not known: ${why}`, ...unknown, evidence: `Tested at ${asked}.` };
  }
  const differing = placesOf(told, (one) => one.differing);
  const moved = placesOf(told, (one) => one.moved);
  const invariant = differing === '' && moved === '';
  measures.batchInvariant = invariant;
  const parts = [
    ...(differing === '' ? [] : [`other bits than among the fewest rows at ${differing}`]),
    ...(moved === '' ? [] : [`other bits in another place at ${moved}`]),
  ];
  const evidence = invariant
    ? `A row first, in the middle and last, of ${asked}: the same bits.`
    : `A row times a matrix: ${parts.join('; ')}; tested at ${asked}.`;
  const answer = invariant ? `yes, for ${extent(told)}` : `no: ${parts.join('; ')}`;
  return makeRefutableAnswer(invariant, answer, evidence);
}
