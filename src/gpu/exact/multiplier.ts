/** The layout of a panel's digits: place p, word w and slice s is at s·sliceStride + p·placeStride + w·wordStride. */
export interface DigitLayout {
  readonly sliceStride: number;
  readonly placeStride: number;
  readonly wordStride: number;
}

/**
 * A way to multiply slices by slices. Its shader has the bindings 0: {@link multiplyParams}; 1 and 2: the digits of A and B; 3: the slices
 * of each block of places of A, then of B; 4: the sums. The shader adds to the sums of one diagonal. Workgroup (x, y) computes block (x,
 * `firstBlock` + y) of the sums, `block` places square.
 */
export interface Multiplier {
  readonly name: string;
  /** A description for reports. */
  readonly what: string;
  /** The places of A, and of B, that a workgroup multiplies. */
  readonly block: number;
  /** The packed words of four digits along k that are multiplied at a time. Panels are padded to a multiple. */
  readonly step: number;
  /** Returns the layout of digits that the shader reads. */
  layout(places: number, words: number): DigitLayout;
  /** Returns the shader's WGSL. @param words the words of a sum. */
  shader(words: number): string;
}

/** The uniform of a multiplier's shader. */
export const multiplyParams = `struct Params { words: u32, placesA: u32, placesB: u32, diagonal: u32, begin: u32, end: u32, firstBlock: u32, planeStride: u32, blocksA: u32, usedA: u32, usedB: u32 }
@group(0) @binding(0) var<uniform> params: Params;`;

/** WGSL that finds, for a workgroup's block, the first and the last slice of A that pair with a slice of B on the diagonal. */
export const pairsOfBlock = `  let slicesA = counts[params.firstBlock + group.y];
  let slicesB = counts[params.blocksA + group.x];
  if (params.diagonal + 2u > slicesA + slicesB) { return; }
  let firstSlice = params.diagonal - min(params.diagonal, slicesB - 1u);
  let lastSlice = min(params.diagonal, slicesA - 1u);`;

/** Returns the layout with neighboring places side by side, so that neighboring invocations read adjacent words. */
export const layOutAcrossPlaces = (places: number, words: number): DigitLayout => ({
  sliceStride: places * words,
  placeStride: 1,
  wordStride: places,
});
