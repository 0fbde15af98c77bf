// What is judged by: npx gemm-paranoia gate

/** @type {import('gemm-paranoia').Config} */
export default {
  kernels: ['{kernel}'],
};
