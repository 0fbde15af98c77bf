import { describe, expect, test } from 'vitest';
import { registryOf } from './registry.ts';

const colors = registryOf('colour', [
  { name: 'red', what: 'of blood' },
  { name: 'green', what: 'of grass' },
]);
const blue = { name: 'blue', what: 'of the sky' };

describe('a registry', () => {
  test('finds by name, and says what is known where there is none', () => {
    expect(colors.find('green').what).toBe('of grass');
    expect(colors.get('green')).toBe(colors.items[1]);
    expect(colors.get('toString')).toBeUndefined();
    expect(() => colors.find('gren')).toThrow(
      'Unknown colour "gren". Did you mean "green"? Known: red, green.',
    );
    expect(() => colors.find('toString')).toThrow('Unknown colour "toString".');
  });

  test('with more is another one, in order', () => {
    const more = colors.with([blue]);
    expect(more.names).toEqual(['red', 'green', 'blue']);
    expect(more.find('blue')).toBe(blue);
    expect(colors.items).toHaveLength(2);
    expect(() => colors.find('blue')).toThrow('Unknown colour');
  });

  test('never changes', () => {
    const list = [...colors.items];
    const made = registryOf('colour', list);
    list.push(blue);
    expect(made.names).toEqual(['red', 'green']);
    expect([made, made.items, made.names].every(Object.isFrozen)).toBe(true);
    expect(() => (made.items as unknown[]).push(blue)).toThrow(TypeError);
    expect(() => Object.assign(made, { find: () => blue })).toThrow(TypeError);
  });

  test.each(['red', 'all', '', 'light blue', 'a,b', 'a;b', 'a=b', 'a*', undefined])('refuses %o', (name) => {
    const refused = () => colors.with([{ name: name as string, what: 'of nothing' }]);
    expect(refused).toThrow(expect.objectContaining({ code: 'bad-item', exitCode: 2 }));
    expect(refused).toThrow(/^The colour .* cannot be registered: [^.]*(\. Rename [^.]*)?\.$/);
  });

  test('says who brought each of two items of one name', () => {
    const [red] = colors.items;
    expect(() => colors.with([red])).toThrow(
      'The colour "red" cannot be registered: gemm-paranoia already has one of this name. Rename the one in the config.',
    );
    expect(() => colors.with([blue], 'a file').with([blue], 'a flag')).toThrow(
      ': a file already has one of this name. Rename the one in a flag.',
    );
    expect(() => colors.with([blue, blue])).toThrow(': the config has two of this name. Rename one.');
  });
});
