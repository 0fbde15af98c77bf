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
