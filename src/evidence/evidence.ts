import type { PartCounts } from '../exact/parts.ts';
import type { Fingerprint } from '../gpu/device.ts';
import type { Product } from '../gpu/runner/product.ts';
import type { InputFamily, InputPair } from '../inputs/input.ts';
import type { Claims } from '../kernels/claims.ts';
import type { Kernel, KernelJob } from '../kernels/kernel.ts';
import type { Matrix } from '../matrix/dense.ts';
import type { Gemm } from '../matrix/gemm.ts';
import type { StackedOperands } from '../matrix/members.ts';
import type { Computation } from '../precision/precision.ts';
import type { Case } from '../problem/case.ts';
import type { Analysis, QuantizationDoubts } from '../readers/analysis.ts';
import { formatCount } from '../report/numbers.ts';
import type { CheckResult, Verdict } from './case-result.ts';
import type { Reference } from './compared.ts';
import type { Measures } from './measures.ts';
import type { Projection } from './projection.ts';
import type { QuantizationErrors } from './quantization.ts';

/**
 * The operands of a product, with the known facts about them; for a user's own matrices only the entries are known. Those of a batch lie
 * one below the other.
 */
export interface KnownOperands
  extends StackedOperands,
    Pick<InputPair, 'ideal' | 'uncoded'>,
    Partial<Pick<InputPair, 'hasSpecials' | 'hasSubnormals'>> {
  /** The family from which they were drawn. */
  readonly family?: InputFamily;
  /** True if alpha, beta and coding leave every sum exact that is exact for the family. @defaultValue true */
  readonly staysExact?: boolean;
  /** The errors that the claimed quantization of an operand leaves open. @defaultValue none */
  readonly doubts?: QuantizationDoubts | undefined;
  /** The seed of random choices about them, such as which entries are sampled. @defaultValue 1 */
  readonly seed?: number;
}

/** A product to be computed and compared. */
export interface ProductJob extends KernelJob {
  /** Undefined for operands that no case describes. */
  readonly case?: Case;
  readonly operands: KnownOperands;
}

/** The parts of a job that are needed to weigh a product computed elsewhere. */
export interface WeighingInput extends Pick<ProductJob, 'case' | 'plan' | 'operands' | 'gemm'> {
  readonly kernel: Pick<Kernel, 'algorithm' | 'claims' | 'diagonal' | 'followsPlan' | 'leaf' | 'leafOf'> &
    Computation;
}

/** A repetition of a product. */
export interface RepeatedProduct extends Product {
  /** The calls between it and the first product, or beside it, as in "after a product of 3×4×5". @defaultValue none */
  readonly when?: string | undefined;
}

/** The machine of a product, and its arithmetic: measured for a device, claimed for anything else. */
export interface MachineFacts extends Computation {
  readonly fingerprint?: Fingerprint | undefined;
}

/** A product with its exact values. */
export interface ReferencedProduct {
  readonly c: Matrix;
  readonly reference: Pick<Reference, 'value' | 'checked'>;
  /** The shape in words: "3×4×5". */
  readonly shape: string;
}

/** All known facts about one product, which queries read. */
export interface Evidence extends Pick<ProductJob, 'case' | 'plan' | 'operands'> {
  /** The requested product. */
  readonly gemm: Gemm;
  readonly claims: Claims & { readonly algorithm: string };
  readonly machine: MachineFacts;
  /** The built-in leaf kernel that ran; empty for an external kernel. */
  readonly leaf: string;
  /** The product, and its repetition where the case is multiplied again: the first one that differs, if any. */
  readonly outcomes: readonly [Product, RepeatedProduct?];
  readonly reference: Reference;
  /** Errors against the exact product of the stored operands, and against the product that their formula means; the two are never mixed. */
  readonly errors: Measures;
  /** Errors due to coding, where operands are coded. */
  readonly quantization?: QuantizationErrors | undefined;
  /** The kernel's previous answer, where that is known. */
  readonly previous?: ReferencedProduct | undefined;
  /** Model, bound and expected error of every compared entry; absent where the product is too large for them. */
  readonly analysis?: Analysis | undefined;
  /** Random signed sums of all entries, for a product too large to compare each; kept where every entry was then compared. */
  readonly projection?: Projection | undefined;
  /** The judgment of D behind an epilogue, which every other comparison of entries then leaves to it. */
  readonly epilogue?: EpilogueVerdict | undefined;
  /** Evidence by which such a product is judged; absent where every entry is compared. */
  readonly judgedBy?: JudgmentBasis | undefined;
}

/** True if a product claims to be classical: no blocks are recombined. */
export const isClassical = ({ claims, plan }: Pick<Evidence, 'claims' | 'plan'>): boolean =>
  claims.algorithm === 'classical' && plan.levels === 0;

/** The facts needed to compare errors with their bounds and sigmas, entry by entry. */
export type AnalysisInput = Pick<Evidence, 'gemm' | 'machine' | 'operands' | 'claims' | 'plan'> & {
  readonly outcomes: readonly [Pick<Product, 'c'>, ...unknown[]];
  readonly reference: Pick<Evidence['reference'], 'value' | 'low' | 'size' | 'at'>;
  readonly analysis: NonNullable<Evidence['analysis']>;
};

/** True if model, bounds and expected errors of the product are known. */
export const isAnalyzed = (evidence: Evidence): evidence is Evidence & AnalysisInput =>
  evidence.analysis !== undefined;

export interface EpilogueVerdict {
  readonly verdict: Verdict;
  /** One or two sentences. */
  readonly reason: string;
  /** Marks the wrong entries of D. */
  readonly wrong: Uint8Array;
  readonly count: number;
  /** The largest error as a share of what is allowed; infinite for a wrong entry without a finite error. */
  readonly used: number;
  /** Compared entries whose exact value is NaN or infinite. */
  readonly special: number;
  readonly looksLike?: CheckResult['looksLike'];
}

/** Evidence for a product that is not compared entry by entry. */
interface JudgmentBasis extends PartCounts {
  /** Number of signed sums, of blocks of rows and of columns. */
  readonly projections: number;
}

/** Describes the evidence for a product, as the end of a sentence; empty where every entry was compared. */
export function judgedText(judgedBy: JudgmentBasis | undefined): string {
  if (judgedBy === undefined) return '';
  const { projections, rows, cols, tiles, entries } = judgedBy;
  const lines = [formatCount(rows, 'row'), formatCount(cols, 'column'), formatCount(tiles, 'tile')].join(
    ', ',
  );
  return `; judged by ${formatCount(projections, 'projection')} of all entries and exactly in ${lines} and ${entries} ${entries === 1 ? 'entry' : 'entries'}`;
}
