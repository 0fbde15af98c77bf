const number = new Float32Array(1);
const word = new Uint32Array(number.buffer);

/** Half-way beyond: what is as large as this is infinite, however it is rounded. */
const BEYOND = 2 ** 128;

/**
 * A double, cut off toward zero at binary32, and at so many of its last bits less: units that sum in 14 bits leave the last ten zero.
 * What does not fit is infinite, though IEEE 754 would make it the largest number.
 */
export function cutTo32(fewer = 0): (x: number) => number {
  const kept = (0xffffffff << fewer) >>> 0;
  return (x) => {
    const size = Math.abs(x);
    if (!(size < BEYOND)) return x * Number.POSITIVE_INFINITY;
    number[0] = size;
    if (number[0] > size) word[0]--;
    word[0] &= kept;
    return x < 0 ? -number[0] : number[0];
  };
}
