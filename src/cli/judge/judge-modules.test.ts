import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const IMPORT = /^(?:import|export)\s(?!type\b)(?:[^;']*?\sfrom\s)?'([^']+)'/gm;

/** The modules and the packages that load with one of our modules. */
function loadedWith(entry: URL): { modules: Set<string>; packages: Set<string> } {
  const [modules, packages] = [new Set([entry.href]), new Set<string>()];
  for (const module of modules) {
    for (const [, name] of readFileSync(fileURLToPath(module), 'utf8').matchAll(IMPORT)) {
      if (name.startsWith('.')) modules.add(new URL(name, module).href);
      else if (!name.startsWith('node:')) packages.add(name);
    }
  }
  return { modules, packages };
}

it('judge loads nothing for GPUs, figures or shrinking before its first case', () => {
  const { modules, packages } = loadedWith(new URL('./judge.ts', import.meta.url));
  expect(modules.size).toBeGreaterThan(100);
  expect([...packages].filter((name) => /^(webgpu|fast-check|d3-(scale|shape))$/.test(name))).toEqual([]);
  expect([...modules].filter((name) => /\/(html|gpu\/node|fuzz\/shrink)\b/.test(name))).toEqual([
    expect.stringMatching(/gpu\/node\/dawn-version\.ts$/),
  ]);
});
