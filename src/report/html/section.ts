import type { Markup } from './markup.ts';

/** A part of the report with a heading of its own. */
export interface Section {
  /** The fragment that links lead to. */
  readonly id: string;
  readonly title: string;
  readonly body: Markup;
}
