/** Names of environment variables whose values are secret. */
const NAMES = /TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|(^|_|API|ACCESS|PRIVATE)KEY(_|$)/i;

/** Characters of the shortest value that is masked: shorter ones stand in texts by chance. */
const SHORTEST = 8;

/** The text that stands for a secret. */
const MASK = '***';

/**
 * A text in which the values of secret environment variables are masked: as they are, line by line, and as JSON, HTML and Markdown
 * write them. Kernels and configs of users may say them in errors, names and versions, and CI keeps what runs write.
 */
export function maskSecrets(text: string, env: NodeJS.ProcessEnv = process.env): string {
  const values = Object.entries(env)
    .filter(([name]) => NAMES.test(name))
    .flatMap(([, value = '']) => [value, ...value.split(/\r?\n/)])
    .map((value) => value.trim())
    .filter((value) => value.length >= SHORTEST);
  return [...new Set(values)]
    .sort((one, other) => other.length - one.length)
    .reduce((masked, value) => masked.replace(writtenAs(value), MASK), text);
}

/** Matches a value however a report writes it: each character may have a backslash before it, or be named by an entity. */
function writtenAs(value: string): RegExp {
  const characters = [...value].map((character) => {
    const inJson = JSON.stringify(character)
      .slice(1, -1)
      .replace(/^\\(?=.)/, '');
    const entities = [`&#${character.codePointAt(0)};`, ENTITIES.get(character) ?? character];
    const forms = new Set([character, inJson, ...entities]);
    return `\\\\*(?:${[...forms].map(literally).join('|')})`;
  });
  return new RegExp(characters.join(''), 'g');
}

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);

/** Masks secrets in all that a stream of text is given from now on. */
export function maskStream(stream: NodeJS.WriteStream): void {
  const write = stream.write.bind(stream) as (...given: unknown[]) => boolean;
  stream.write = (chunk: unknown, ...more: unknown[]) =>
    write(typeof chunk === 'string' ? maskSecrets(chunk) : chunk, ...more);
}
