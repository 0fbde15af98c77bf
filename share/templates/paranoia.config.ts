// What is judged by: npx gemm-paranoia gate
import { defineConfig } from 'gemm-paranoia';

export default defineConfig({
  kernels: ['{kernel}'],
});
