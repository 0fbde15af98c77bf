import { findLeaf } from '../gpu/wgsl/leaves/leaves.ts';
import { pathName, pathOfEntry } from '../plan/path.ts';
import { type LikelyCause, recognize } from './causes/recognize.ts';
import { placeText } from './compared.ts';
import { describeWrong } from './describe-wrong.ts';
import type { Evidence } from './evidence.ts';
import type { ReportedEntry } from './tally.ts';

export { describeWrong, recognize };

/** A diagnosis of a wrong product. */
export interface Diagnosis {
  /** A phrase for "wrong: …" that names the wrong entries; undefined where C has only one. */
  readonly where: string | undefined;
  /** Clauses on the worst entry, and on the likely mistake. */
  readonly clauses: readonly string[];
  /** The mistake that explains the product, where one does. */
  readonly looksLike?: LikelyCause;
}

/**
 * Says where the wrong entries are and, where it can tell, what the result looks like.
 * @param wrong marks the wrong entries, m·n, row-major, the products of a batch one below the other.
 */
export function diagnose(evidence: Evidence, wrong: Uint8Array): Diagnosis {
  const { worst } = evidence.errors.exact;
  const looksLike = recognize(evidence, wrong);
  const isOnly = wrong.length === 1;
  const at = worst === undefined ? -1 : worst.i * evidence.gemm.n + worst.j;
  const isSole = wrong.every((mark, entry) => (mark !== 0) === (entry === at));
  const clauses = [
    worst && (isSole ? describeValues(evidence, worst) : `worst at ${describeWorst(evidence, worst)}`),
    looksLike === undefined ? fewBits(evidence) : `likely mistake: ${looksLike.says}`,
  ].filter((clause) => clause !== undefined);
  const where = isOnly ? undefined : describeWrong(evidence, wrong, tileOf(evidence));
  return looksLike === undefined ? { where, clauses } : { where, clauses, looksLike };
}

/** Returns a square tile that wrong regions may follow. Tiles of external kernels are not known, and fused kernels have several. */
function tileOf({ leaf, plan }: Evidence): { tile?: number } {
  if (leaf === '' || plan.fused !== undefined) return {};
  const { tile } = findLeaf(leaf, plan.leaf);
  return tile.m === tile.n ? { tile: tile.m } : {};
}

function describeWorst(evidence: Evidence, worst: ReportedEntry): string {
  const { plan, gemm } = evidence;
  const { i: row, j } = worst;
  const { m, batch } = gemm;
  const i = row % m;
  const place = placeText(gemm, i, j);
  const product = batch === 1 ? '' : ` of product ${Math.floor(row / m)}`;
  const where = product + (plan.levels === 0 ? '' : ` in ${pathName(pathOfEntry(i, j, plan))}`);
  return `${place}${where}: ${describeValues(evidence, worst)}`;
}

function describeValues({ machine }: Evidence, { computed, expected }: ReportedEntry): string {
  const { precision, round } = machine.precision.d;
  // Enough digits to tell two numbers of the format apart.
  const shown = (x: number) => Number(x.toPrecision(precision <= 24 ? 9 : 17));
  return `found ${shown(computed)}, expected ${shown(round(expected))}`;
}

/** Describes the number of significant bits of a product, where they are too few for its precision and no mistake explains them. */
export function fewBits({
  errors,
  machine,
  gemm: { m, k, n, batch },
}: Pick<Evidence, 'errors' | 'machine' | 'gemm'>): string | undefined {
  const { multiplied, name } = machine.precision;
  const { bits, disagreements, max, mean } = errors.exact;
  // Narrow sums make most entries inexact. A few wrong entries among many good ones have another cause, and few entries may lack terms.
  if (
    disagreements > 0 ||
    (k > 1 && m * n * batch < FEW_ENTRIES) ||
    mean < max / FROM_MEAN ||
    !(bits >= FEWEST_BITS && bits < multiplied.precision - BITS_LOST)
  )
    return undefined;
  return `likely mistake: some operation is less precise than ${name}: ${bits.toFixed(1)} of ${multiplied.precision} bits are right (${keeping(multiplied.precision)})`;
}

/** Largest error in multiples of the mean error, up to which most entries have errors of a similar size. */
const FROM_MEAN = 64;

/** Entries up to which lost terms look like rounding. */
const FEW_ENTRIES = 16;

/** Below this many bits a result is wrong rather than imprecise. */
const FEWEST_BITS = 6;
/** Unless they are very long, honest products lose fewer bits of their format than this. */
const BITS_LOST = 9;

/** Lists the significant bits of narrower formats: "tf32 and f16 give 11, bf16 gives 8". It has no semicolon, which would end its clause. */
function keeping(precision: number): string {
  const f32 = precision > 24 ? 'f32 gives 24, ' : '';
  return `${f32}tf32 and f16 give 11, bf16 gives 8`;
}
