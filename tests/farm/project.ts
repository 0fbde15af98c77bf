import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A kernel that takes almost no time, and is wrong for n = 13, so that there are failures to report. */
const STUB = `
export function multiply(a, b, { m, k, n }) {
  const c = new Float32Array(m * n);
  for (let i = 0; i < m; i++)
    for (let p = 0; p < k; p++)
      for (let j = 0; j < n; j++) c[i * n + j] += a[i * k + p] * b[p * n + j];
  if (n === 13) c[0] += 1;
  return c;
}`;

const INPUTS = ['uniform', 'integers', 'normal', 'powers-of-two'];

/** Writes a project of one stub kernel, with about this many small cases. */
export function stubProject(folder: string, cases: number): void {
  writeFileSync(join(folder, 'stub.mjs'), STUB);
  const sizes = Math.ceil(cases / INPUTS.length);
  writeFileSync(
    join(folder, 'paranoia.config.mjs'),
    `import { multiply } from './stub.mjs';
     const sizes = [];
     for (let m = 1; sizes.length < ${sizes}; m++)
       for (let k = 1; k <= 16 && sizes.length < ${sizes}; k++)
         for (let n = 1; n <= 16 && sizes.length < ${sizes}; n++) sizes.push([m, k, n]);
     export default {
       kernels: [{ name: 'stub', multiply }], sizes, inputs: ${JSON.stringify(INPUTS)}, seed: 1,
     };`,
  );
}
