import type { CorpusKernel } from './outcome.ts';
import type { GraderTally } from './tally.ts';

/** The report of `graders`: the outcomes of each grader on the corpora. */
export interface GradersReport {
  readonly command: string;
  readonly version: string;
  readonly createdAt: string;
  readonly seed: number;
  /** The most multiplications of a product. */
  readonly most: number;
  /** The kernels, each with the graders that tested it and those that fail it. */
  readonly specimens: readonly (CorpusKernel & GradersOfKernel)[];
  readonly tallies: readonly GraderTally[];
}

/** The graders that tested a kernel, and those that fail it. */
export interface GradersOfKernel {
  readonly asked: readonly string[];
  readonly failedBy: readonly string[];
}

/** Our own gate, which is no third party's check. */
export const ours = [
  {
    name: 'gate',
    what: 'the default gate of this package, with its default budget',
    asked: 'The cases of docs/concepts/gate.md. It takes about a minute; most of its products are random.',
    blind: [
      'sizes beyond 2²¹',
      'faults that need two rare conditions at once',
      'kernels that detect the judge',
    ],
  },
  {
    name: 'gate-quick',
    what: 'the same with --budget quick',
    asked: 'The same in ten seconds, with fewer random products.',
    blind: ['the same, and large products that do not fit ten seconds'],
  },
] as const;
