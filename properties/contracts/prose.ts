/** Rules of prose that a machine can hold, for messages, help and pages. */

/** The most words of a sentence in messages and help. */
export const LONGEST_SENTENCE = 25;

/** Openings that make a riddle of a sentence. */
const OPENING = /^(?:Of|What|Whether|Who|Whom|Whose)\b/;

/** Words that the glossary replaced, with what to write. */
const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/\bnobody\b/i, 'untrusted, or a subject'],
  [/\bis nothing\b/i, 'does not exist'],
  [/\bnot trusted\b/i, 'untrusted'],
  [/\breferees?\b/i, 'judge'],
  [/\bdisguise[ds]?\b/i, 'metamorphic transform'],
  [/\b(?:the|a|its) mirror\b|\bmirrored\b/i, 'bit-exact model'],
  [/\bsurroundings\b/i, 'simulated clock and process id'],
  [/\bas usual\b/i, 'default'],
  [/\bleft out for time\b/i, 'skipped (time limit)'],
  [/\b(?:was|were) (?:not )?asked for\b/i, 'tested with, needed'],
  [/\bmeans nothing without\b/i, 'requires'],
];

/** One violation of a rule. */
export interface Violation {
  readonly text: string;
  readonly why: string;
}

/** Returns the sentences of a text. Ends of sentences inside parentheses and quotes do not count. */
export const sentencesOf = (text: string): string[] =>
  text
    .replace(/\s+/g, ' ')
    .split(/(?<=[.!?:;])\s+(?=[A-Z‹"'`-])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');

/** Returns the number of words of a sentence; a name, a flag or a number is one. */
export const wordsIn = (sentence: string): number =>
  sentence.split(/\s+/).filter((word) => /[\w‹]/.test(word)).length;

/** Returns the violations of openings and replaced words. */
export function riddlesOf(text: string): Violation[] {
  const opening = sentencesOf(text).filter((sentence) => OPENING.test(sentence));
  const replaced = REPLACED.flatMap(([pattern, better]) => {
    const found = pattern.exec(text)?.[0];
    return found === undefined ? [] : [{ text: found, why: `write ${better}` }];
  });
  return [...opening.map((sentence) => ({ text: sentence, why: 'put the subject first' })), ...replaced];
}

/** Returns the violations of a message or a help text: those of prose, and sentences that are too long. */
export function violationsOf(text: string): Violation[] {
  const long = sentencesOf(text).filter((sentence) => wordsIn(sentence) > LONGEST_SENTENCE);
  return [
    ...riddlesOf(text),
    ...long.map((sentence) => ({ text: sentence, why: `${wordsIn(sentence)} words` })),
  ];
}

/** Returns the texts of a module of messages, each value that it fills in as ‹x›. */
export function textsOf(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '');
  return [
    ...code.matchAll(
      /`((?:[^`\\$]|\\.|\$(?!\{)|\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\})*)`|'((?:[^'\\\n]|\\.)*)'/g,
    ),
  ]
    .map(([, template, quoted]) =>
      (template ?? quoted).replace(/\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\}/g, '‹x›'),
    )
    .filter((text) => / /.test(text.trim()));
}
