/** How the digits of a panel are laid out: of place p, word w and slice s at s·sliceStride + p·placeStride + w·wordStride. */
export interface DigitLayout {
  readonly sliceStride: number;
  readonly placeStride: number;
  readonly wordStride: number;
}

/**
 * A way to multiply slices by slices. Its shader has the bindings 0: {@link multiplyParams}, 1 and 2: the digits of A and B,
 * 3: the slices of each block of places of A, then of B, 4: the sums, of which it adds to those of a diagonal. Block (x, y) of the
 * sums, `block` places square, is that of workgroup (x, y), counted from `firstBlock` down.
 */
export interface Multiplier {
  readonly name: string;
  /** What a person reads in a report. */
  readonly what: string;
  /** Places of A and of B that a workgroup multiplies. */
  readonly block: number;
  /** Packed words of four digits along k that it takes at a time: panels are padded to a multiple. */
  readonly step: number;
  /** How it wants digits. */
  layout(places: number, words: number): DigitLayout;
  /** @param words of a sum. */
  shader(words: number): string;
}

/** The uniform of a multiplier's shader. */
export const multiplyParams = `struct Params { words: u32, placesA: u32, placesB: u32, diagonal: u32, begin: u32, end: u32, firstBlock: u32, planeStride: u32, blocksA: u32, usedA: u32, usedB: u32 }
@group(0) @binding(0) var<uniform> params: Params;`;

/** WGSL: the first and the last slice of A that meets a slice of B on the diagonal, of a workgroup's block. */
export const pairsOfBlock = `  let slicesA = counts[params.firstBlock + group.y];
  let slicesB = counts[params.blocksA + group.x];
  if (params.diagonal + 2u > slicesA + slicesB) { return; }
  let firstSlice = params.diagonal - min(params.diagonal, slicesB - 1u);
  let lastSlice = min(params.diagonal, slicesA - 1u);`;

/** Digits along a word of places: what neighbouring invocations read lies together. */
export const acrossPlaces = (places: number, words: number): DigitLayout => ({
  sliceStride: places * words,
  placeStride: 1,
  wordStride: places,
});
