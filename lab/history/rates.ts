import type { FunctionKernel } from '../../src/kernels/user-kernel.ts';

/** Certainties of a re-created cause; see {@link HistoricBug.sure}. */
export const certainties = ['cause', 'deduced', 'trigger'] as const;

/**
 * The halves of the corpus. `unseen` was written after the checks were finished, by an author who had not read them; see {@link
 * HistoricBug.half}.
 */
export const historyHalves = ['first', 'unseen'] as const;
export type HistoryHalf = (typeof historyHalves)[number];

/** A wrong matrix product reported in a public tracker, re-created as a kernel. */
export interface HistoricBug {
  /** Its project and the number of its thread: `openblas-1870`; the kernel's name. */
  readonly id: string;
  readonly project: string;
  /** The half of the corpus that it belongs to. */
  readonly half: HistoryHalf;
  /** The address of its thread. */
  readonly issue: string;
  /** The bug, in a sentence. */
  readonly what: string;
  /** The condition under which the kernel is wrong, as a clause. */
  readonly trigger: string;
  /** The wrong entries under this condition, as a clause. */
  readonly where: string;
  /**
   * `cause`: the thread names the cause; `deduced`: its wrong numbers reveal the cause; `trigger`: the condition is known, and
   * the wrong values are a guess.
   */
  readonly sure: (typeof certainties)[number];
  /** The reduced part of the trigger, as a clause; absent if the trigger is as in the thread. */
  readonly scaled?: string;
  /** The version that fixed it, if known. */
  readonly fixed?: string;
  readonly kernel: FunctionKernel;
  /** Computes the result of the kernel without its trigger. */
  honest(...given: Parameters<FunctionKernel['multiply']>): ReturnType<FunctionKernel['multiply']>;
}

/** The outcome of one command on one kernel. */
export interface CommandFinding {
  /** True if it failed the kernel; undefined if it could not decide, or was stopped. */
  readonly caught: boolean | undefined;
  /** The check that failed. */
  readonly check?: string;
  /** The case or the sentence of the failure; or the reason why it could not decide. */
  readonly at?: string;
  /** The number of cases, if it judges cases. */
  readonly cases?: number;
  /** The machine and the seed, as in its results. */
  readonly on?: { readonly adapter: string; readonly seed: number };
  readonly seconds: number;
}

/** The commands to run, in the order of the table. */
export const askedOfHistory = ['gate', 'fuzz', 'inspect'] as const;
export type HistoryCommand = (typeof askedOfHistory)[number];

/** The outcomes of all commands on one bug. */
export type HistoryOutcome = { readonly bug: HistoricBug } & Readonly<Record<HistoryCommand, CommandFinding>>;

/** The number of bugs caught, and the 95 % confidence interval of the kill rate. */
export interface KillRate {
  readonly caught: number;
  readonly of: number;
  readonly low: number;
  readonly high: number;
}

/** Kill rates of each command, and of any of them. */
export function killRates(
  outcomes: readonly HistoryOutcome[],
): Readonly<Record<HistoryCommand | 'any', KillRate>> {
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
  /** A half, or both halves together. */
  readonly part: HistoryHalf | 'both';
  readonly rates: ReturnType<typeof killRates>;
}

/** Rates for each half with bugs, and for both if both have some. */
export function ratesByHalf(outcomes: readonly HistoryOutcome[]): PartRates[] {
  const parts = historyHalves.flatMap((part) => {
    const own = outcomes.filter(({ bug }) => bug.half === part);
    return own.length === 0 ? [] : [{ part, rates: killRates(own) }];
  });
  return parts.length < 2 ? parts : [...parts, { part: 'both', rates: killRates(outcomes) }];
}

/** The quantile of the normal distribution that leaves 2.5 % in the upper tail. */
const Z = 1.959963984540054;

/**
 * Returns the rate of `caught` in `of`, with its 95 % confidence interval.
 * @see E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927), pp. 209–212.
 */
export function killRate(caught: number, of: number): KillRate {
  if (of === 0) return { caught, of, low: 0, high: 1 };
  const [p, z2] = [caught / of, (Z * Z) / of];
  const middle = (p + z2 / 2) / (1 + z2);
  const half = (Z / (1 + z2)) * Math.sqrt((p * (1 - p)) / of + z2 / (4 * of));
  // At the ends the formula is exact up to rounding.
  return { caught, of, low: caught === 0 ? 0 : middle - half, high: caught === of ? 1 : middle + half };
}
