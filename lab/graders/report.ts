import type { Specimen } from './outcome.ts';
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
  readonly specimens: readonly (Specimen & Heard)[];
  readonly tallies: readonly GraderTally[];
}

/** The graders that tested a kernel, and those that fail it. */
export interface Heard {
  readonly asked: readonly string[];
  readonly failedBy: readonly string[];
}

/** Our own gate, which is no third party's check. */
export const ours = [
  {
    name: 'gate',
    what: 'the default gate of this package, with its usual budget',
    asked:
      'What docs/concepts/gate.md tells: it takes about a minute, for which most of its products are drawn.',
    blind: [
      'sizes beyond 2²¹',
      'what needs two rare things at once',
      'kernels that know that they are judged',
    ],
  },
  {
    name: 'gate-quick',
    what: 'the same with --budget quick',
    asked: 'The same in ten seconds: fewer of the products that are drawn.',
    blind: ['the same, and large products that ten seconds leave out'],
  },
] as const;
