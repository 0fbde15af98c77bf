import { defineMessage, EXIT } from '../base/errors.ts';

export const badCase = defineMessage(
  'bad-case',
  EXIT.usage,
  (d: { given: string; why: string }) =>
    `The case "${d.given}" cannot be read: ${d.why}. Write it like "kernel=strassen:register;levels=2;input=uniform;m=129;k=65;n=33;seed=7".`,
);

export const notServed = defineMessage(
  'not-served',
  EXIT.usage,
  (d: { given: string; why: string }) => `The case "${d.given}" cannot be computed: ${d.why}.`,
);

export const badPattern = defineMessage(
  'bad-pattern',
  EXIT.usage,
  (d: { given: string; why: string }) =>
    `The pattern of cases "${d.given}" cannot be read: ${d.why}. Write it like "kernel=mine:*;input=special-values;m=1..16".`,
);
