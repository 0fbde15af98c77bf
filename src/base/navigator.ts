/** The fields of a navigator that are read. */
interface Said {
  readonly gpu?: unknown;
  readonly userAgent?: string;
}

/** Returns the navigator of browsers, Deno and newer Node. It is empty in Node 20, which has none. */
export function navigatorHere(): Said {
  // biome-ignore lint/style/noRestrictedGlobals: what may not be there cannot be named
  return (globalThis as { navigator?: Said }).navigator ?? {};
}
