import { compileFunction } from 'node:vm';

/**
 * Calls a function as a program of somebody's would: on its stack, and in that of what it waits for, nothing of ours stands.
 * @param file of that program.
 */
export function callFromAfar(
  file: string,
): (work: () => unknown, returned: (answer: unknown) => void) => Promise<void> {
  const main = compileFunction(TEXT, ['multiply', 'returned', 'failed'], { filename: file });
  return (work, returned) =>
    new Promise((resolve, reject) => {
      const told = (answer: unknown) => {
        returned(answer);
        resolve();
      };
      // A function of the language begins it, in a turn of its own: no caller of this one is on the stack.
      Promise.resolve().then(main.bind(undefined, work, told, reject));
    });
}

const TEXT = `
  let c;
  try {
    c = multiply();
  } catch (error) {
    failed(error);
    return;
  }
  returned(c);
`;
