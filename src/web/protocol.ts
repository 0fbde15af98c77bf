export type WorkerRequest =
  /** Judges kernels of ours on the visitor's GPU, and times them. */
  | { readonly kind: 'device' }
  /** Judges a kernel of the visitor. */
  | { readonly kind: 'kernel'; readonly source: string }
  /** Continues a run that ended early. */
  | { readonly kind: 'resume' }
  | { readonly kind: 'stop' }
  /** Shows results of a file. */
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  /** Shows the results in a link: the fragment of the page's address. */
  | { readonly kind: 'link'; readonly fragment: string };

export interface CompilerMessage {
  /** The line, from 1; 0 if the message concerns no line. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** A part of the page that is drawn. */
export type PagePart = 'verdict' | 'arithmetic' | 'speeds' | 'report';

export type PageMarkup = { readonly [P in PagePart]?: string };

/** Forms of the shown results that the visitor can keep. */
export interface KeptForms {
  /** The results, as the file that other commands read. */
  readonly file: string;
  /** The fragment of an address that shows them again; undefined if they are too large, or the browser cannot make it. */
  readonly fragment: string | undefined;
}

export type WorkerMessage =
  /** The task in progress, and how much of it is done. */
  | { readonly kind: 'doing'; readonly says: string; readonly done?: number; readonly of?: number }
  /** Parts of the page; `final` where they are complete. */
  | { readonly kind: 'draw'; readonly parts: PageMarkup; readonly final: boolean }
  /** The reason why there is no result, and the compiler's messages. */
  | { readonly kind: 'problem'; readonly says: string; readonly complaints?: readonly CompilerMessage[] }
  /** The end of a task; `canResume` if the run ended before its last case. */
  | {
      readonly kind: 'ended';
      readonly says: string;
      readonly canResume: boolean;
      readonly kept?: KeptForms | undefined;
    };
