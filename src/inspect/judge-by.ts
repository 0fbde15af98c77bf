/** What the gate holds a kernel's claims to, in one part to load. */
export { contradictions, promisesOf } from './contradictions.ts';
export { inspectKernel } from './inspect-kernel.ts';
export { tryClaim } from './try-claim.ts';
