import { defineMessage, EXIT } from '../base/errors.ts';

export const badLink = defineMessage(
  'bad-link',
  EXIT.usage,
  (d: { why: string }) =>
    `The link cannot be shown: ${d.why}. Copy it again, whole; or ask for the results file.`,
);

export const newerLink = defineMessage(
  'newer-link',
  EXIT.usage,
  (d: { version: string }) =>
    `The link is of a newer version of this page (${d.version}), which this one cannot read: open it where it was made.`,
);

export const gpuSilent = defineMessage(
  'gpu-silent',
  EXIT.inconclusive,
  (d: { seconds: number }) =>
    `The GPU gave no answer for ${d.seconds} s: a kernel that never ends, or is long compiled, may hold it. Close all windows of this browser, and open it again.`,
);

export const pageFolder = defineMessage(
  'page-folder',
  EXIT.usage,
  (d: { path: string; why: string }) =>
    `The page cannot be written to ${d.path}: ${d.why}. Give --out a folder that you may write to.`,
);

export const portTaken = defineMessage(
  'port-taken',
  EXIT.resources,
  (d: { port: number; why: string }) =>
    `The page cannot be served at port ${d.port}: ${d.why}. Give another --port, or 0 for any that is free.`,
);
