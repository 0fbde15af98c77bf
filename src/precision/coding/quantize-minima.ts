import { exponentOf } from '../../base/binary64.ts';
import { type Coding, listBlocks, type Region, scaleAt } from './coding.ts';
import {
  type CodingState,
  type Exponents,
  exactPowers,
  intersectRanges,
  leastFactorOf,
  pickExponent,
  powersOf,
  readBlockValues,
} from './factors.ts';
import { elementsOf } from './fill.ts';

/** A block with its numbers, and the step and minimum by which they become elements. */
interface BlockToCode {
  readonly region: Region;
  readonly values: Float64Array;
  /** The least number and 0, the greatest number, both within the reach of the coding. */
  readonly least: number;
  readonly most: number;
}

/** The whole numbers of a block: it is coded as element · scale · step − minimum · least step. */
interface BlockCodes {
  readonly scale: number;
  readonly minimum: number;
  readonly elements: ArrayLike<number>;
}

/**
 * Codes a superblock as elements times factors less minima. Both factors of the superblock are powers of two where that codes all its
 * numbers exactly. Otherwise they map the widest block to the largest scale, and the least number to the largest minimum: as in llama.cpp,
 * except that the ends of a block keep their elements, so that coding what is decoded changes nothing.
 * @throws ParanoiaError `not-stored` for NaN and infinities
 */
export function quantizeSuperblock(work: CodingState, superblock: Region): void {
  const { coding, made, lying } = work;
  const [inner, lower, outer, outerLower] = coding.scales;
  const reach = inner.format.maxFinite * outer.format.maxFinite;
  const refuse = elementsOf(coding.element, { factor: 1 });
  const blocks = [...listBlocks(superblock, inner)].map((region): BlockToCode => {
    const given = readBlockValues(work, region);
    for (const x of given) if (!Number.isFinite(x)) refuse(x);
    const least = Math.max(-reach, Math.min(0, ...given));
    const most = Math.min(least + coding.element.maxFinite * reach, Math.max(...given));
    const values = given.map((x) => Math.min(most, Math.max(least, x)));
    return { region, values, least, most };
  });
  const { step, lowerStep, codes } = exactly(work, blocks) ?? byRecipe(coding, blocks);
  made.scales[2].data[scaleAt(superblock, outer, made.scales[2])] = step;
  made.scales[3].data[scaleAt(superblock, outerLower, made.scales[3])] = lowerStep;
  for (const [at, { region }] of blocks.entries()) {
    const { scale, minimum, elements } = codes[at];
    made.scales[0].data[scaleAt(region, inner, made.scales[0])] = scale;
    made.scales[1].data[scaleAt(region, lower, made.scales[1])] = minimum;
    let e = 0;
    for (let line = region.lines[0]; line < region.lines[1]; line++) {
      for (let entry = region.entries[0]; entry < region.entries[1]; entry++)
        made.elements.data[lying.at(line, entry)] = elements[e++];
    }
  }
}

/** A superblock as whole numbers and its two factors. */
interface SuperblockCodes {
  readonly step: number;
  readonly lowerStep: number;
  readonly codes: readonly BlockCodes[];
}

/** Codes blocks exactly, by powers of two that lie within the reach of scales and minima; undefined where there are none. */
function exactly(
  { coding, random }: CodingState,
  blocks: readonly BlockToCode[],
): SuperblockCodes | undefined {
  const { element, scales } = coding;
  // A minimum is the zero point times the power of its block: it must not exceed its format.
  const spread = exponentOf(scales[1].format.maxFinite / element.maxFinite);
  const powers = blocks.map(({ values }) => exactPowers(values, { ...coding, zero: element }));
  const reached = powers.reduce<Exponents | undefined>(
    (all, own) => all && own && intersectRanges(all, { least: own.least - spread, most: own.most }),
    powersOf(scales[2].format),
  );
  const exponent = reached && pickExponent(reached, powersOf(scales[2].format), random);
  if (exponent === undefined) return undefined;
  const codes = blocks.map(({ values, least, most }, at): BlockCodes => {
    const within = { least: exponent, most: exponent + spread };
    const own = pickExponent(intersectRanges(powers[at] as Exponents, within), within, random) as number;
    const [unit, scale] = [2 ** own, 2 ** (own - exponent)];
    const [low, high] = [Math.max(0, -least / unit), element.maxFinite - Math.max(0, most) / unit];
    const zero = random === undefined ? low : random.int(low, high);
    return { scale, minimum: zero * scale, elements: values.map((x) => x / unit + zero) };
  });
  return { step: 2 ** exponent, lowerStep: 2 ** exponent, codes };
}

function byRecipe({ element, scales }: Coding, blocks: readonly BlockToCode[]): SuperblockCodes {
  const [{ format }, , outer] = scales;
  const widths = blocks.map(({ least, most }) => (most - least) / element.maxFinite);
  const factor = (largest: number) =>
    largest === 0
      ? 1
      : outer.format.round(
          Math.min(outer.format.maxFinite, Math.max(leastFactorOf(outer.format), largest / format.maxFinite)),
        );
  const step = factor(Math.max(...widths));
  const lowerStep = factor(-Math.min(...blocks.map(({ least }) => least)));
  const codes = blocks.map(({ values, least, most }, at): BlockCodes => {
    const whole = (x: number) => Math.min(format.maxFinite, Math.round(x));
    const [scale, minimum] = [Math.max(1, whole(widths[at] / step)), whole(-least / lowerStep)];
    const unit = scale * step;
    // A block narrower than the smallest scale has no element at its upper end.
    const isFull = widths[at] >= step;
    const elements = values.map((x) => {
      if (least < 0 && x === least) return 0;
      if (isFull && x === most) return element.maxFinite;
      return Math.min(element.maxFinite, Math.max(0, Math.round((x + minimum * lowerStep) / unit)));
    });
    return { scale, minimum, elements };
  });
  return { step, lowerStep, codes };
}
