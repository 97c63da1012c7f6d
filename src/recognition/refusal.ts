/** What an answer may lack. */
export type Term =
  /** The query has too few distinct codes. */
  | 'minimum'
  /** Too little agrees, in an index of this size. */
  | 'score'
  /** Too small a share of the codes agrees. */
  | 'codes'
  /** What agrees may agree by chance, or with the likes of it. */
  | 'surprise'
  /** Another recording has nearly as much. */
  | 'lead'
  /** Two systems place the query at different times. */
  | 'offset'
  /** Too small a share of a whole file is where the recording has it. */
  | 'aligned'
  /** Two files: too short a part of the longer one sounds in both. */
  | 'overlap'
  /** Two files: too few codes agree. */
  | 'agreeing'
  /** Two files: in some places hardly any code agrees. */
  | 'weakest'
  /** Two files: one is played faster. */
  | 'speed'
  /** Two files: the pitches differ. */
  | 'pitches'
  /** The lengths are of different recordings. */
  | 'length'
  /** Other names, or none. */
  | 'title'
  | 'artist'
  /** It has fingerprints, and would have been recognised by them. */
  | 'sound'

/** Why an answer is refused: `value` is below `least`, or above `most`. */
export interface Refusal {
  readonly accepted: false
  readonly because: Term
  readonly value: number
  readonly least?: number
  readonly most?: number
}

export type Verdict = { readonly accepted: true } | Refusal

export const ACCEPTED: Verdict = Object.freeze({ accepted: true })

export function below(because: Term, value: number, least: number): Refusal | undefined {
  return value < least ? { accepted: false, because, value, least } : undefined
}

export function above(because: Term, value: number, most: number): Refusal | undefined {
  return value > most ? { accepted: false, because, value, most } : undefined
}
