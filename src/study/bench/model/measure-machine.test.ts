import { expect } from 'vitest';
import { itWhole } from '../../../base/in-short.testing.ts';
import { openNodeDevice } from '../../../gpu/node/open.ts';
import { measureMachine } from './measure-machine.ts';

itWhole('the rates of a device are what it can do: finite, and not those of an idle loop', async () => {
  const open = await openNodeDevice({ adapter: 'software' });
  const { tauFlop, tauGmop, tauSmop, sms } = await measureMachine(open, 4);
  open.close();
  for (const rate of [tauFlop, tauGmop, tauSmop]) {
    expect(rate).toBeGreaterThan(1e6);
    // No processor reaches this rate, unless the compiler removed the work.
    expect(rate).toBeLessThan(1e14);
  }
  expect(sms).toBe(4);
});
