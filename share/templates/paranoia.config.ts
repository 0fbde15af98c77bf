// Kernels that `npx gemm-paranoia gate` judges.
import { defineConfig } from 'gemm-paranoia';

export default defineConfig({
  kernels: ['{kernel}'],
});
