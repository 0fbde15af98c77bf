// Kernels that `npx gemm-paranoia gate` judges.

/** @type {import('gemm-paranoia').Config} */
export default {
  kernels: ['{kernel}'],
};
