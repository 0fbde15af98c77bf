/** Parts of functions as WebAssembly text. */

/** Adds to a local. */
export const advance = (local: string, by: string): string =>
  `(local.set ${local} (i32.add (local.get ${local}) ${by}))`;

/** Repeats the body as often as the local counts: at least once. */
export const repeat = (label: string, count: string, body: readonly string[]): string[] => [
  `(loop ${label}`,
  ...body,
  `(br_if ${label} (local.tee ${count} (i32.sub (local.get ${count}) (i32.const 1)))))`,
];
