/** Names of environment variables whose values are secret. */
const NAMES = /TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|(^|_|API|ACCESS|PRIVATE)KEY(_|$)/i;

/** Length of the shortest value that is masked anywhere. Shorter ones occur in texts by chance. */
const ANYWHERE = 8;

/** Length of the shortest value that is masked as a word of its own. */
const SHORTEST = 4;

const MASK = '***';

/**
 * Masks the values of secret environment variables in a text: literally, line by line, and as JSON, HTML and Markdown write them. Kernels
 * and configs of users may print them in errors, names and versions, and CI keeps the output.
 */
export function maskSecrets(text: string, env: NodeJS.ProcessEnv = process.env): string {
  const values = Object.entries(env)
    .filter(([name]) => NAMES.test(name))
    .flatMap(([, value = '']) => [value, ...value.split(/\r?\n/)])
    .map((value) => value.trim())
    .filter((value) => value.length >= ANYWHERE || isTelling(value));
  return [...new Set(values)]
    .sort((one, other) => other.length - one.length)
    .reduce((masked, value) => masked.replace(writtenAs(value), MASK), text);
}

/** True if a short value is neither a word nor a number, which outputs are full of: `abc123`, not `true` or `2048`. */
const isTelling = (value: string): boolean =>
  value.length >= SHORTEST && !/^[a-z]*$/i.test(value) && Number.isNaN(Number(value));

/** The edges of a word: no letter or digit is adjacent, except of an escape in JSON, or of a color. */
const BEGINS = '(?:(?<![A-Za-z0-9])|(?<=\\\\(?:[bfnrt]|u[0-9a-f]{4}))|(?<=\u001b\\[[0-9;]*m))';
const ENDS = '(?![A-Za-z0-9])';

/**
 * Returns a pattern that matches a value in any report format: each character may have a backslash before it, or be an entity. A short one
 * must be a word.
 */
function writtenAs(value: string): RegExp {
  const characters = [...value].map((character) => {
    const inJson = JSON.stringify(character)
      .slice(1, -1)
      .replace(/^\\(?=.)/, '');
    const entities = [`&#${character.codePointAt(0)};`, ENTITIES.get(character) ?? character];
    const forms = new Set([character, inJson, ...entities]);
    return `\\\\*(?:${[...forms].map(literally).join('|')})`;
  });
  const all = characters.join('');
  return new RegExp(value.length >= ANYWHERE ? all : `${BEGINS}${all}${ENDS}`, 'g');
}

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);

/** Masks secrets in all later text of a stream. */
export function maskStream(stream: NodeJS.WriteStream): void {
  const write = stream.write.bind(stream) as (...given: unknown[]) => boolean;
  stream.write = (chunk: unknown, ...more: unknown[]) =>
    write(typeof chunk === 'string' ? maskSecrets(chunk) : chunk, ...more);
}
