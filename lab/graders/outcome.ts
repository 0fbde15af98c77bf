import type { FaultClass } from './classes.ts';
import type { Grade } from './grade.ts';

/** The corpora that graders are tried on. */
export const corpora = ['history', 'mutants', 'cheats', 'honest'] as const;
export type Corpus = (typeof corpora)[number];

/** A kernel of a corpus. */
export interface Specimen {
  readonly name: string;
  readonly corpus: Corpus;
  /** What is wrong with it, or what it does, in a sentence. */
  readonly what: string;
  /** Absent of honest ones. */
  readonly fault?: FaultClass;
  /** Of history: whether it is of the half that nothing of ours was repaired by. */
  readonly isUnseen?: boolean;
  /** Of honest ones: whether they compute in fewer bits or another algorithm than is usual, and say so. */
  readonly isClaimed?: boolean;
}

/** What one grader said of one kernel. */
export interface Outcome extends Grade {
  readonly specimen: string;
  readonly grader: string;
  /** Processor seconds; of our gate, which runs in processes of its own, seconds of the wall clock. */
  readonly seconds: number;
  /** What each single change would have said, where the grader passes the kernel. */
  readonly mends?: Readonly<Record<string, Omit<Grade, 'why'>>>;
  /** Where it could not decide. */
  readonly isUndecided?: boolean;
}
