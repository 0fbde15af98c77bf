import type { Matrix } from '../../matrix/dense.ts';
import type { Evidence } from '../evidence.ts';
import { type Cause, scaledEntry, type WrongProductScene } from './cause.ts';
import { type CauseFamily, complexFamilies, families } from './causes.ts';
import { type ErrorScales, isRight, measureEvidence, pickEntries, SURE, scalesOf } from './evidence-for.ts';

/** A mistake that explains a wrong product. */
export interface LikelyCause {
  /** The mistake's name: `b-transposed`. */
  readonly cause: string;
  /** Description of the result, as a clause: "B was read as its transpose". */
  readonly says: string;
}

/** A prediction that explains every wrong entry that was compared. */
interface Match {
  readonly cause: string;
  readonly family: CauseFamily;
  readonly says: string;
  /** True if right entries are as predicted, too. */
  readonly isWhole: boolean;
  readonly isGuess: boolean;
}

/**
 * Compares a wrong product with the products that known mistakes would give.
 *
 * A mistake is named only if it explains every wrong entry that is compared. Where sums are exact, it must explain them exactly; elsewhere
 * up to rounding or a small part of each error. It must also fit better than chance does: see {@link SURE}. Of several mistakes, one that
 * also predicts the right entries comes first, then the first in order. Another that explains as much is named beside it.
 */
export function recognize(evidence: Evidence, wrong: Uint8Array): LikelyCause | undefined {
  const scene = sceneOf(evidence);
  const places = pickEntries(scene, wrong);
  if (places.wrong.length === 0) return undefined;
  const scales = scalesOf(scene, places.wrong);
  const known = evidence.gemm.complex === undefined ? families : complexFamilies;
  const matches = known.flatMap((family) =>
    family.causes.flatMap((cause) => matchesOf(cause, scales, places, family)),
  );
  const best = matches.find(({ isWhole }) => isWhole) ?? matches[0];
  if (best === undefined) return undefined;
  const { cause, family, isWhole } = best;
  const isTold = (one: Match) =>
    one.isWhole &&
    one.family !== family &&
    !one.isGuess &&
    (!family.isPlain || one.family.isBesidePlain === true);
  const others = isWhole ? matches.filter(isTold) : [];
  const or = others.length === 0 ? '' : `, or ${others[0].says}`;
  return { cause, says: `${isWhole ? '' : 'where entries are wrong, '}${best.says}${or}` };
}

type Places = ReturnType<typeof pickEntries>;

/** Returns the first prediction of a cause that holds; one that also predicts the right entries is preferred. */
function matchesOf(cause: Cause, scales: ErrorScales, places: Places, family: CauseFamily): Match[] {
  let [found, tried]: [Match | undefined, number] = [undefined, 0];
  for (const prediction of cause.predict(scales.scene)) {
    tried++;
    const bits = measureEvidence(prediction, scales, places.wrong);
    if (bits === undefined || bits < SURE + Math.log2(tried) + (prediction.price ?? 0)) continue;
    const isWhole = places.right.every((place) => isRight(prediction, scales, place));
    if (found !== undefined && !isWhole) continue;
    found = {
      cause: cause.name,
      family,
      says: prediction.says,
      isWhole,
      isGuess: prediction.isGuess === true,
    };
    if (isWhole) break;
  }
  return found === undefined ? [] : [found];
}

/** Returns the scene of a product; exact entries that no reference holds are summed in double on demand. */
function sceneOf(evidence: Evidence): WrongProductScene {
  const { gemm, operands, outcomes, reference } = evidence;
  const { m, k, n } = gemm;
  const { a, b, c } = operands;
  const at = (matrix: Matrix, rows: number) => (i: number, j: number, p: number) =>
    matrix.data[(matrix.rows > rows ? p * rows + i : i) * matrix.cols + j];
  const [atA, atB] = [at(a, m), at(b, k)];
  const atC = c === undefined ? () => Number.NaN : at(c, m);
  const product = (i: number, j: number, p: number) => {
    let sum = 0;
    for (let q = 0; q < k; q++) sum += atA(i, q, p) * atB(q, j, p);
    return sum;
  };
  const summed = scaledEntry(gemm, product, atC) as WrongProductScene['expected'];
  const isWhole = reference.checked === 1;
  return {
    ...{ evidence, gemm, a: atA, b: atB, c: atC },
    found: (i, j, p) => outcomes[0].c.data[(p * m + i) * n + j],
    low: isWhole ? reference.low : undefined,
    expected: isWhole ? (i, j, p) => reference.value[(p * m + i) * n + j] : summed,
  };
}
