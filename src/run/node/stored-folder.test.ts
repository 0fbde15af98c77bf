import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../../base/errors.ts';
import { findStoredFolder } from './stored-folder.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const file = fileURLToPath(import.meta.url);

describe('a folder that a run reads', () => {
  it('is the default one where none is named, there or not', () => {
    expect(findStoredFolder('baselines', undefined)).toBe('fixtures/baselines');
    expect(findStoredFolder('corpus', undefined)).toBe('fixtures/corpus');
  });

  it('is the one named where that is there, or is made', () => {
    expect(findStoredFolder('baselines', here)).toBe(here);
    expect(findStoredFolder('corpus', 'no-such', true)).toBe('no-such');
  });

  it.each([
    [
      'baselines',
      'fixtures/no-such',
      /it does not exist\. Name an existing folder, or let gate --update create it\.$/,
    ],
    ['corpus', file, / of corpus cannot be used: it is a file\. .* let fuzz create it\.$/],
    ['corpus', `${file}/below`, /a part of its path is not a folder/],
  ] as const)('of %s is refused as %s', (option, path, message) => {
    const refused = () => findStoredFolder(option, path);
    expect(refused).toThrow(message);
    expect(refused).toThrow(expect.objectContaining({ code: 'folder-unusable', exitCode: EXIT.usage }));
  });
});
