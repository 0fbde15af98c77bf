// Names and messages may come from other people's kernels and files: they must not steer a terminal, nor
// reorder the text around them.
const STEERING = /(?!\n)[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

// CI services take what follows for a command, anywhere in a line.
const COMMAND = /##(\[|vso\[)/g;

/** Returns the text with every control character replaced by its code, and no command in it. Line ends stay. */
export function escapeControls(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/\t/g, '  ')
    .replace(STEERING, (character) => {
      const code = character.codePointAt(0) as number;
      return `\\u${code.toString(16).padStart(4, '0')}`;
    })
    .replace(COMMAND, '## $1');
}

/** Returns the text on one line, at most `longest` characters of it. */
export function toOneLine(text: string, longest = Number.POSITIVE_INFINITY): string {
  const line = escapeControls(text.trim()).replace(/\s*\n\s*/g, ' ');
  const characters = line.length > longest ? [...line] : [];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : line;
}
