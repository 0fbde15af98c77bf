import { expect, test } from 'vitest';
import { tarFiles } from './swiftshader.ts';

function entry(name: string, contents: string, type = '0'): Buffer {
  const block = Buffer.alloc(512 + Math.ceil(contents.length / 512) * 512);
  block.write(name, 0);
  block.write(`${contents.length.toString(8).padStart(11, '0')} `, 124);
  block.write(type, 156);
  block.write(contents, 512);
  return block;
}
const end = Buffer.alloc(1024);

test('regular files are found by base name', () => {
  const archive = Buffer.concat([
    entry('folder/', '', '5'),
    entry('folder/a', 'first'),
    entry('b', 'x'.repeat(513)),
    entry('link', '', '2'),
    end,
  ]);
  const files = tarFiles(archive);
  expect([...files.keys()]).toEqual(['a', 'b']);
  expect(files.get('a')?.toString()).toBe('first');
  expect(files.get('b')?.length).toBe(513);
});

test('an archive cut short is refused', () => {
  expect(() => tarFiles(entry('a', 'first').subarray(0, 515))).toThrow(/ends inside a/);
});
