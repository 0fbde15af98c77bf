import { describe, expect, test } from 'vitest';
import { registryOf } from './registry.ts';

const colours = registryOf('colour', [
  { name: 'red', what: 'of blood' },
  { name: 'green', what: 'of grass' },
]);
const blue = { name: 'blue', what: 'of the sky' };

describe('a registry', () => {
  test('finds by name, and says what is known where there is none', () => {
    expect(colours.find('green').what).toBe('of grass');
    expect(() => colours.find('gren')).toThrow(
      'Unknown colour "gren". Did you mean "green"? Known: red, green.',
    );
    expect(() => colours.find('toString')).toThrow('Unknown colour "toString".');
  });

  test('with more is another one, in order', () => {
    const more = colours.with(blue);
    expect(more.items.map(({ name }) => name)).toEqual(['red', 'green', 'blue']);
    expect(more.find('blue')).toBe(blue);
    expect(colours.items).toHaveLength(2);
    expect(() => colours.find('blue')).toThrow('Unknown colour');
  });

  test.each(['red', 'all', '', 'light blue', 'a,b', 'a;b', 'a=b', 'a*', undefined])('refuses %o', (name) => {
    const refused = () => colours.with({ name: name as string, what: 'of nothing' });
    expect(refused).toThrow(expect.objectContaining({ code: 'bad-item', exitCode: 2 }));
    expect(refused).toThrow(/^The colour .* cannot be registered: [^.]*\.$/);
  });
});
