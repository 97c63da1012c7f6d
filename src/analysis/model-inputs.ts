/**
 * A model's weights stand for its inputs by place, so these must be the ones that it was fitted on.
 *
 * @param fitted  their names in order, with white space between them
 * @throws {TypeError} when the names given differ
 */
export function requireInputs(fitted: string, given: readonly string[]): void {
  if (fitted.trim().replace(/\s+/g, ' ') === given.join(' ')) return
  throw new TypeError(
    `The model was fitted on other inputs (${fitted.trim()}) than ${given.join(' ')}: fit it again ` +
      'with test/programs/trainers/rhythm-weights.ts.',
  )
}
