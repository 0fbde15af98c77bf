import { defineMessage, EXIT } from '../base/errors.ts';

export const badLink = defineMessage(
  'bad-link',
  EXIT.usage,
  (d: { why: string }) =>
    `The link cannot be opened: ${d.why}. Copy the whole link again, or ask for the results file.`,
);

export const newerLink = defineMessage(
  'newer-link',
  EXIT.usage,
  (d: { version: string }) =>
    `The link comes from a newer version of this page (${d.version}). Open it on the page that made it.`,
);

export const gpuSilent = defineMessage(
  'gpu-silent',
  EXIT.inconclusive,
  (d: { seconds: number }) =>
    `The GPU did not answer for ${d.seconds} s. A kernel may never end, or take long to compile. Close all windows of this browser, then open it again.`,
);

export const pageFolder = defineMessage(
  'page-folder',
  EXIT.usage,
  (d: { path: string; why: string }) =>
    `Cannot write the page to ${d.path}: ${d.why}. Give --out a writable folder.`,
);

export const portTaken = defineMessage(
  'port-taken',
  EXIT.resources,
  (d: { port: number; why: string }) =>
    `Cannot serve the page on port ${d.port}: ${d.why}. Give another --port, or 0 for any free one.`,
);
