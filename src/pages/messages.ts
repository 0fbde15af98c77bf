import { defineMessage, EXIT } from '../base/errors.ts';

export const badResults = defineMessage(
  'bad-results',
  EXIT.usage,
  (d: { where: string; why: string }) => `${d.where} is not a readable results file: ${d.why}.`,
);

export const newerResults = defineMessage(
  'newer-results',
  EXIT.usage,
  (d: { where: string; schema: string; reads: string }) =>
    `${d.where} was written by a newer version (${d.schema}; this one reads ${d.reads}). Update gemm-paranoia.`,
);

export const summaryUnwritable = defineMessage(
  'summary-unwritable',
  EXIT.usage,
  (d: { path: string; why: string }) =>
    `Cannot write the step summary to ${d.path}: ${d.why}. GITHUB_STEP_SUMMARY names this file; set it to a writable file, or unset it.`,
);

export const badReporter = defineMessage(
  'bad-reporter',
  EXIT.usage,
  (d: { name: string; why: string }) =>
    `The reporter "${d.name}" cannot be used: ${d.why}. A reporter is { name, what, file, render(results) }.`,
);

export const reporterBroken = defineMessage(
  'reporter-broken',
  EXIT.usage,
  (d: { name: string; why: string }) => `The reporter "${d.name}" writes no file: ${d.why}.`,
);

export const reportUnopened = defineMessage(
  'report-unopened',
  EXIT.usage,
  (d: { path: string; why: string }) =>
    `Cannot start a browser to show ${d.path}: ${d.why}. Open the file yourself.`,
);
