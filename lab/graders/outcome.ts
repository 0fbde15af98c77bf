import type { FaultClass } from './classes.ts';
import type { Grade } from './grade.ts';

/** Corpora on which graders are tried. */
export const corpora = ['history', 'mutants', 'cheats', 'honest'] as const;
export type Corpus = (typeof corpora)[number];

/** A kernel of a corpus. */
export interface Specimen {
  readonly name: string;
  readonly corpus: Corpus;
  /** The fault of the kernel, or its behavior, in a sentence. */
  readonly what: string;
  /** The class of its fault; absent for correct kernels. */
  readonly fault?: FaultClass;
  /** For historic kernels: true if it is in the half by which none of our checks was repaired. */
  readonly isUnseen?: boolean;
  /** For correct kernels: true if it claims fewer bits or another algorithm than usual. */
  readonly isClaimed?: boolean;
}

/** The outcome of one grader on one kernel. */
export interface Outcome extends Grade {
  readonly specimen: string;
  readonly grader: string;
  /** Processor seconds; wall-clock seconds for our gate, which runs in processes of its own. */
  readonly seconds: number;
  /** The outcome of each single change, if the grader passes the kernel. */
  readonly mends?: Readonly<Record<string, Omit<Grade, 'why'>>>;
  /** True if it could not decide. */
  readonly isUndecided?: boolean;
}
