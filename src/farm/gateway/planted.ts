import type { Random } from '../../base/random.ts';
import { changed, formatCase, parseCase } from '../../problem/case.ts';
import type { Found } from './protocol.ts';
import type { JudgeHere } from './trusted.ts';

/**
 * Cases that are known to fail, among those of a batch. They are of whole numbers: every honest machine has the same bits of their
 * products, and so the same marks, however it rounds.
 */
const PLAIN = /^kernel=[^;]+;levels=\d+;fringe=\w+;tail=\w+;input=integers;m=\d+;k=\d+;n=\d+;seed=\d+$/;
/** The fewest and the most multiplications of one, which is judged here twice before it is leased. */
const [LEAST, MOST] = [64, 2 ** 24];
/** How often words are drawn until they are of a size that will do. */
const TRIES = 20;

/** Whether a batch has cases among which one that is planted does not stand out. */
export const takesPlanted = (texts: readonly string[]): boolean => texts.some((text) => PLAIN.test(text));

/**
 * Words of a case that is none of these, and is like them: its sizes and its seed are of several. Where all shapes are cubes, so is
 * its own.
 * @param texts cases of one kernel.
 * @returns undefined where there are too few to draw from.
 */
export function drawnLike(texts: readonly string[], random: Pick<Random, 'uniform01'>): string | undefined {
  const known = new Set(texts);
  const plain = texts.filter((text) => PLAIN.test(text)).map((text) => parseCase(text));
  if (plain.length === 0) return undefined;
  const draw = () => plain[Math.floor(random.uniform01() * plain.length)];
  const areCubes = plain.every(({ problem: { m, k, n } }) => m === k && k === n);
  const most = Math.max(...plain.map(({ problem: { seed } }) => seed)) + 1;
  // Seeds that are counted go on; those that were drawn are as large as ever.
  const seeds = most < 2 * plain.length ? 2 * most : most;
  for (let tried = 0; tried < TRIES; tried++) {
    const first = draw();
    const [second, third] = areCubes ? [first, first] : [draw(), draw()];
    const { m } = first.problem;
    const [k, n] = [second.problem.k, third.problem.n];
    const text = formatCase(changed(first, { m, k, n, seed: Math.floor(random.uniform01() * seeds) }));
    if (m * k * n >= LEAST && m * k * n <= MOST && !known.has(text)) return text;
  }
  return undefined;
}

/** The mark under which a case fails here that passes without it; undefined where there is none. */
export async function failingMark(text: string, judge: JudgeHere): Promise<string | undefined> {
  const seen: string[] = [];
  const verdictUnder = async (marks: readonly string[]) => {
    const [found] = await judge([text], { marks: new Set(marks), onMark: (mark) => void seen.push(mark) });
    return found?.verdict;
  };
  if ((await verdictUnder([])) !== 'pass') return undefined;
  const [mark] = seen;
  return mark !== undefined && (await verdictUnder([mark])) === 'fail' ? mark : undefined;
}

/** What a worker says of planted cases, and the rest of what it found. */
export interface Parted {
  /** Without planted cases. */
  readonly found: Found;
  /** How many of these it says fail. */
  readonly failed: number;
  /** One that it says passes: who has computed it does not. */
  readonly passed: string | undefined;
}

/** Takes planted cases out of what a worker found. */
export function parted(found: Found, planted: readonly string[]): Parted {
  const told = found.cases.filter((one) => planted.includes(one.case));
  return {
    found: {
      ...found,
      cases: found.cases.filter((one) => !planted.includes(one.case)),
      leftOut: found.leftOut.filter((text) => !planted.includes(text)),
    },
    failed: told.filter(({ verdict }) => verdict === 'fail').length,
    passed: told.find(({ verdict }) => verdict === 'pass')?.case,
  };
}
