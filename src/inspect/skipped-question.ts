/** The reason why a question could not be asked. */
export class SkippedQuestion extends Error {
  override readonly name = 'Unasked';
}
