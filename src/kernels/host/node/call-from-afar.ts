import { compileFunction } from 'node:vm';

/**
 * Returns a caller of functions that looks like a user's program: no code of this package is on the stack, nor among waiting functions.
 * @param file the file of that program.
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
      // A native function starts it in its own turn, so that no caller of this one is on the stack.
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
