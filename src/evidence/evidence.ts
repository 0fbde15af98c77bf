import type { Fingerprint } from '../gpu/device.ts';
import type { Product } from '../gpu/runner/product.ts';
import type { InputFamily, InputPair } from '../inputs/input.ts';
import type { Claims } from '../kernels/claims.ts';
import type { Kernel, Job as KernelJob } from '../kernels/kernel.ts';
import type { Matrix } from '../matrix/dense.ts';
import type { Gemm } from '../matrix/gemm.ts';
import type { Stacked } from '../matrix/members.ts';
import type { Computation } from '../precision/precision.ts';
import type { Case } from '../problem/case.ts';
import type { Analysis } from '../readers/analysis.ts';
import type { Reference } from './compared.ts';
import type { JudgedBy } from './judged-by.ts';
import type { Measures } from './measures.ts';
import type { Projection } from './projection.ts';
import type { Quantisation } from './quantisation.ts';

/**
 * The operands of a product, and what is known of them; of a user's own matrices only their entries are. Those of a batch
 * lie one below the other.
 */
export interface Operands
  extends Stacked,
    Pick<InputPair, 'ideal' | 'uncoded'>,
    Partial<Pick<InputPair, 'hasSpecials' | 'hasSubnormals'>> {
  /** The family that they were drawn from. */
  readonly family?: InputFamily;
  /** Whether alpha, beta and coding leave every sum exact that is exact for the family. @defaultValue true */
  readonly staysExact?: boolean;
  /** What is chosen at random about them comes from it: which entries are sampled. @defaultValue 1 */
  readonly seed?: number;
}

/** A product to be computed and compared. */
export interface Job extends KernelJob {
  /** Undefined for operands that no case describes. */
  readonly case?: Case;
  readonly operands: Operands;
}

/** Of a job, what is needed to weigh a product that somebody else computed. */
export interface Weighable extends Pick<Job, 'case' | 'plan' | 'operands' | 'gemm'> {
  readonly kernel: Pick<Kernel, 'algorithm' | 'claims' | 'diagonal' | 'followsPlan' | 'leaf' | 'leafOf'> &
    Computation;
}

/** A product once more. */
export interface Again extends Product {
  /** What stood between it and the first, or beside it, as in "after a product of 3×4×5". @defaultValue nothing */
  readonly when?: string | undefined;
}

/** What a product was computed on, and how that computes: measured of a device, claimed of anything else. */
export interface MachineFacts extends Computation {
  readonly fingerprint?: Fingerprint | undefined;
}

/** A product, and what it should have been. */
export interface Answer {
  readonly c: Matrix;
  readonly reference: Pick<Reference, 'value' | 'checked'>;
  /** In words: "3×4×5". */
  readonly shape: string;
}

/** Everything that is known of one product: what queries read. */
export interface Evidence extends Pick<Job, 'case' | 'plan' | 'operands'> {
  /** What was asked. */
  readonly gemm: Gemm;
  readonly claims: Claims & { readonly algorithm: string };
  readonly machine: MachineFacts;
  /** The leaf kernel of ours that ran; empty where none of ours did. */
  readonly leaf: string;
  /** The product, and the same once more where the case is multiplied again: the first that differs, if one does. */
  readonly outcomes: readonly [Product, Again?];
  readonly reference: Reference;
  /** Against the exact product of the stored operands, and against what their formula means: never mixed. */
  readonly errors: Measures;
  /** What coding the operands did, where they are coded. */
  readonly quantisation?: Quantisation | undefined;
  /** What its kernel answered before, where that is known. */
  readonly previous?: Answer | undefined;
  /** Mirror, bound and expected error of every compared entry; absent where the product is too large for them. */
  readonly analysis?: Analysis | undefined;
  /** Random signed sums of all entries, of a product that is too large to compare each; also where that was done then. */
  readonly projection?: Projection | undefined;
  /** How such a product is judged; absent where every entry is compared. */
  readonly judgedBy?: JudgedBy | undefined;
}

/** Whether a product claims to be classical: of no recombined blocks. */
export const isClassical = ({ claims, plan }: Pick<Evidence, 'claims' | 'plan'>): boolean =>
  claims.algorithm === 'classical' && plan.levels === 0;

/** What is needed to compare errors with their bounds and sigmas, entry by entry. */
export type Analysed = Pick<Evidence, 'gemm' | 'machine' | 'operands' | 'claims' | 'plan'> & {
  readonly outcomes: readonly [Pick<Product, 'c'>, ...unknown[]];
  readonly reference: Pick<Evidence['reference'], 'value' | 'low' | 'size' | 'at'>;
  readonly analysis: NonNullable<Evidence['analysis']>;
};
