import { TIME_LIMIT } from '../../kernel/deadline.ts';
import type { Session } from '../../kernel/session.ts';
import type { GpuKernel } from '../../kernel/user-kernel.ts';
import type { OpenDevice } from '../device.ts';
import { entriesOf } from './entries.ts';
import { rangeOf } from './guarded.ts';
import { needHalf } from './needs.ts';
import { multiplyGuarded } from './product.ts';

/**
 * Opens a kernel that encodes its own work. It gets the exact ranges of A, B and C, since its shaders may ask for their
 * lengths. Who binds a buffer from its offset on without a size, or from its beginning, has guard words in the binding:
 * what is read there is NaN, and what is written there is seen. Within an exact binding, devices drop a store past the
 * end or put it on the last entry, see openWgslSession.
 * @param device the device in use: asked for each product, for a lost one is replaced.
 * @throws Problem `bad-kernel`
 */
export function openGpuSession(kernel: GpuKernel, device: () => OpenDevice): Session {
  const { name, precision, timeLimit = TIME_LIMIT } = kernel;
  const entries = entriesOf(name, precision, kernel.entries);
  return {
    async multiply(a, b, call) {
      const open = device();
      if (entries.name === 'f16') needHalf(open, name);
      const { m, k, n } = call;
      const work = {
        kernel: name,
        entries,
        timeLimit,
        step: 'encoding and running its work',
        submit: async ({ a, b, c }: Record<'a' | 'b' | 'c', GPUBuffer>) => {
          const ranges = { a: rangeOf(a, 'exact'), b: rangeOf(b, 'exact'), c: rangeOf(c, 'exact') };
          await kernel.encode({ device: open.device, m, k, n, ...ranges });
        },
      };
      return multiplyGuarded(open, work, a, b, call);
    },
    versions: async () => ({}),
    close: async () => {},
  };
}
