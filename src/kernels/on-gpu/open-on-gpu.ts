/** Functions that open kernels on the device, in one part to load. */
export { openEncodeKernel } from './encode-kernel.ts';
export { openWgslKernel } from './wgsl-kernel.ts';
