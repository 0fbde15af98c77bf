/** Rules of docblocks that a machine can hold: a function's begins with a verb, that of a type or of a value with a noun phrase. */

/** The kind of an export, as far as its text tells: a call's value may be a function. */
export type ExportKind = 'function' | 'noun' | 'either';

/** A docblock with the export that it describes. */
export interface Docblock {
  readonly name: string;
  readonly kind: ExportKind;
  /** The text without its marks, on one line. */
  readonly text: string;
}

const EXPORT =
  /\/\*\*((?:[^*]|\*(?!\/))*)\*\/\n *export (?:default )?(?:declare )?(?:abstract )?(?:async )?(function\*?|class|interface|type|const|enum) ([\w$]+)((?:(?!\n(?:\/\*\*|(?:export|const|function|import)\b))[\s\S])*)/g;

/** Returns the docblocks of the exports of a module. */
export const docblocksOf = (source: string): Docblock[] =>
  [...source.matchAll(EXPORT)].map(([, text, keyword, name, rest]) => ({
    name,
    kind: kindOf(keyword, rest),
    text: text
      .replace(/^\s*\* ?/gm, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  }));

const ARROW = /^(?:async )?(?:<[^=]*?>)?\((?:[^()]|\([^()]*\))*\)(?:\s*:[^=]*)?\s*=>/;

function kindOf(keyword: string, rest: string): ExportKind {
  if (keyword.startsWith('function')) return 'function';
  if (keyword === 'interface') return /^ {2}(?:<[^>]*>)?\(/m.test(rest) ? 'either' : 'noun';
  if (keyword !== 'type' && keyword !== 'const') return 'noun';
  const value = rest.replace(/^(?:<(?:[^<>]|<[^<>]*>)*>)?(?::[^=]*(?:=>[^=]*)*)?\s*=\s*/, '');
  if (keyword === 'type') return /^(?:<.*>)?\(|^(?:abstract )?new /.test(value) ? 'either' : 'noun';
  if (ARROW.test(value) || /^(?:async )?(?:\w+ =>|function)/.test(value)) return 'function';
  return /^[\w.]+(?:<[^(]*>)?\(/.test(value) ? 'either' : 'noun';
}

/** A verb in the third person: a form in -s that no genitive follows. */
const VERB = /^[A-Z][a-z]+s(?! (?:of|are)\b)[,: ]/;

/** Plurals that stand first in docblocks and are no verbs. */
const PLURAL =
  /^(?:Cases|Cells|Clauses|Entries|Files|Guards|Kernels|Lines|Options|Parameters|Paths|Rows|Values)\b/;

/** The words after which a form in -s is a verb. */
const OBJECT = /^[A-Z][a-z]+s (?:a|an|the|each|every|all|its|it|how|what|whether|if|one)\b/;

/** The openings that are neither a noun nor a verb. */
const NEITHER =
  /^(?:It|They|This|These|He|She|We|You|If|When|Where|Whether|What|How|Why|Who|Of|In|On|At|To|By|For|From|As|Is|Are|Was|Has|Can|Not|@\w+)\b/;

/** Returns the reason why a docblock breaks a rule, if it breaks one. @param verbs - first words of the docblocks of functions. */
export function docblockBreach(
  { name, kind, text }: Docblock,
  verbs: ReadonlySet<string>,
): string | undefined {
  const words = text.replace(/[^A-Za-z ]/g, '').toLowerCase();
  if (text === '') return 'is empty';
  if (words.replace(/^(?:the|a|an) /, '').replaceAll(' ', '') === name.toLowerCase())
    return 'repeats the name';
  if (NEITHER.test(text)) return 'begins with neither a noun nor a verb';
  if (kind === 'function' && (!VERB.test(text) || PLURAL.test(text)) && !text.startsWith('True if '))
    return 'begins with no verb in the third person';
  const [first] = text.split(' ');
  if (kind === 'noun' && verbs.has(first) && OBJECT.test(text)) return 'begins with a verb';
  return undefined;
}
