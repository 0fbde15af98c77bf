import { expect, it } from 'vitest';
import { assembleWat, recordModule } from '../../base/wat.testing.ts';
import { hex } from './module.ts';
import { exactModuleText } from './wat.testing.ts';

it('is what the text assembles to', async () => {
  const found = await assembleWat(exactModuleText());
  if (process.env.WASM === 'record') recordModule(new URL('./module.ts', import.meta.url), found);
  else expect(hex).toBe(found);
});
