/** Runtimes that a gate can judge in: Node, where it runs itself, and others. */
export const runtimeNames = ['chromium', 'firefox', 'deno', 'node'] as const;

export type RuntimeName = (typeof runtimeNames)[number];
