/**
 * Dobravec, Bulic: Comparing CPU and GPU Implementations of a Simple Matrix Multiplication Algorithm (2017), Tables 1 and 2: the numbers as printed.
 * fixtures/published has what is said of them.
 */
export const dobravec2017 = {
  table1_milliseconds: {
    sizes: [80, 160, 240, 320, 400, 480, 560, 640, 720, 800],
    MulH: [1, 10, 34, 85, 156, 290, 576, 895, 1450, 2169],
    MulDG: [0, 5, 13, 37, 65, 127, 182, 302, 398, 598],
    MulDS: [0, 2, 8, 18, 35, 60, 95, 142, 201, 275],
  },
  table2_milliseconds_n512: {
    threads: [1, 4, 16, 64, 256],
    MulDS: [11149, 1531, 278, 110, 83],
    MulH: 357,
  },
} as const;
