/**
 * Comparison of two approaches to matrix multiplication with borders on GPUs (padding against conditions in the kernel), 2013, section V: the numbers as printed.
 * fixtures/published has what is said of them.
 */
export const border2013 = {
  inner: [32, 64],
  improvement_percent_of_padding: [15.51, 10.24],
} as const;
