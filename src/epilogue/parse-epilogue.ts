import type { GivenStep } from './chain.ts';
import type { EntryNumbers } from './entry-numbers.ts';
import { badEpilogue } from './messages.ts';
import { parseStep } from './parse-step.ts';

/**
 * Reads an epilogue that is written as words: `bias:b.npy gelu requantize:{"to":"int8","scale":0.05}`.
 * @param tensor reads the tensor of a place, such as a file.
 * @throws ParanoiaError as {@link parseStep}
 */
export const parseEpilogue = (text: string, tensor: (place: string) => EntryNumbers): readonly GivenStep[] =>
  wordsOf(text).map((word) => parseStep(word, tensor));

/** Splits a text at blanks outside of objects and quotes. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  let [word, depth, isQuoted] = ['', 0, false];
  for (const [at, letter] of [...text].entries()) {
    if (letter === '"' && text[at - 1] !== '\\') isQuoted = !isQuoted;
    else if (!isQuoted) depth += letter === '{' ? 1 : letter === '}' ? -1 : 0;
    if (depth > 0 || isQuoted || letter.trim() !== '') word += letter;
    else if (word !== '') {
      words.push(word);
      word = '';
    }
  }
  if (depth !== 0 || isQuoted) throw badEpilogue({ why: `a ${isQuoted ? 'quote' : 'brace'} has no partner` });
  return word === '' ? words : [...words, word];
}
