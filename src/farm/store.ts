/** Where results are kept: files that are written once, if absent, whole or not at all. */
export interface Store {
  /** As messages call it. */
  readonly where: string;
  /** @returns undefined where there is none. @throws ParanoiaError `store-unusable` */
  read(name: string): Promise<Uint8Array | undefined>;
  /**
   * Writes a file where there is none.
   * @returns whether it did; else another is there, and stays.
   * @throws ParanoiaError `store-unwritable`
   */
  add(name: string, bytes: Uint8Array): Promise<boolean>;
  /** The names of all files that begin so. @throws ParanoiaError `store-unusable` */
  list(prefix: string): Promise<string[]>;
}
