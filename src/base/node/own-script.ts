/**
 * A script of ours that other processes or threads run, beside the module that names it: of the build, also where that
 * module is read from its source, since Node reads no TypeScript.
 * @param name relative to the module, without its ending.
 * @param from the `import.meta.url` of the module.
 */
export function ownScript(name: string, from: string): URL {
  return new URL(`${name}.js`, from.endsWith('.ts') ? from.replace('/src/', '/dist/') : from);
}
