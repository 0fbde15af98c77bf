/** The reason why a question could not be asked. */
export class Unasked extends Error {
  override readonly name = 'Unasked';
}
