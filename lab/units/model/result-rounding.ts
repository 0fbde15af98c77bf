const number = new Float32Array(1);
const word = new Uint32Array(number.buffer);

/** The overflow threshold: larger numbers become infinite under any rounding. */
const BEYOND = 2 ** 128;

/**
 * Truncates a double toward zero to binary32, less so many of its last bits: units that sum in 14 bits leave the last ten zero.
 * Overflow gives infinity, where IEEE 754 would give the largest finite number.
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
