/** The functions by which the gate judges a kernel's claims, in one module that loads on demand. */
export { contradictions, promisesOf } from './contradictions.ts';
export { inspectKernel } from './inspect-kernel.ts';
export { tryClaim } from './try-claim.ts';
