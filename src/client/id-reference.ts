/** An id, or an object that has one: a handle or an answer. */
export type IdReference =
  | string
  | {
      /** The id, as a method returned it. */
      readonly id: string
    }

/** The id of a reference. The method rejects a wrong value. */
export function idOf(reference: IdReference): string {
  return typeof reference === 'object' && reference !== null ? reference.id : reference
}
