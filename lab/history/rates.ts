import type { FunctionKernel } from '../../src/kernels/user-kernel.ts';

/** How well a re-created cause is known; see {@link HistoricBug.sure}. */
export const certainties = ['cause', 'deduced', 'trigger'] as const;

/** `unseen`: written by one who had not read the checks, after they were finished; see {@link HistoricBug.half}. */
export const historyHalves = ['first', 'unseen'] as const;
export type HistoryHalf = (typeof historyHalves)[number];

/** A wrong result of a matrix product that a public tracker tells of, re-created as a kernel. */
export interface HistoricBug {
  /** Its project and the number of its thread: `openblas-1870`; the kernel's name. */
  readonly id: string;
  readonly project: string;
  /** Which half of the corpus it belongs to. */
  readonly half: HistoryHalf;
  /** The thread's address. */
  readonly issue: string;
  /** What happened, in a sentence. */
  readonly what: string;
  /** When the kernel is wrong, as a clause. */
  readonly trigger: string;
  /** Where it is wrong then, as a clause. */
  readonly where: string;
  /**
   * `cause`: the thread names the cause that is re-created; `deduced`: its wrong numbers give the cause away; `trigger`:
   * when it was wrong is known, and the wrong values are a guess.
   */
  readonly sure: (typeof certainties)[number];
  /** What of the trigger is smaller than it was, as a clause; absent where it is as the thread has it. */
  readonly scaled?: string;
  /** The version it was fixed in, where known. */
  readonly fixed?: string;
  readonly kernel: FunctionKernel;
  /** What the kernel computes where it is not triggered. */
  honest(...given: Parameters<FunctionKernel['multiply']>): ReturnType<FunctionKernel['multiply']>;
}

/** What one command said of one kernel. */
export interface Said {
  /** Whether it failed the kernel; undefined where it could not decide or was stopped. */
  readonly caught: boolean | undefined;
  /** By which check. */
  readonly check?: string;
  /** Of which case, or in which sentence; or why it could not decide. */
  readonly at?: string;
  /** How many cases it judged, where it judges cases. */
  readonly cases?: number;
  /** The machine it judged on and the seed, as its results have them. */
  readonly on?: { readonly adapter: string; readonly seed: number };
  readonly seconds: number;
}

/** The commands that are asked, in the order of the table. */
export const askedOfHistory = ['gate', 'fuzz', 'inspect'] as const;
export type AskedOfHistory = (typeof askedOfHistory)[number];

/** What all commands said of one bug. */
export type HistoryOutcome = { readonly bug: HistoricBug } & Readonly<Record<AskedOfHistory, Said>>;

/** How many of some bugs were caught, and between which rates the true one lies with 95 % confidence. */
export interface KillRate {
  readonly caught: number;
  readonly of: number;
  readonly low: number;
  readonly high: number;
}

/** Of the commands, and of any of them. */
export function killRates(
  outcomes: readonly HistoryOutcome[],
): Readonly<Record<AskedOfHistory | 'any', KillRate>> {
  const by = (isCaught: (outcome: HistoryOutcome) => boolean) =>
    killRate(outcomes.filter(isCaught).length, outcomes.length);
  return {
    gate: by(({ gate }) => gate.caught === true),
    fuzz: by(({ fuzz }) => fuzz.caught === true),
    inspect: by(({ inspect }) => inspect.caught === true),
    any: by((outcome) => askedOfHistory.some((command) => outcome[command].caught === true)),
  };
}

/** A part of the corpus and its rates. */
export interface PartRates {
  /** A half, or both together. */
  readonly part: HistoryHalf | 'both';
  readonly rates: ReturnType<typeof killRates>;
}

/** Of each half that some bugs are of, and of both where they are of both. */
export function ratesByHalf(outcomes: readonly HistoryOutcome[]): PartRates[] {
  const parts = historyHalves.flatMap((part) => {
    const own = outcomes.filter(({ bug }) => bug.half === part);
    return own.length === 0 ? [] : [{ part, rates: killRates(own) }];
  });
  return parts.length < 2 ? parts : [...parts, { part: 'both', rates: killRates(outcomes) }];
}

/** The quantile of the normal distribution that leaves 2.5 % above. */
const Z = 1.959963984540054;

/**
 * The rate of `caught` in `of` with its 95 % interval.
 * @see E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927), pp. 209–212.
 */
export function killRate(caught: number, of: number): KillRate {
  if (of === 0) return { caught, of, low: 0, high: 1 };
  const [p, z2] = [caught / of, (Z * Z) / of];
  const middle = (p + z2 / 2) / (1 + z2);
  const half = (Z / (1 + z2)) * Math.sqrt((p * (1 - p)) / of + z2 / (4 * of));
  // At the ends the formula is exact but for rounding.
  return { caught, of, low: caught === 0 ? 0 : middle - half, high: caught === of ? 1 : middle + half };
}
