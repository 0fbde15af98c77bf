import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { arrayOf, startOf } from '../stored-bytes.ts';
import { fileReason, type OpenFile, readText, readWhole, withFile } from './read-file.ts';
import { temporaryPathFor } from './temporary-files.ts';
import { appendTo, ensureWritable, requireTarget, writeWhole } from './write-file.ts';

let folder: string;
const at = (name: string) => join(folder, name);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'files-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const isUnix = process.platform !== 'win32';

describe.runIf(isUnix)('a file that is written', () => {
  it('leaves links, and writes what they lead to, there or not', () => {
    writeFileSync(at('target'), 'old', { mode: 0o640 });
    symlinkSync('target', at('link'));
    symlinkSync('link', at('of-link'));
    symlinkSync('nowhere', at('dangling'));
    for (const name of ['of-link', 'dangling']) {
      requireTarget(at(name));
      writeWhole(at(name), 'new');
      expect(readlinkSync(at(name))).not.toBe('');
    }
    expect([readText(at('target')), readText(at('nowhere'))]).toEqual(['new', 'new']);
    expect(lstatSync(at('target')).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder).sort()).toEqual(['dangling', 'link', 'nowhere', 'of-link', 'target']);
  });

  it('removes what was left by who was killed as it wrote, and nothing of who runs or writes elsewhere', () => {
    const { pid: gone } = spawnSync('true');
    const own = temporaryPathFor(at('results.json'));
    const left = own.replace(`-${process.pid}-`, `-${gone}-`);
    const [where] = /[\da-f]{8}(?=-\d+-)/.exec(own) as RegExpExecArray;
    const elsewhere = left.replace(where, where === '00000000' ? '00000001' : '00000000');
    for (const file of [own, left, elsewhere, at('mine.tmp')]) writeFileSync(file, 'half');
    ensureWritable(folder);
    expect(readdirSync(folder).map(at).sort()).toEqual([at('mine.tmp'), elsewhere, own].sort());
  });

  it('writes to devices, of which none is replaced', () => {
    symlinkSync('/dev/null', at('null'));
    requireTarget(at('null'));
    writeWhole(at('null'), 'gone');
    appendTo(at('null'), 'gone', (path, why) => new Error(`${path}: ${why}`));
    expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true);
    expect(readlinkSync(at('null'))).toBe('/dev/null');
  });

  it.runIf(existsSync('/dev/full'))('says that a disk is full', () => {
    symlinkSync('/dev/full', at('full'));
    requireTarget(at('full'));
    expect(() => writeWhole(at('full'), 'text')).toThrow(
      /^Cannot write the report .*full: the disk is full\./,
    );
  });

  it('refuses, before any work, what it would wait for or destroy', () => {
    execFileSync('mkfifo', [at('pipe')]);
    symlinkSync('pipe', at('to-pipe'));
    symlinkSync('circle', at('circle'));
    for (const [name, why] of [
      ['pipe', 'it is a pipe. Name a file, or /dev/stdout'],
      ['to-pipe', 'it is a pipe. Name a file, or /dev/stdout'],
      ['circle', 'its symbolic links form a loop'],
      ['.', 'it is a folder'],
      ['none/file', 'its folder does not exist'],
    ]) {
      const sentence = `: ${why}.`;
      expect(() => requireTarget(at(name)), name).toThrow(sentence);
      expect(() => writeWhole(at(name), 'text'), name).toThrow(sentence);
    }
    expect(() => ensureWritable(folder, ['a', 'pipe'])).toThrow('it is a pipe');
    expect(lstatSync(at('pipe')).isFIFO()).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(['circle', 'pipe', 'to-pipe']);
  });
});

describe('a file that is read', () => {
  it('is read whole, or in part, by as many reads as it takes', () => {
    writeFileSync(at('text'), 'a longer text');
    expect(readWhole(at('text'))).toEqual(readFileSync(at('text')));
    for (const atOnce of [1, 4, 5, 99]) {
      const parts = (file: OpenFile) =>
        [startOf(file, 3), startOf(file, 99), arrayOf(file, 2, 8)].map((part) =>
          String.fromCharCode(...part),
        );
      expect(withFile(at('text'), parts, atOnce), `${atOnce}`).toEqual(['a l', 'a longer text', 'longer t']);
    }
  });

  it('is refused if it is shortened meanwhile', () => {
    writeFileSync(at('text'), 'a longer text');
    const shortened = (file: OpenFile) => {
      truncateSync(at('text'), 7);
      return file.whole();
    };
    expect(() => withFile(at('text'), shortened, 4)).toThrow('it became shorter while it was read');
  });

  it.runIf(isUnix)('is none that never ends, or that waits for a writer', () => {
    execFileSync('mkfifo', [at('pipe')]);
    const why = (path: string) => {
      try {
        return readText(path);
      } catch (error) {
        return fileReason(error);
      }
    };
    expect(['/dev/zero', at('pipe'), folder, at('none')].map(why)).toEqual([
      'it is a device',
      'it is a pipe',
      'it is a folder',
      'it does not exist',
    ]);
  });
});
