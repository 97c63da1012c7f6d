import { grown } from '../../audio/samples.ts'
import { keysOf, type RecordingStore } from '../recording-store.ts'
import type { Codes } from '../systems/codes.ts'
import type { Family } from '../systems/version.ts'
import { CHUNKS, type FamilyLayout, familyOf } from './layout.ts'
import { eachPosting } from './rows.ts'

/**
 * Collects the codes of some recordings from the whole index, family by family. The index is sorted by
 * codes, so it has to be read from end to end for them; keeping them by recording too would double its
 * size. Reading 2,048 recordings at a time, a hundred thousand take some minutes, and 50 MB of memory.
 *
 * Recordings of imported codes get their original codes, except the stop codes of Echoprint.
 *
 * @param numbers - of recordings, ascending
 * @param pause - called between steps of some milliseconds
 * @param families - which to collect; all, when not given
 */
export async function collectCodes(
  store: RecordingStore,
  numbers: readonly number[],
  pause: () => Promise<void>,
  families?: readonly Family[],
): Promise<Map<number, Map<Family, Codes>>> {
  const found = new Map(numbers.map((number) => [number, new Map<Family, Codes>()]))
  const { index } = store
  const isAsked = ({ family }: FamilyLayout) => families?.includes(family) ?? true
  // Unpacked codes are taken first: while they are being packed they are in both places.
  const heads = new Set(index.headIds())
  for (const number of numbers) {
    if (!heads.has(number)) continue
    for (const { family, codes } of index.headOf(number)) {
      const layout = index.layout()[familyOf(family)]
      if (!isAsked(layout)) continue
      const { keys, times } = keysOf(codes)
      found.get(number)?.set(layout.family, { codes: codesOf(layout, keys), times })
    }
  }
  const packed = numbers.filter((number) => !heads.has(number))
  if (packed.length === 0) return found
  for (const layout of Object.values(index.layout())) {
    if (!isAsked(layout)) continue
    const gathered = new Gathered(packed)
    for (let chunk = 0; chunk < CHUNKS; chunk++) {
      gatherChunk(store, layout, chunk, gathered)
      await pause()
    }
    for (const [number, { keys, times }] of gathered.byRecording()) {
      found.get(number)?.set(layout.family, { codes: codesOf(layout, keys), times })
    }
  }
  return found
}

function codesOf(layout: FamilyLayout, keys: Uint32Array): Uint32Array {
  return keys.map((key) => layout.codeOf(key))
}

function gatherChunk(
  { index }: RecordingStore,
  layout: FamilyLayout,
  chunk: number,
  gathered: Gathered,
): void {
  const from = layout.segmentOf(gathered.first)
  const to = layout.segmentOf(gathered.last)
  const last = layout.lastRowOf((chunk + 1) * layout.chunk - 1)
  for (const row of index.postings(layout.rowOf(chunk * layout.chunk), last)) {
    const segment = layout.segmentOf(layout.baseOf(row.id))
    if (segment < from || segment > to) continue
    eachPosting(layout, row, (key, recording, time) => gathered.add(recording, key, time))
  }
}

/** Keys of some recordings, in the order of the index: by ascending key. */
class Gathered {
  readonly first: number
  readonly last: number
  readonly #places: Int32Array
  readonly #numbers: readonly number[]
  #of = new Uint32Array(1024)
  #keys = new Uint32Array(1024)
  #times = new Uint32Array(1024)
  #length = 0

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers
    this.first = numbers[0]!
    this.last = numbers.at(-1)!
    this.#places = new Int32Array(this.last - this.first + 1).fill(-1)
    for (const [place, number] of numbers.entries()) this.#places[number - this.first] = place
  }

  add(recording: number, key: number, time: number): void {
    const place = this.#places[recording - this.first] ?? -1
    if (place < 0) return
    const at = this.#length++
    this.#of = grown(this.#of, at + 1)
    this.#keys = grown(this.#keys, at + 1)
    this.#times = grown(this.#times, at + 1)
    this.#of[at] = place
    this.#keys[at] = key
    this.#times[at] = time
  }

  *byRecording(): Generator<[number: number, { keys: Uint32Array; times: Uint32Array }]> {
    const starts = new Uint32Array(this.#numbers.length + 1)
    for (let i = 0; i < this.#length; i++) starts[this.#of[i]! + 1]!++
    for (let i = 1; i < starts.length; i++) starts[i] = starts[i]! + starts[i - 1]!
    const next = starts.slice()
    const order = new Uint32Array(this.#length)
    for (let i = 0; i < this.#length; i++) {
      const place = this.#of[i]!
      order[next[place]!] = i
      next[place] = next[place]! + 1
    }
    for (const [place, number] of this.#numbers.entries()) {
      const own = order.subarray(starts[place]!, starts[place + 1]!)
      if (own.length === 0) continue
      yield [
        number,
        { keys: own.map((i) => this.#keys[i]!), times: own.map((i) => this.#times[i]!) },
      ]
    }
  }
}
