import { expect, it } from 'vitest';
import { loadPart } from './part.ts';

it('gives what is loaded', async () => {
  expect(await loadPart('adds', async () => ({ add: 1 }))).toEqual({ add: 1 });
});

it('says what is missing where it is not loaded, and why', async () => {
  const missing = loadPart('adds', () => Promise.reject(new TypeError('Failed to fetch')));
  await expect(missing).rejects.toMatchObject({
    code: 'part-missing',
    message: expect.stringMatching(/^Cannot load the part of gemm-paranoia that adds: Failed to fetch\. /),
  });
});
