import type { CorpusFaultClass } from './classes.ts';
import type { GraderVerdict } from './grade.ts';

/** Corpora on which graders are tried. */
export const corpora = ['history', 'mutants', 'cheats', 'honest'] as const;
export type CorpusName = (typeof corpora)[number];

/** A kernel of a corpus. */
export interface CorpusKernel {
  readonly name: string;
  readonly corpus: CorpusName;
  /** The fault of the kernel, or its behavior, in a sentence. */
  readonly what: string;
  /** The class of its fault; absent for correct kernels. */
  readonly fault?: CorpusFaultClass;
  /** For historic kernels: true if it is in the half by which none of our checks was repaired. */
  readonly isUnseen?: boolean;
  /** For correct kernels: true if it claims fewer bits or another algorithm than usual. */
  readonly isClaimed?: boolean;
}

/** The outcome of one grader on one kernel. */
export interface GraderOutcome extends GraderVerdict {
  readonly specimen: string;
  readonly grader: string;
  /** Processor seconds; wall-clock seconds for our gate, which runs in processes of its own. */
  readonly seconds: number;
  /** The outcome of each single change, if the grader passes the kernel. */
  readonly mends?: Readonly<Record<string, Omit<GraderVerdict, 'why'>>>;
  /** True if it could not decide. */
  readonly isUndecided?: boolean;
}
