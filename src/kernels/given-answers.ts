import { type Entries, entriesChanged } from '../matrix/operands.ts';

/** The most answers that are checked again, and their largest size. */
const [MOST, LARGEST] = [8, 2 ** 12];

/** Answers in memory that a kernel was given. They belong to the caller and must not change. */
export class AnswerKeeper {
  private readonly largest: number;
  private kept: { readonly answer: Entries; readonly copy: Entries }[] = [];

  /** @param largest the most entries of an answer that is checked again. */
  constructor(largest = LARGEST) {
    this.largest = largest;
  }

  add(answer: Entries, copy?: Entries): void {
    if (answer.length > this.largest) return;
    this.kept = [...this.kept, { answer, copy: copy ?? (answer.slice() as Entries) }].slice(-MOST);
  }

  /** Forgets answers whose memory is reused. */
  forget(memory: readonly Entries[]): void {
    const used = new Set(memory.map(({ buffer }) => buffer));
    this.kept = this.kept.filter(({ answer }) => !used.has(answer.buffer));
  }

  /** Returns how many products ago the last changed answer was given; undefined where none has changed. */
  changed(): number | undefined {
    const at = this.kept.findLastIndex(({ answer, copy }) => entriesChanged(answer, copy) > 0);
    if (at < 0) return undefined;
    const ago = this.kept.length - at;
    this.kept = [];
    return ago;
  }
}
