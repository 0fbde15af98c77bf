import type { GivenStep } from './chain.ts';
import type { EntryNumbers } from './entry-numbers.ts';
import { epilogueSteps } from './epilogues.ts';
import { badEpilogue } from './messages.ts';

/**
 * Reads an epilogue that is written as words: `bias:b.npy gelu requantize:{"to":"int8","scale":0.05}`. After a colon stands a step's main
 * parameter, or an object of JSON with its parameters. Numbers of tensors are numbers, or places of tensors.
 * @param tensor reads the tensor of a place, such as a file.
 * @throws ParanoiaError `bad-epilogue`, and as `tensor`
 */
export const parseEpilogue = (text: string, tensor: (place: string) => EntryNumbers): readonly GivenStep[] =>
  wordsOf(text).map((word) => parseStep(word, tensor));

/** Splits a text at blanks outside objects. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  let [word, depth, isQuoted] = ['', 0, false];
  for (const [at, letter] of [...text].entries()) {
    if (letter === '"' && text[at - 1] !== '\\') isQuoted = !isQuoted && depth > 0;
    else if (!isQuoted) depth += letter === '{' ? 1 : letter === '}' ? -1 : 0;
    if (depth > 0 || letter.trim() !== '') word += letter;
    else if (word !== '') {
      words.push(word);
      word = '';
    }
  }
  if (depth !== 0) throw badEpilogue({ why: 'a brace of its JSON has no partner' });
  return word === '' ? words : [...words, word];
}

function parseStep(word: string, tensor: (place: string) => EntryNumbers): GivenStep {
  const colon = word.indexOf(':');
  if (colon < 0) return word;
  const [step, rest] = [word.slice(0, colon), word.slice(colon + 1)];
  const record = epilogueSteps.find(step);
  const read = (key: string, value: unknown): unknown => {
    const isTensor = Object.hasOwn(record.parameters, key) && record.parameters[key].tensor !== undefined;
    return isTensor && typeof value === 'string' ? tensor(value) : value;
  };
  if (rest.startsWith('{')) {
    const entries = Object.entries(parseObject(step, rest)).map(([key, value]) => [key, read(key, value)]);
    return { ...Object.fromEntries(entries), step };
  }
  if (record.main === undefined)
    throw badEpilogue({ why: `${step} takes no value after a colon, but "${rest}" is given` });
  const number = Number(rest);
  return { step, [record.main]: rest === '' || Number.isNaN(number) ? read(record.main, rest) : number };
}

function parseObject(step: string, text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch (error) {
    throw badEpilogue({ why: `the parameters of ${step} are no JSON: ${(error as Error).message}` }, error);
  }
}
