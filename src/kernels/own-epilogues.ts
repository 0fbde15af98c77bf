/** Epilogues of built-in kernels: every step that these compute, and numbers in every place. */
export const ownEpilogues: readonly string[] = [
  'bias:row,relu',
  'bias:column,gelu-tanh:wgsl',
  'scale:row,residual,silu:wgsl',
  'scale:column,bias:scalar,leaky-relu:any',
  'residual,tanh:wgsl,clamp',
  'squared-relu,scale:scalar,sigmoid:wgsl',
  'bias:row,requantize:int8:row:any',
  'relu,requantize:uint8',
];
