import { messageOf } from '../values/errors.ts'
import type { ImportRun } from './import-run.ts'
import { type ImportInput, inputBytes, invalidInput } from './input.ts'
import { decodePieces } from './text-encoding.ts'

/** About the longest text that a program can hold. */
const MAX_DOCUMENT_CHARACTERS = 1 << 28

/**
 * The elements of a list, or its only value; memory holds one element.
 *
 * @throws {ParameterError} when the text is cut off
 */
export async function* jsonElementsOf(
  input: ImportInput,
  run: ImportRun,
): AsyncGenerator<unknown, void> {
  const scanner = new ListScanner()
  let remainingText = ''
  for await (const piece of decodePieces(inputBytes(input))) {
    remainingText += piece
    let end = scanner.nextEnd(remainingText)
    let start = 0
    for (; end !== undefined; end = scanner.nextEnd(remainingText)) {
      yield* parsedElement(remainingText.slice(start, end), input, run)
      start = end + 1
    }
    if (scanner.isSingle && remainingText.length > MAX_DOCUMENT_CHARACTERS) {
      throw invalidInput(input, 'is one JSON value of more than 256 MiB; give a list')
    }
    remainingText = remainingText.slice(start)
    scanner.position -= start
  }
  if (scanner.isClosed) {
    if (remainingText.trim() !== '') run.leaveOut(input, 'text follows the end of the list')
    return
  }
  if (remainingText.trim() === '' && !scanner.hasBegun) return
  if (!scanner.isSingle) throw cutOffError(input)
  yield parseWholeValue(remainingText, input)
}

function parseWholeValue(text: string, input: ImportInput): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!/[}\]]\s*$/.test(text.slice(-99))) throw cutOffError(input, error)
    throw invalidInput(input, `is not a JSON document: ${messageOf(error)}`, error)
  }
}

function cutOffError(input: ImportInput, error?: unknown) {
  return invalidInput(input, 'ends in the middle of its list; download or copy it again', error)
}

function* parsedElement(text: string, input: ImportInput, run: ImportRun): Generator<unknown> {
  if (text.trim() === '') return
  try {
    yield JSON.parse(text)
  } catch (error) {
    run.skip(input, `an element is not JSON: ${messageOf(error)}`)
  }
}

/** The text grows at its end and is cut at its start. */
class ListScanner {
  position = 0
  hasBegun = false
  isClosed = false
  /** Another value than a list. */
  isSingle = false
  #depth = 0
  #isInString = false

  /** The next comma or bracket of the list itself; `undefined` if it has not come yet. */
  nextEnd(text: string): number | undefined {
    if (!this.#hasBegun(text)) return undefined
    for (; this.position < text.length; this.position++) {
      if (this.#isElementEnd(text.charAt(this.position))) return this.position++
    }
    return undefined
  }

  #hasBegun(text: string): boolean {
    if (this.isSingle || this.isClosed) return false
    if (this.hasBegun) return true
    const start = text.search(/\S/)
    if (start < 0) return false
    this.isSingle = text[start] !== '['
    this.hasBegun = true
    this.position = start
    return !this.isSingle
  }

  #isElementEnd(character: string): boolean {
    if (this.#isInString) {
      if (character === '\\') this.position++
      else if (character === '"') this.#isInString = false
      return false
    }
    if (character === '"') this.#isInString = true
    else if (character === '{' || character === '[') return this.#depth++ === 0
    else if (character === '}' || character === ']') {
      this.#depth--
      this.isClosed = this.#depth === 0
      return this.isClosed
    }
    return character === ',' && this.#depth === 1
  }
}
