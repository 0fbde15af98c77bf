import type { InspectionContext } from './question.ts';

/**
 * Sizes at which kernels choose another code path: few rows and many, short sums and long ones. The products are narrow and so cheap. The
 * numbers of rows of one k and n are compared with each other.
 */
export interface Crossing {
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
export const PATIENCE = { quick: 600, full: 4_000 };

/** Returns the crossings that the kernel accepts. If it accepts none of these k, the crossings take the shape that it accepts. */
export function crossingsOf({ session, quick }: InspectionContext): Crossing[] {
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
export function runsOf(numbers: readonly number[]): string {
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
