import { isRecord, lookUp } from '../base/objects.ts';
import { formatValue } from '../base/plain-words.ts';
import type { EpilogueCall } from '../matrix/epilogue-call.ts';
import type { EntryNumbers } from './entry-numbers.ts';
import { epilogueSteps } from './epilogues.ts';
import { badEpilogue } from './messages.ts';

/**
 * Reads a step that is written as a word: `relu`, `scale:0.5`, `bias:b.npy`, `requantize:{"to":"int8","scale":0.05}`. After the colon stands
 * its main parameter, also as a string of JSON, or an object of JSON with its parameters. Numbers of tensors are numbers, or places of
 * tensors.
 * @param tensor reads the tensor of a place, such as a file.
 * @throws ParanoiaError `bad-epilogue`, `unknown-name`, and as `tensor`
 */
export function parseStep(word: string, tensor: (place: string) => EntryNumbers): EpilogueCall {
  const colon = word.indexOf(':');
  if (colon < 0) return { step: word };
  const [step, rest] = [word.slice(0, colon), word.slice(colon + 1)];
  const { parameters } = epilogueSteps.find(step);
  if (rest === '') throw badEpilogue({ why: `nothing follows the colon of ${step}` });
  const read = (key: string, value: unknown): unknown => {
    const isTensor = lookUp(parameters, key)?.tensor !== undefined;
    return isTensor && typeof value === 'string' ? tensor(value) : value;
  };
  const value = /^["{]/.test(rest) ? parseJson(step, rest) : numberOr(rest);
  const given = isRecord(value) ? value : stepOfValue(step, value);
  return {
    ...Object.fromEntries(Object.entries(given).map(([key, value]) => [key, read(key, value)])),
    step,
  };
}

/** Returns a step with the value of its main parameter. @throws ParanoiaError `bad-epilogue`, `unknown-name` */
export function stepOfValue(step: string, value: unknown): EpilogueCall {
  const { main, parameters } = epilogueSteps.find(step);
  if (main !== undefined) return { step, [main]: value };
  const known = Object.keys(parameters);
  const takes = known.length === 0 ? 'has no parameters' : `takes ${known.join(' and ')} by name only`;
  throw badEpilogue({ why: `${step} ${takes}, but ${formatValue(value)} is given` });
}

/** Words for numbers that no step takes, as other languages write them. */
const notFinite: Readonly<Record<string, number>> = { nan: Number.NaN, inf: Infinity, '-inf': -Infinity };

/** Returns the number that a text writes, else the text. */
function numberOr(text: string): number | string {
  const known = lookUp(notFinite, text.toLowerCase());
  return known ?? (Number.isNaN(Number(text)) ? text : Number(text));
}

function parseJson(step: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badEpilogue({ why: `what follows ${step} is no JSON: ${(error as Error).message}` }, error);
  }
}

/**
 * Reads an epilogue that is written as words: `bias:b.npy gelu requantize:{"to":"int8","scale":0.05}`.
 * @param tensor reads the tensor of a place, such as a file.
 * @throws ParanoiaError as {@link parseStep}
 */
export const parseEpilogue = (
  text: string,
  tensor: (place: string) => EntryNumbers,
): readonly EpilogueCall[] => wordsOf(text).map((word) => parseStep(word, tensor));

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
