import { ParanoiaError } from '../base/errors.ts';
import { readChain } from '../epilogue/chain-text.ts';
import { customKind, type Kind } from './kinds.ts';

const isChain = (value: unknown): boolean => typeof value === 'string' && refusalOf(value) === undefined;

/** Returns the error of a text that names no chain. */
function refusalOf(text: string): ParanoiaError | undefined {
  try {
    readChain(text);
    return undefined;
  } catch (error) {
    if (error instanceof ParanoiaError) return error;
    throw error;
  }
}

const asText = customKind<string>(
  'steps such as bias:row,gelu-tanh, or none',
  isChain,
  // Another notation of a chain has the same text.
  (text) => (isChain(text) ? readChain(text).text : text),
  (value) => value,
);

/** The kind of epilogues, as texts. A wrong step is refused by its own message. */
export const chainKind: Kind<string> = {
  ...asText,
  refuse: (told, text, known) => refusalOf(text) ?? asText.refuse(told, text, known),
};
