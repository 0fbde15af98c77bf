/** What the page asks of its worker. */
export type Asked =
  /** Judges kernels of ours on the visitor's GPU, and times them. */
  | { readonly kind: 'device' }
  /** Judges a kernel of the visitor's. */
  | { readonly kind: 'kernel'; readonly source: string }
  /** Goes on where a run ended early. */
  | { readonly kind: 'resume' }
  | { readonly kind: 'stop' }
  /** Shows results of a file. */
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  /** Shows what a link holds: the fragment of the page's address. */
  | { readonly kind: 'link'; readonly fragment: string };

/** Something that a compiler says of a text. */
export interface Complaint {
  /** From 1; 0 where no line is meant. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Where a part of the page is drawn. */
export type Place = 'verdict' | 'arithmetic' | 'speeds' | 'report';

/** Markup of parts of the page. */
export type Drawn = { readonly [P in Place]?: string };

/** What can be kept of what is shown. */
export interface Kept {
  /** The results as the file that other commands read. */
  readonly file: string;
  /** The fragment of an address that shows them again; undefined where the browser makes none. */
  readonly fragment: string | undefined;
}

/** What the worker tells the page. */
export type Told =
  /** What is being done, and how much of it is. */
  | { readonly kind: 'doing'; readonly says: string; readonly done?: number; readonly of?: number }
  /** Parts of the page; `final` where they are complete. */
  | { readonly kind: 'draw'; readonly parts: Drawn; readonly final: boolean }
  /** Why there is no result, and what of a kernel's text does not compile. */
  | { readonly kind: 'problem'; readonly says: string; readonly complaints?: readonly Complaint[] }
  /** Nothing more comes; `canResume` where a run ended before its last case. */
  | {
      readonly kind: 'ended';
      readonly says: string;
      readonly canResume: boolean;
      readonly kept?: Kept | undefined;
    };
