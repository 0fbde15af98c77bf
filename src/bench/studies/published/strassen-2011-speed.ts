/**
 * Li, Ranka, Sahni: Strassen's Matrix Multiplication on GPUs, Figures 24-29 and 36-42: the numbers as printed.
 * fixtures/published has what is said of them.
 */
export const strassen2011Speed = {
  fig24_seconds_C1060: {
    sizes: [2048, 4096, 8192, 16384],
    rows: [
      {
        algorithm: 'sgemm',
        values: [0.048, 0.373, 2.966, 23.699],
      },
      {
        algorithm: 'GPU8',
        values: [0.046, 0.361, 2.875, 22.971],
      },
      {
        algorithm: 'Strassen',
        tau2: 4096,
        values: [0.046, 0.329, 2.344, 16.561],
      },
      {
        algorithm: 'tStrassen',
        tau2: 2048,
        values: [0.044, 0.32, 2.276, 16.107],
      },
      {
        algorithm: 'Winograd',
        tau2: 4096,
        values: [0.046, 0.328, 2.329, 16.425],
      },
      {
        algorithm: 'tWinograd',
        tau2: 2048,
        values: [0.044, 0.318, 2.243, 15.846],
      },
    ],
  },
  fig36_seconds_byLevel_n16384_C1060: {
    levels: [0, 1, 2, 3, 4],
    Strassen: [22.971, 20.223, 18.025, 16.561, 16.855],
    tStrassen: [22.971, 20.167, 17.967, 16.374, 16.107],
    Winograd: [22.971, 20.208, 17.97, 16.425, 16.555],
    tWinograd: [22.971, 20.152, 17.902, 16.232, 15.846],
  },
  fig37_speedup_percent_n16384: {
    levels: [1, 2, 3, 4],
    over: ['sgemm', 'GPU8'],
    Strassen: [
      [14.7, 12.0],
      [23.9, 21.5],
      [30.1, 27.9],
      [28.9, 26.6],
    ],
    tStrassen: [
      [14.9, 12.2],
      [24.2, 21.8],
      [30.9, 28.7],
      [32.0, 29.9],
    ],
    Winograd: [
      [14.7, 12.0],
      [24.2, 21.8],
      [30.7, 28.5],
      [30.1, 27.9],
    ],
    tWinograd: [
      [15.0, 12.3],
      [24.5, 22.1],
      [31.5, 29.3],
      [33.1, 31.0],
    ],
  },
  fig40_f64_C2050_tau2_4096: {
    sizes: [4096, 8192],
    seconds: {
      dgemm: [0.456, 3.634],
      dStrassen: [0.404, 2.9],
      dWinograd: [0.402, 2.87],
    },
    speedup_percent: {
      dStrassen: [11.4, 20.2],
      dWinograd: [11.8, 21.0],
    },
  },
} as const;
