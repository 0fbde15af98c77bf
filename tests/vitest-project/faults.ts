import { defineKernel } from 'gemm-paranoia';
import { multiply } from './multiply.ts';

export const wrongSign = defineKernel({
  name: 'wrong-sign',
  multiply: (a, b, call) => multiply(a, b, call).map((x) => -x),
});
