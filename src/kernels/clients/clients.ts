import type { LibraryClient } from './client.ts';
import { gpuJsClients } from './gpu-js.ts';
import { jaxJsClients } from './jax-js.ts';
import { onnxRuntimeClients } from './onnxruntime.ts';
import { tfjsClients } from './tfjs.ts';

/** Adapters to libraries of npm, one for each way in which a library multiplies. */
export const clients: readonly LibraryClient[] = [
  ...tfjsClients,
  ...onnxRuntimeClients,
  ...jaxJsClients,
  ...gpuJsClients,
];
