import { randomInt } from 'node:crypto';
import type { CaseRow, Statement } from '../atlas/entry.ts';
import { replayDiffers } from '../atlas/messages.ts';
import { recompute } from '../atlas/recompute.ts';
import { seeded } from '../base/random.ts';
import { type Flags, parseNumber } from '../config/flags.ts';
import { Evaluator } from '../evidence/evaluate.ts';
import { replayCommand } from '../evidence/result-of.ts';
import { exactProduct } from '../exact/exact.ts';
import { parseCase } from '../problem/case.ts';
import { type Range, ranges } from '../problem/ranges.ts';
import { counted } from '../report/numbers.ts';
import { type Drawn, replayOnDevice } from './atlas-replay.ts';

/** How many cases are computed again, and which. */
export interface Spot {
  readonly count: number;
  readonly seed: number;
}

const COUNT: Range = { least: 0, most: 100_000, whole: true, need: 'a whole number from 0 to 100000' };
const USUAL = 100;

/** Nobody knows beforehand which cases are asked again, unless a seed says it. */
export const spotOf = ({ spot, seed }: Flags): Spot => ({
  count: spot === undefined ? USUAL : parseNumber('--spot', spot, COUNT),
  seed: seed === undefined ? randomInt(ranges.seed.most) : parseNumber('--seed', seed, ranges.seed),
});

/** The most that a product which is computed again takes, about in multiplications. */
const LARGEST = 2 ** 18;

/** Some of the cases of an entry that take little time. */
function drawn({ kernels }: Statement, { count, seed }: Spot): Drawn[] {
  const random = seeded(seed);
  const small = kernels.flatMap((record) =>
    record.cases.filter(({ case: text }) => sizeOf(text) <= LARGEST).map((row) => ({ record, row })),
  );
  return small
    .map((one) => ({ one, at: random.bits() }))
    .sort((x, y) => x.at - y.at)
    .slice(0, count)
    .map(({ one }) => one);
}

function sizeOf(text: string): number {
  const { m, k, n, batch } = parseCase(text).problem;
  // Sizes of 0 have entries too.
  return (m + 1) * (k + 1) * (n + 1) * batch;
}

/**
 * Computes some cases of an entry again: on this processor, and where its adapter is at hand, on that.
 * @returns what was done, in a sentence.
 * @throws ParanoiaError `replay-differs` where something came out otherwise
 */
export async function spotCheck(statement: Statement, file: string, spot: Spot): Promise<string> {
  const cases = drawn(statement, spot);
  if (cases.length === 0) return 'no case was computed again';
  const evaluator = new Evaluator(exactProduct, { kept: 1 });
  const counts = { mirror: 0, exact: 0 };
  for (const { row } of cases) {
    const found = await recompute(row, statement, evaluator);
    if (found === undefined) continue;
    counts[found.by]++;
    if (found.differs !== undefined) throw refusal(file, row, HOW[found.by], found.differs);
  }
  const replayed = await replayOnDevice(statement, cases, (row, why) =>
    refusal(file, row, 'on the same adapter', why),
  );
  const { mirror, exact } = counts;
  return [
    `of ${counted(cases.length, 'case')} drawn (seed ${spot.seed})`,
    ...(mirror === 0 ? [] : [`${mirror} have the same errors bit for bit by the steps of the kernel here`]),
    ...(exact === 0 ? [] : [`${exact} err by no less than they must`]),
    replayed,
  ].join(', ');
}

const HOW = { mirror: 'by the steps of the kernel', exact: 'exactly' } as const;

const refusal = (file: string, row: CaseRow, how: string, why: string) =>
  replayDiffers({ file, case: row.case, how, why, replay: replayCommand(...(row.after ?? []), row.case) });
