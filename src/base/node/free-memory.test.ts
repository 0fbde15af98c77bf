import { expect, it } from 'vitest';
import { requireFree } from './free-memory.ts';

it('memory that no machine has is refused before it is allocated', () => {
  requireFree(1, 'x.npy');
  expect(() => requireFree(2 ** 60, 'x.npy')).toThrow(
    expect.objectContaining({
      code: 'too-little-memory',
      message: expect.stringMatching(
        /^x\.npy needs 1152921504\.6 GB of memory, but .* GB free\. Free some, or/,
      ),
    }),
  );
});
