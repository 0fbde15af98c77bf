/** Returns the command that invoked this program, for commands it prints: the scripts of its own clone, or an installed package. */
export function invocation(env: NodeJS.ProcessEnv = process.env): string {
  const inClone = env.npm_package_name === 'gemm-paranoia' && env.npm_lifecycle_event !== 'npx';
  return inClone ? 'npm run -s paranoia --' : 'npx gemm-paranoia';
}

/** True if this runs in a continuous integration service. */
export const inCi = (): boolean => !['', '0', 'false'].includes(process.env.CI ?? '');

/**
 * Returns the URL of one of our scripts that other processes or threads run, next to the module that names it. It is that of the build,
 * also where that module is read from its source, since Node reads no TypeScript.
 * @param name relative to the module, without its extension.
 * @param from the `import.meta.url` of the module.
 */
export function ownScript(name: string, from: string): URL {
  return new URL(`${name}.js`, from.endsWith('.ts') ? from.replace('/src/', '/dist/') : from);
}

/** Signs that distinguish JavaScript runtimes: Deno and Bun claim to be Node, too. */
interface Signs {
  readonly versions: Readonly<Record<string, string | undefined>>;
  readonly Deno?: { readonly version?: { readonly deno?: string } } | undefined;
}

/** Returns the runtime of this process and its version: "node 22.11.0", "deno 2.1.4", "bun 1.1.38". */
export function runtimeName(
  { versions, Deno }: Signs = {
    versions: process.versions,
    Deno: (globalThis as { Deno?: Signs['Deno'] }).Deno,
  },
): string {
  const deno = Deno?.version?.deno ?? versions.deno;
  if (deno !== undefined) return `deno ${deno}`;
  return versions.bun === undefined ? `node ${versions.node}` : `bun ${versions.bun}`;
}
