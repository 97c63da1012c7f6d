import { invalidParameter, limitExceeded } from '../../values/errors.ts'
import { type Query, queryAsGiven } from '../search/query.ts'
import { varintAt, widthOf, write } from '../systems/postings.ts'

/** Codes that one request may ask for, and their occurrences: those of hours of music. */
const MOST_CODES = 500_000
const MOST_TIMES = 1_000_000

/** Bytes of a 32-bit varint, at most. */
const WIDEST = 5

/** Whole numbers below 2^32 as varints. */
export function packNumbers(numbers: ArrayLike<number>): Uint8Array {
  const bytes = new Uint8Array(WIDEST * numbers.length)
  let at = 0
  for (let i = 0; i < numbers.length; i++) at = write(bytes, at, numbers[i]!)
  return bytes.slice(0, at)
}

/** The numbers that {@link packNumbers} packed; other bytes give some numbers, not an error. */
export function unpackNumbers(bytes: Uint8Array): Uint32Array {
  const numbers = new Uint32Array(bytes.length)
  let count = 0
  for (let at = 0; at < bytes.length; ) {
    const number = varintAt(bytes, at) >>> 0
    numbers[count++] = number
    at += widthOf(number)
  }
  return numbers.subarray(0, count)
}

/** Packs ascending codes as the steps between them. */
export function packCodes(codes: Uint32Array): Uint8Array {
  return packNumbers(codes.map((code, i) => code - (codes[i - 1] ?? 0)))
}

/** @throws {ParameterError} `limit_exceeded` */
export function unpackCodes(bytes: Uint8Array): Uint32Array {
  const codes = unpackNumbers(bytes)
  requireAtMost('codes', codes.length, MOST_CODES)
  for (let i = 1; i < codes.length; i++) codes[i] = codes[i]! + codes[i - 1]!
  return codes
}

/** Packs a query's rarest codes: for each its step, frequency, number of occurrences, and times. */
export function packQuery(query: Query, codes: number): Uint8Array {
  const { order, starts, times, frequencies } = query
  const ranks = Uint32Array.from({ length: codes }, (_, rank) => rank)
  ranks.sort((one, other) => order[one]! - order[other]!)
  const numbers: number[] = []
  let before = 0
  for (const rank of ranks) {
    const place = order[rank]!
    const [start, end] = [starts[place]!, starts[place + 1]!]
    numbers.push(query.codes[place]! - before, frequencies[rank]!, end - start)
    before = query.codes[place]!
    for (let i = start; i < end; i++) numbers.push(times[i]! - (i > start ? times[i - 1]! : 0))
  }
  return packNumbers(numbers)
}

/**
 * @param songs - how many songs all indexes hold
 * @throws {ParameterError} when there are too many codes, or the bytes end too early
 */
export function unpackQuery(
  bytes: Uint8Array,
  { origin, last, songs }: Pick<Query, 'origin' | 'last'> & { songs: number },
): Query {
  const numbers = unpackNumbers(bytes)
  const codes: number[] = []
  const frequencies: number[] = []
  const starts: number[] = []
  const times: number[] = []
  for (let at = 0; at < numbers.length; ) {
    const [step, frequency, count] = numbers.subarray(at, at + 3)
    at += 3
    if (count === undefined || at + count > numbers.length) {
      throw invalidParameter('query', 'ends within a code')
    }
    codes.push(step! + (codes.at(-1) ?? 0))
    frequencies.push(frequency!)
    starts.push(times.length)
    let time = 0
    for (const end = at + count; at < end; at++) {
      time += numbers[at]!
      times.push(time)
    }
  }
  requireAtMost('query', codes.length, MOST_CODES)
  requireAtMost('query', times.length, MOST_TIMES)
  const grouped = {
    codes: Uint32Array.from(codes),
    starts: Uint32Array.from([...starts, times.length]),
    times: Uint32Array.from(times),
  }
  return queryAsGiven({ ...grouped, origin, last }, Uint32Array.from(frequencies), songs)
}

function requireAtMost(name: string, count: number, most: number): void {
  if (count <= most) return
  const [many, limit] = [count, most].map((number) => number.toLocaleString('en'))
  throw limitExceeded(name, `${many} codes or times; ask for at most ${limit}`)
}
