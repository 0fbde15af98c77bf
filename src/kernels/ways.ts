/** Properties by which the four ways of multiplying are recognized. */
export const ways = ['multiply', 'wgsl', 'encode', 'program'] as const;
