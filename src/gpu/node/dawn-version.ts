import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Returns the implementation's name and version, "webgpu 0.6.2". */
export function dawnVersion(): string {
  const entry = createRequire(import.meta.url).resolve('webgpu');
  const { name, version } = JSON.parse(readFileSync(join(dirname(entry), 'package.json'), 'utf8'));
  return `${name} ${version}`;
}
