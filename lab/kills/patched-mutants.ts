import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { applyPatch, parsePatch } from 'diff';

/**
 * Applies all patches of a folder to the programs that they name. The files are deleted when the process ends.
 * @param folder address of the folder, with a slash at its end
 * @returns the addresses of the mutants
 * @throws Error if a patch does not fit its program
 */
export function patchedMutants(folder: string): string[] {
  const out = mkdtempSync(join(tmpdir(), 'patched-mutants-'));
  process.once('exit', () => rmSync(out, { recursive: true, force: true }));
  const patches = readdirSync(new URL(folder)).filter((name) => name.endsWith('.patch'));
  return patches.map((name) => {
    const [patch] = parsePatch(readFileSync(new URL(name, folder), 'utf8'));
    const program = readFileSync(new URL(String(patch.oldFileName), folder), 'utf8');
    const mutant = applyPatch(program, patch);
    if (mutant === false) throw new Error(`${name} does not fit ${patch.oldFileName}.`);
    const file = join(out, name.replace('.patch', '.mjs'));
    writeFileSync(file, mutant);
    return pathToFileURL(file).href;
  });
}
