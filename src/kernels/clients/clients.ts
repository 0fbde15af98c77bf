import type { Client } from './client.ts';
import { gpuJsClients } from './gpu-js.ts';
import { jaxJsClients } from './jax-js.ts';
import { onnxRuntimeClients } from './onnxruntime.ts';
import { tfjsClients } from './tfjs.ts';

/** Libraries of npm's, each in the ways it multiplies. */
export const clients: readonly Client[] = [
  ...tfjsClients,
  ...onnxRuntimeClients,
  ...jaxJsClients,
  ...gpuJsClients,
];
