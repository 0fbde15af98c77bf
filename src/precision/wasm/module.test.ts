import { expect, it } from 'vitest';
import { assembled, recordModule } from '../../base/wat.testing.ts';
import { hex } from './module.ts';
import { moduleText } from './wat.testing.ts';

it('is what the text assembles to', async () => {
  const found = await assembled(moduleText());
  if (process.env.WASM === 'record') recordModule(new URL('./module.ts', import.meta.url), found);
  else expect(hex).toBe(found);
});
