import type { CaseResult } from '../../evidence/case-result.ts';

/** What a row of the table of cases shows, by the keys that cases use. */
export type Shown = Readonly<Record<string, string>>;

/** The command that repeats a case, with `{key}` for whatever its row shows: a few patterns do for a thousand cases. */
export function replayPattern(
  { case: text, replay }: Pick<CaseResult, 'case' | 'replay'>,
  shown: Shown,
): string {
  if (!replay.includes(text)) return replay;
  const parts = text.split(';').map((part) => {
    const [key] = part.split('=', 1);
    return shown[key] !== undefined && part === `${key}=${shown[key]}` ? `${key}={${key}}` : part;
  });
  const pattern = replay.replace(text, () => parts.join(';'));
  // A name with braces would be taken for a place.
  return fill(pattern, shown) === replay ? pattern : replay;
}

/** The command of a pattern and a row. */
export function fill(pattern: string, shown: Shown): string {
  return pattern.replace(/\{(\w+)\}/g, (place, key: string) => shown[key] ?? place);
}
