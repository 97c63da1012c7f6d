/**
 * A fingerprint as lists: which key occurs when. Parallel arrays in the order their generator emits
 * them; the unit of the times belongs to the family (see version.ts).
 */
export interface Codes {
  /** Unsigned, at most 31 bits. */
  readonly codes: Uint32Array
  readonly times: Uint32Array
}
