/** One entry of the product, as a failure message shows it. Indices count from 0. */
export interface ReportedEntry {
  readonly i: number;
  readonly j: number;
  readonly computed: number;
  readonly expected: number;
  /** |computed − expected|; Infinity where one of them is not finite and the other differs. */
  readonly error: number;
}

/** The measures of one comparison of m×n results; `u` is the unit roundoff. */
export interface ErrorMeasures {
  /** Number of entries compared. 0 means that no entry was measured, not that all are right. */
  readonly entries: number;
  /** max |Ĉ − C|: Figures 30–33 of the 2011 paper. */
  readonly max: number;
  /** mean |Ĉ − C| over all entries: its Figures 31, 34, 35. */
  readonly mean: number;
  /** max over the mean of |C|, finite entries only: its Figure 44. Infinity for an error where C is zero. */
  readonly normalizedMax: number;
  /** mean over the mean of |C|. */
  readonly normalizedMean: number;
  /** max |Ĉ − C|_ij / (u·(|A||B|)_ij): LAPACK's dblat3 ratio; Higham, ASNA, (3.13) bounds it by about k. */
  readonly componentwise: number;
  /** max |Ĉ − C| / (u·max|A|·max|B|): the left of Higham's (23.14) for Strassen's method. */
  readonly normwise: number;
  /** ‖Ĉ − C‖_F / (u·‖A‖_F·‖B‖_F). */
  readonly frobenius: number;
  /**
   * −log2 of max |Ĉ − C|_ij / (|A||B|)_ij, from 0 to {@link BITS_CAP}: the significand bits that the product shows. A "binary32" product
   * computed in tf32 shows about 11.
   */
  readonly bits: number;
  /** Entries that differ from their expected values, however little; +0 and −0 are the same. */
  readonly unequal: number;
  /**
   * Entries where one of computed and expected is NaN or infinite and the other is not the same. Their error is
   * infinite. An infinity is right where the expected value rounds to it in the format of the result.
   */
  readonly disagreements: number;
  /** Entries where both are the same NaN or infinity: they have no error to measure. */
  readonly agreements: number;
  /** The entry of the largest error; undefined when there is no error. */
  readonly worst: ReportedEntry | undefined;
  /** The entry of the largest componentwise ratio; undefined when there is no error. */
  readonly worstComponent: ReportedEntry | undefined;
}

/** `bits` of an exact product. */
export const BITS_CAP = 53;

export interface RatioDenominators {
  /** Unit roundoff of the format that the kernel claims. */
  readonly u: number;
  /** max|A|·max|B|. */
  readonly maxProduct: number;
  /** ‖A‖_F·‖B‖_F. */
  readonly frobeniusProduct: number;
}

/** Collector of the measures of one comparison, entry by entry. */
export class ErrorTally {
  readonly #scales: RatioDenominators;
  readonly #round: (x: number) => number;
  #entries = 0;
  #sum = 0;
  #squares = 0;
  #sumAbs = 0;
  #finite = 0;
  #unequal = 0;
  #disagreements = 0;
  #agreements = 0;
  #max = 0;
  #maxRatio = 0;
  #worst: ReportedEntry | undefined;
  #worstComponent: ReportedEntry | undefined;

  /** Starts a tally. `round` rounds to the format of the result: it decides where an infinity is the right answer. */
  constructor(scales: RatioDenominators, round: (x: number) => number) {
    this.#scales = scales;
    this.#round = round;
  }

  /** Adds entry (i, j); the expected value is `expected + low`, `size` is its (|A||B|)_ij. */
  add(i: number, j: number, computed: number, expected: number, low: number, size: number): void {
    this.#entries++;
    const error = this.#error(computed, expected, low);
    if (Number.isFinite(expected)) {
      this.#finite++;
      this.#sumAbs += Math.abs(expected);
    }
    if (error === 0) return;
    this.#unequal++;
    this.#sum += error;
    this.#squares += error * error;
    if (error > this.#max) {
      this.#max = error;
      this.#worst = { i, j, computed, expected, error };
    }
    const ratio = over(error, size);
    if (ratio > this.#maxRatio) {
      this.#maxRatio = ratio;
      this.#worstComponent = { i, j, computed, expected, error };
    }
  }

  measures(): ErrorMeasures {
    const { u, maxProduct, frobeniusProduct } = this.#scales;
    const mean = this.#entries === 0 ? 0 : this.#sum / this.#entries;
    const meanAbs = this.#finite === 0 ? 0 : this.#sumAbs / this.#finite;
    return {
      entries: this.#entries,
      max: this.#max,
      mean,
      normalizedMax: over(this.#max, meanAbs),
      normalizedMean: over(mean, meanAbs),
      componentwise: this.#maxRatio / u,
      normwise: over(this.#max, maxProduct) / u,
      frobenius: over(Math.sqrt(this.#squares), frobeniusProduct) / u,
      bits: Math.min(BITS_CAP, Math.max(0, -Math.log2(this.#maxRatio))),
      unequal: this.#unequal,
      disagreements: this.#disagreements,
      agreements: this.#agreements,
      worst: this.#worst,
      worstComponent: this.#worstComponent,
    };
  }

  #error(computed: number, expected: number, low: number): number {
    const difference = computed - expected - low;
    if (Number.isFinite(difference)) return Math.abs(difference);
    if (Object.is(computed, expected) || Object.is(computed, this.#round(expected))) {
      this.#agreements++;
      return 0;
    }
    if (!Number.isFinite(computed) || !Number.isFinite(expected)) this.#disagreements++;
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * Returns error / size, where 0/0 is 0, and an error over 0, over NaN, or infinite over infinite is Infinity. It is never NaN, which would
 * pass every comparison with a bound.
 */
function over(error: number, size: number): number {
  if (error === 0) return 0;
  const ratio = error / size;
  return Number.isNaN(ratio) ? Number.POSITIVE_INFINITY : ratio;
}
