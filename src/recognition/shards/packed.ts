import { invalidParameter, limitExceeded } from '../../values/errors.ts'
import { queryOfChosenCodes, type RankedQuery } from '../search/query.ts'
import { readVarint, varintWidth, writeVarint } from '../systems/postings.ts'

/** Codes of one request and their occurrences: those of hours of music. */
const MAX_QUERY_CODES = 500_000
const MAX_QUERY_TIMES = 1_000_000

const VARINT_BYTES = 5

/** Whole numbers below 2^32 as varints. */
export function packNumbers(numbers: ArrayLike<number>): Uint8Array {
  const bytes = new Uint8Array(VARINT_BYTES * numbers.length)
  let offset = 0
  for (let i = 0; i < numbers.length; i++) offset = writeVarint(bytes, offset, numbers[i]!)
  return bytes.slice(0, offset)
}

/** Other bytes than those of {@link packNumbers} give some numbers, not an error. */
export function unpackNumbers(bytes: Uint8Array): Uint32Array {
  const numbers = new Uint32Array(bytes.length)
  let count = 0
  for (let offset = 0; offset < bytes.length; ) {
    const number = readVarint(bytes, offset) >>> 0
    numbers[count++] = number
    offset += varintWidth(number)
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
  requireAtMost('codes', codes.length, MAX_QUERY_CODES)
  for (let i = 1; i < codes.length; i++) codes[i] = codes[i]! + codes[i - 1]!
  return codes
}

/** For each of a query's rarest codes: its step, frequency, number of occurrences, and times. */
export function packQuery(query: RankedQuery, codes: number): Uint8Array {
  const { order, starts, times, frequencies } = query
  const ranks = Uint32Array.from({ length: codes }, (_, rank) => rank)
  ranks.sort((rank, other) => order[rank]! - order[other]!)
  const numbers: number[] = []
  let previousCode = 0
  for (const rank of ranks) {
    const place = order[rank]!
    const [start, end] = [starts[place]!, starts[place + 1]!]
    numbers.push(query.codes[place]! - previousCode, frequencies[rank]!, end - start)
    previousCode = query.codes[place]!
    for (let i = start; i < end; i++) numbers.push(times[i]! - (i > start ? times[i - 1]! : 0))
  }
  return packNumbers(numbers)
}

/** @throws {ParameterError} when there are too many codes, or the bytes end too early */
export function unpackQuery(
  bytes: Uint8Array,
  { origin, last, songs }: Pick<RankedQuery, 'origin' | 'last'> & { songs: number },
): RankedQuery {
  const numbers = unpackNumbers(bytes)
  const codes: number[] = []
  const frequencies: number[] = []
  const starts: number[] = []
  const times: number[] = []
  for (let index = 0; index < numbers.length; ) {
    const [step, frequency, count] = numbers.subarray(index, index + 3)
    index += 3
    if (count === undefined || index + count > numbers.length) {
      throw invalidParameter('query', 'ends within a code')
    }
    codes.push(step! + (codes.at(-1) ?? 0))
    frequencies.push(frequency!)
    starts.push(times.length)
    let time = 0
    for (const end = index + count; index < end; index++) {
      time += numbers[index]!
      times.push(time)
    }
  }
  requireAtMost('query', codes.length, MAX_QUERY_CODES)
  requireAtMost('query', times.length, MAX_QUERY_TIMES)
  const grouped = {
    codes: Uint32Array.from(codes),
    starts: Uint32Array.from([...starts, times.length]),
    times: Uint32Array.from(times),
  }
  return queryOfChosenCodes({ ...grouped, origin, last }, Uint32Array.from(frequencies), songs)
}

function requireAtMost(name: string, count: number, max: number): void {
  if (count <= max) return
  const [many, limit] = [count, max].map((number) => number.toLocaleString('en'))
  throw limitExceeded(name, `${many} codes or times; ask for at most ${limit}`)
}
