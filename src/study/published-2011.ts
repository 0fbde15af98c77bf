/**
 * The tables of Li, Ranka and Sahni, "Strassen's Matrix Multiplication on GPUs" (2011), as printed: Figures 14, 15,
 * 17–22 (counts) and 30–32, 34, 43, 44 (errors).
 */
export const published2011 = {
  fig30_maxError_f32: {
    sizes: [2048, 4096, 8192, 16384],
    rows: [
      { algorithm: 'classical-cpu', values: [7.9e-5, 1.6e-4, 2.3e-4, 3.9e-4] },
      { algorithm: 'sgemm (CUBLAS 3.0)', values: [8.1e-5, 1.6e-4, 2.4e-4, 3.9e-4] },
      { algorithm: 'GPU8', values: [8.1e-5, 1.6e-4, 2.4e-4, 3.9e-4] },
      { algorithm: 'strassen', tau2: 2048, values: [2.4e-4, 6.7e-4, 8.8e-3, 8.3e-2] },
      { algorithm: 'strassen', tau2: 4096, values: [8.1e-5, 3.4e-4, 1.5e-3, 5.8e-2] },
      { algorithm: 'winograd', tau2: 2048, values: [2.5e-4, 1.9e-3, 2.9e-2, 6.3e-1] },
      { algorithm: 'winograd', tau2: 4096, values: [8.1e-5, 5.0e-4, 3.6e-3, 1.6e-1] },
    ],
  },
  fig31_meanError_f32: {
    sizes: [2048, 4096, 8192, 16384],
    rows: [
      { algorithm: 'classical-cpu', values: [6.6e-8, 5.5e-8, 4.7e-8, 3.3e-8] },
      { algorithm: 'sgemm (CUBLAS 3.0)', values: [6.6e-8, 5.6e-8, 4.7e-8, 3.3e-8] },
      { algorithm: 'GPU8', values: [6.6e-8, 5.6e-8, 4.7e-8, 3.3e-8] },
      { algorithm: 'strassen', tau2: 2048, values: [2.1e-7, 4.6e-7, 1.4e-6, 1.4e-5] },
      { algorithm: 'strassen', tau2: 4096, values: [6.6e-8, 1.7e-7, 3.9e-7, 2.9e-6] },
      { algorithm: 'winograd', tau2: 2048, values: [2.8e-7, 1.3e-6, 1.2e-5, 1.7e-4] },
      { algorithm: 'winograd', tau2: 4096, values: [6.6e-8, 2.8e-7, 1.2e-6, 3.2e-5] },
    ],
  },
  fig32_maxError_byLevel_n16384_f32: {
    levels: [0, 1, 2, 3, 4],
    strassen: [3.9e-4, 3.3e-3, 3.1e-2, 5.8e-2, 8.3e-2],
    winograd: [3.9e-4, 1.4e-3, 9.7e-3, 1.6e-1, 6.3e-1],
  },
  fig34_meanError_byLevel_n16384_f32: {
    levels: [0, 1, 2, 3, 4],
    strassen: [6.6e-8, 1.1e-7, 4.4e-7, 2.9e-6, 1.4e-5],
    winograd: [6.6e-8, 1.9e-7, 1.6e-6, 3.2e-5, 1.7e-4],
  },
  fig43_f64_n8192_tau2_4096: {
    columns: ['classical-cpu', 'dgemm', 'dStrassen', 'dWinograd'],
    max: [6.5e-13, 6.5e-13, 4.3e-12, 7.5e-12],
    mean: [1.2e-16, 1.2e-16, 1.3e-15, 3.1e-15],
  },
  fig44_f64_n8192_tau2_4096_random: {
    columns: ['dgemm', 'dStrassen', 'dWinograd'],
    max: [8.9e-16, 3.5e-14, 1.4e-14],
    mean: [5.3e-17, 3.0e-15, 1.8e-15],
  },
  fig14_oneLevel: {
    classical: {
      arithmetics: '2n^3 - n^2',
      transactions: '17n^3/4096 + n^2/16',
      volume: '9n^3/32 + 4n^2',
    },
    strassen: {
      arithmetics: '7n^3/4 + 11n^2/4',
      transactions: '119n^3/32768 + 35n^2/64',
      volume: '63n^3/256 + 50n^2',
    },
    winograd: {
      arithmetics: '7n^3/4 + 2n^2',
      transactions: '119n^3/32768 + 29n^2/64',
      volume: '63n^3/256 + 41n^2',
    },
  },
  fig17_twoLevel: {
    strassen: {
      arithmetics: '49n^3/32 + 149n^2/16',
      transactions: '833n^3/262144 + 347n^2/256',
      volume: '441n^3/2048 + 277n^2/2',
    },
    winograd: {
      arithmetics: '49n^3/32 + 29n^2/4',
      transactions: '833n^3/262144 + 285n^2/256',
      volume: '441n^3/2048 + 451n^2/4',
    },
  },
  fig18_threeLevel: {
    strassen: {
      arithmetics: '343n^3/256 + 1331n^2/64',
      transactions: '5831n^3/2097152 + 2837n^2/1024',
      volume: '3087n^3/16384 + 2347n^2/8',
    },
    winograd: {
      arithmetics: '343n^3/256 + 263n^2/16',
      transactions: '5831n^3/2097152 + 2323n^2/1024',
      volume: '3087n^3/16384 + 3813n^2/16',
    },
  },
  fig19_fourLevel: {
    strassen: {
      arithmetics: '2401n^3/2048 + 10469n^2/256',
      transactions: '40817n^3/16777216 + 21491n^2/4096',
      volume: '21609n^3/131072 + 18061n^2/32',
    },
    winograd: {
      arithmetics: '2401n^3/2048 + 2081n^2/64',
      transactions: '40817n^3/16777216 + 17573n^2/4096',
      volume: '21609n^3/131072 + 29315n^2/64',
    },
  },
  percentReductionVsClassical: {
    oneLevel_fig15: {
      4096: { strassen: [12.5, 9.6, 8.5], winograd: [12.5, 10.2, 9.3] },
      8192: { strassen: [12.5, 11.1, 10.5], winograd: [12.5, 11.3, 10.9] },
      16384: { strassen: [12.5, 11.8, 11.5], winograd: [12.5, 11.9, 11.7] },
    },
    twoLevel_fig20: {
      4096: { strassen: [23.3, 15.8, 11.7], winograd: [23.3, 17.2, 13.9] },
      8192: { strassen: [23.4, 19.6, 17.6], winograd: [23.4, 20.3, 18.7] },
      16384: { strassen: [23.4, 21.5, 20.5], winograd: [23.4, 21.9, 21.1] },
    },
    threeLevel_fig21: {
      4096: { strassen: [32.7, 17.0, 7.9], winograd: [32.8, 20.0, 12.6] },
      8192: { strassen: [32.9, 25.0, 20.4], winograd: [32.9, 26.5, 22.8] },
      16384: { strassen: [32.9, 29.0, 26.7], winograd: [33.0, 29.7, 27.9] },
    },
    fourLevel_fig22: {
      4096: { strassen: [40.9, 10.8, -7.2], winograd: [41.0, 16.5, 2.0] },
      8192: { strassen: [41.1, 26.1, 17.0], winograd: [41.2, 28.9, 21.6] },
      16384: { strassen: [41.3, 33.7, 29.2], winograd: [41.3, 35.1, 31.5] },
    },
    columns: ['arithmetics', 'transactions', 'volume'],
  },
} as const;
