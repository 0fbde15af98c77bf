import { join } from 'node:path';
import { driverVariables, type Runtime } from './runtime.ts';

/** Deno: wgpu, without a page. */
export const deno: Runtime = {
  name: 'deno',
  what: 'Deno (wgpu)',
  by: 'wgpu',
  variable: 'DENO_PATH',
  commands: ['deno'],
  places: [],
  install: 'Install Deno 2 (npm i -D deno)',
  advice: 'On Linux it needs Vulkan. Try SwiftShader: --adapter software',
  hasNode: true,
  takesToggles: false,
  bringsSoftware: false,
  start: ({ module, folder, software }) => ({
    words: ['run', '--allow-all', '--no-config', '--no-lock', '--quiet', module.href],
    env: { ...driverVariables(software), DENO_DIR: join(folder, 'cache'), DENO_NO_UPDATE_CHECK: '1' },
  }),
};
