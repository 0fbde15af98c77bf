/**
 * Returns the URL of one of our scripts that other processes or threads run, next to the module that names it. It is that of the build,
 * also where that module is read from its source, since Node reads no TypeScript.
 * @param name relative to the module, without its extension.
 * @param from the `import.meta.url` of the module.
 */
export function ownScript(name: string, from: string): URL {
  return new URL(`${name}.js`, from.endsWith('.ts') ? from.replace('/src/', '/dist/') : from);
}
