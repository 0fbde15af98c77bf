import type { Markup } from './markup.ts';

/** A part of the report with a heading of its own. */
export interface Section {
  /** The fragment that links lead to. */
  readonly id: string;
  readonly title: string;
  readonly body: Markup;
  /** Whether only its title is seen until it is asked for. */
  readonly folded?: boolean;
}
