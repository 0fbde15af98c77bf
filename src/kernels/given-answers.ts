import { type Entries, entriesChanged } from '../matrix/operands.ts';

/** Answers that are looked at again, and their largest size. */
const [MOST, LARGEST] = [8, 2 ** 12];

/** What was answered in memory that a kernel was given: it is the caller's, and stays as it is. */
export class GivenAnswers {
  private readonly largest: number;
  private kept: { readonly answer: Entries; readonly copy: Entries }[] = [];

  /** @param largest entries of an answer that is looked at again. */
  constructor(largest = LARGEST) {
    this.largest = largest;
  }

  /** Keeps an answer in mind. */
  add(answer: Entries, copy?: Entries): void {
    if (answer.length > this.largest) return;
    this.kept = [...this.kept, { answer, copy: copy ?? (answer.slice() as Entries) }].slice(-MOST);
  }

  /** Forgets what lies in memory that is used for something else now. */
  forget(memory: readonly Entries[]): void {
    const used = new Set(memory.map(({ buffer }) => buffer));
    this.kept = this.kept.filter(({ answer }) => !used.has(answer.buffer));
  }

  /** How many products ago the last answer was given that is no longer what it was; undefined where all are. */
  changed(): number | undefined {
    const at = this.kept.findLastIndex(({ answer, copy }) => entriesChanged(answer, copy) > 0);
    if (at < 0) return undefined;
    const ago = this.kept.length - at;
    this.kept = [];
    return ago;
  }
}
