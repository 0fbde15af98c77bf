import { group, rollup } from 'd3-array';
import { lookUp } from '../../base/look-up.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import { allFields } from '../../problem/fields.ts';

/** Fields that rows of cases show in columns of their own. */
const COLUMNS = ['kernel', 'input', 'm', 'k', 'n'];

/** The order of fields in the text of a case. */
export const FIELD_ORDER: readonly string[] = allFields.map(({ key }) => key);

type Texts = Pick<CaseResult, 'case' | 'replay'>;

/** The text that most cases share, so that rows need not repeat it. */
export interface SharedText {
  /** Fields that all cases have, each with its most frequent value: `levels=0`. */
  readonly fields: readonly string[];
  /** The most frequent replay command, with `{case}` for the text of a case. */
  readonly command: string;
}

const keyOf = (part: string): string => part.split('=', 1)[0];

const fieldsOf = (text: string): string[] => text.split(';').filter((part) => !COLUMNS.includes(keyOf(part)));

/** Returns the text that most cases share. */
export function commonOf(cases: readonly Texts[]): SharedText {
  const texts = cases.map((result) => fieldsOf(result.case));
  const byKey = group(texts.flat(), keyOf);
  const inAll = FIELD_ORDER.filter((key) => byKey.get(key)?.length === cases.length);
  return {
    fields: inAll.map((key) => commonest(byKey.get(key) ?? []) ?? ''),
    command: commonest(cases.map(commandOf)) ?? '{case}',
  };
}

function commonest(values: readonly string[]): string | undefined {
  const [first] = [
    ...rollup(
      values,
      (same) => same.length,
      (value) => value,
    ),
  ].sort(([, a], [, b]) => b - a);
  return first?.[0];
}

const commandOf = ({ case: text, replay }: Texts): string => replay.replace(text, () => '{case}');

/** The text that a row states beside its columns. */
export interface RowText {
  /** The fields whose values differ from the most frequent ones. */
  readonly fields: string;
  /** The text of the case, where columns and fields do not determine it. */
  readonly text?: string;
  /** The replay command, where it differs from the most frequent one. */
  readonly command?: string;
}

/** @param shown the texts of the row's columns, by field. */
export function restOf(
  result: Texts,
  { fields, command }: SharedText,
  shown: Readonly<Record<string, string>>,
): RowText {
  const own = fieldsOf(result.case).filter((part) => !fields.includes(part));
  const said = new Set(own.map(keyOf));
  const usual = fields.filter((part) => !said.has(keyOf(part)));
  const known = [...COLUMNS.map((key) => `${key}=${lookUp(shown, key)}`), ...usual, ...own];
  const inOrder = FIELD_ORDER.flatMap((key) => known.filter((part) => part.startsWith(`${key}=`)));
  const isWhole = inOrder.join(';') === result.case;
  const other = commandOf(result);
  return {
    fields: own.join(';'),
    ...(isWhole ? {} : { text: result.case }),
    ...(other === command ? {} : { command: other }),
  };
}
