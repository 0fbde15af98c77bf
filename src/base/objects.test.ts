import { expect, it } from 'vitest';
import { renameKeys } from './objects.ts';

const renamed = (text: string, renames: Parameters<typeof renameKeys>[1]): unknown => {
  const value: unknown = JSON.parse(text);
  renameKeys(value, renames);
  return value;
};

it('renames keys at the top, in objects and in items of lists, and nowhere else', () => {
  const text = '{"a": 1, "in": {"a": 2}, "list": [{"in": {"a": 3}}, {"in": {"b": 4}}], "other": {"a": 5}}';
  const renames = { 'list[].in': { a: 'x' }, in: { a: 'y' }, '': { a: 'z', list: 'items' } };
  expect(renamed(text, renames)).toEqual({
    ...{ z: 1, in: { y: 2 }, other: { a: 5 } },
    items: [{ in: { x: 3 } }, { in: { b: 4 } }],
  });
});

it.each(['null', '3', '"a"', '[{"a": 1}]', '{"in": null}', '{"in": [{"a": 1}]}', '{"list": {"a": 1}}'])(
  'leaves %s as it is',
  (text) => {
    const renames = { 'in.in': { a: 'x' }, in: { a: 'x' }, 'list[]': { a: 'x' }, '': { a: 'x' } };
    expect(renamed(text, renames)).toEqual(JSON.parse(text));
  },
);
