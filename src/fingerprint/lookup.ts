/** Where one code occurs: parallel arrays, of which the first `length` elements count. */
export interface Postings {
  readonly songs: Uint32Array
  /** In the family's unit. */
  readonly times: Uint32Array
  readonly length: number
}

/** What the matcher asks of an index of one family of codes. */
export interface Lookup {
  /** Every song's number is below this; removed songs may leave gaps. */
  readonly songs: number
  /** About how many postings a code has; 0 means certainly none. Cheap: asked for every code. */
  frequency(code: number): number
  /** All postings of a code, in any order. The next call may overwrite them. */
  postings(code: number): Postings
}
