import { isFunction, isText } from '../base/guards.ts';
import { badItem } from '../base/messages.ts';
import type { Study } from './study.ts';

const isList = (value: unknown) => Array.isArray(value);

/** The requirements of a study, each with its message. */
const rules: readonly (readonly [holds: (study: Study) => boolean, why: string])[] = [
  [({ what }) => isText(what), 'it needs a string `what`, a clause that describes it'],
  [({ source }) => isText(source), 'it needs a string `source`, the paper'],
  [({ errors, speeds }) => (errors ?? speeds) !== undefined, 'it needs `errors` or `speeds`'],
  [
    ({ errors }) => errors === undefined || (isList(errors.notes) && isFunction(errors.cells)),
    'its `errors` need a list `notes` and a function `cells`',
  ],
  [
    ({ errors }) => errors?.computed === undefined || isFunction(errors.computed),
    '`computed` in its `errors` must be a function',
  ],
  [
    ({ speeds }) =>
      speeds === undefined ||
      (isList(speeds.notes) && isFunction(speeds.rounds) && isFunction(speeds.tables)),
    'its `speeds` need a list `notes` and functions `rounds` and `tables`',
  ],
];

/**
 * Defines a study of your own, for the `studies` of a config. `gemm-paranoia study <name>` then measures it. The cases of its products are
 * those that `parseCase` reads: `kernel=strassen:register;levels=2;input=inverse-pair;m=64;k=64;n=64`.
 * @throws ParanoiaError `bad-item` if a requirement is not met.
 */
export function defineStudy(study: Study): Study {
  const broken = rules.find(([holds]) => !holds(study));
  if (broken !== undefined) throw badItem({ kind: 'study', name: study.name, why: broken[1] });
  return study;
}
