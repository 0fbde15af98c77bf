import { badNumber, unknownName } from '../../base/messages.ts';
import type { Edit, EditKind } from './edit.ts';
import { patterned } from './patterned.ts';
import { cancel, equalRows, gram, squared, symmetric } from './related-lines.ts';
import { farBands, nearLargest, nearLeast, opposed, spread, whole } from './scaled.ts';
import { held, intercept, ones, powers } from './simple-values.ts';
import { minusZeros, nan, special } from './special.ts';
import { transforms } from './transforms.ts';
import { zeros } from './zero.ts';

/** Every edit of a generated pair. */
export const editKinds: readonly EditKind[] = [
  ...[spread, cancel, special, nan, opposed, nearLargest, nearLeast],
  ...[...zeros, minusZeros, equalRows, gram, squared, symmetric, powers, ones, intercept],
  ...[patterned, held, whole, farBands],
  ...transforms,
];

/**
 * Reads a list of edits, applied in the order written: `spread:12,zero-rows:0-4.7,powers`.
 * @throws ParanoiaError `unknown-name`, `bad-number`
 */
export function parseEdits(text: string): Edit[] {
  return text.split(',').map((part) => {
    const [name, ...rest] = part.trim().split(':');
    const kind = editKinds.find((candidate) => candidate.name === name);
    if (kind === undefined) {
      throw unknownName({ what: 'edit', given: name, known: editKinds.map(({ name }) => name) });
    }
    const argument = rest.join(':');
    const edit = kind.takes === undefined && argument !== '' ? undefined : kind.read(argument);
    if (edit !== undefined) return edit;
    const need = kind.takes ?? 'left out';
    throw badNumber({ what: `The argument of the edit ${name}`, given: argument, need });
  });
}
