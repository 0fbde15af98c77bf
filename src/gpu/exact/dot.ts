/** The sum of four products of packed signed digits: the device's, or by taking the bytes out. */
export const dotFunctions = {
  native: 'fn dot4(x: u32, y: u32) -> i32 { return dot4I8Packed(x, y); }',
  shifts: `fn dot4(x: u32, y: u32) -> i32 {
  let at = vec4<u32>(24u, 16u, 8u, 0u);
  return dot((vec4<i32>(i32(x)) << at) >> vec4<u32>(24u), (vec4<i32>(i32(y)) << at) >> vec4<u32>(24u));
}`,
} as const;

/** How a device multiplies packed digits. */
export type Dot = keyof typeof dotFunctions;

/** WGSL: adds the products of four places of A, in `x`, and four of B, in `y`, to the rows r of sums `c<r>_<v>`. */
export function dotRows(x: string, y: string, firstRow: number, column: number): string {
  return ['x', 'y', 'z', 'w']
    .map((c, r) => {
      const dots = ['x', 'y', 'z', 'w'].map((d) => `dot4(${x}.${c}, ${y}.${d})`).join(', ');
      return `c${firstRow + r}_${column} += vec4<i32>(${dots});`;
    })
    .join('\n      ');
}
