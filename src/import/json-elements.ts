import { messageOf } from '../values/errors.ts'
import type { ImportRun } from './import-run.ts'
import { bytesOf, type ImportInput, invalidInput } from './input.ts'
import { textOf } from './text-encoding.ts'

/** In characters: about the longest text that a program can hold. */
const LONGEST_DOCUMENT = 1 << 28

/**
 * The elements of the list that a JSON text is, one by one, or its only value. Memory holds one
 * element. An element that cannot be read is skipped.
 *
 * @throws {ParameterError} when the text is cut off
 */
export async function* jsonElementsOf(
  input: ImportInput,
  run: ImportRun,
): AsyncGenerator<unknown, void> {
  const scanner = new ListScanner()
  let rest = ''
  for await (const piece of textOf(bytesOf(input))) {
    rest += piece
    let end = scanner.nextEnd(rest)
    let from = 0
    for (; end !== undefined; end = scanner.nextEnd(rest)) {
      yield* parsedElement(rest.slice(from, end), input, run)
      from = end + 1
    }
    if (scanner.isSingle && rest.length > LONGEST_DOCUMENT) {
      throw invalidInput(input, 'is one JSON value of more than 256 MiB; give a list')
    }
    rest = rest.slice(from)
    scanner.at -= from
  }
  if (scanner.isClosed) {
    if (rest.trim() !== '') run.leaveOut(input, 'text follows the end of the list')
    return
  }
  if (rest.trim() === '' && !scanner.hasBegun) return
  if (!scanner.isSingle) throw cutOff(input)
  yield wholeValue(rest, input)
}

function wholeValue(text: string, input: ImportInput): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!/[}\]]\s*$/.test(text.slice(-99))) throw cutOff(input, error)
    throw invalidInput(input, `is not a JSON document: ${messageOf(error)}`, error)
  }
}

function cutOff(input: ImportInput, error?: unknown) {
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

/** Finds where the elements of a list end, in a text that grows at its end and is cut at its start. */
class ListScanner {
  /** Where in the text it goes on. */
  at = 0
  hasBegun = false
  isClosed = false
  /** Whether the text is another value than a list. */
  isSingle = false
  #depth = 0
  #isInString = false

  /** Where the next comma or bracket of the list itself is; `undefined` if it has not come yet. */
  nextEnd(text: string): number | undefined {
    if (!this.#hasBegun(text)) return undefined
    for (; this.at < text.length; this.at++) {
      if (this.#isElementEnd(text.charAt(this.at))) return this.at++
    }
    return undefined
  }

  #hasBegun(text: string): boolean {
    if (this.isSingle || this.isClosed) return false
    if (this.hasBegun) return true
    const first = text.search(/\S/)
    if (first < 0) return false
    this.isSingle = text[first] !== '['
    this.hasBegun = true
    this.at = first
    return !this.isSingle
  }

  #isElementEnd(character: string): boolean {
    if (this.#isInString) {
      if (character === '\\') this.at++
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
