/** A store of results: files that are written once, atomically, if absent. */
export interface Store {
  /** Its name in messages. */
  readonly where: string;
  /** Reads a file. @returns undefined if there is none @throws ParanoiaError `store-unusable` */
  read(name: string): Promise<Uint8Array | undefined>;
  /**
   * Writes a file unless one of this name exists.
   * @returns true if it was written; otherwise the other file stays
   * @throws ParanoiaError `store-unwritable`
   */
  add(name: string, bytes: Uint8Array): Promise<boolean>;
  /** Lists the names of all files with a prefix. @throws ParanoiaError `store-unusable` */
  list(prefix: string): Promise<string[]>;
}
