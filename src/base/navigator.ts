/** What a runtime says of itself. */
interface Said {
  readonly gpu?: unknown;
  readonly userAgent?: string;
}

/** The navigator of browsers, Deno and newer Node; empty in Node 20, which has none. */
export function navigatorHere(): Said {
  // biome-ignore lint/style/noRestrictedGlobals: what may not be there cannot be named
  return (globalThis as { navigator?: Said }).navigator ?? {};
}
