/** A thing by its id: the id, a handle, or an answer that has it. */
export type IdReference =
  | string
  | {
      /** As the method that gave it says. */
      readonly id: string
    }

/** The id of a reference. What is wrong, the method refuses. */
export function idOf(given: IdReference): string {
  return typeof given === 'object' && given !== null ? given.id : given
}
