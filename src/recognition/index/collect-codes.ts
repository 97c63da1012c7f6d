import { keysOf, type RecordingStore } from '../recording-store.ts'
import type { Codes } from '../systems/codes.ts'
import { type Keys, PostingsReader } from '../systems/postings.ts'
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
      set(number, layout, keysOf(codes))
    }
  }
  const packed = numbers.filter((number) => !heads.has(number))
  const [first, last] = [packed[0], packed.at(-1)]
  if (first === undefined || last === undefined) return found
  for (const layout of Object.values(index.layout())) {
    if (!isAsked(layout)) continue
    // By the distance from the first number: a look-up in a map for each posting would take longest.
    const gathered: PostingsReader[] = []
    for (const number of packed) gathered[number - first] = new PostingsReader()
    for (let chunk = 0; chunk < CHUNKS; chunk++) {
      const lastRow = layout.lastRowOf((chunk + 1) * layout.chunk - 1)
      for (const row of index.postings(layout.rowOf(chunk * layout.chunk), lastRow)) {
        const base = layout.baseOf(row.id)
        if (base + layout.segment <= first || base > last) continue
        eachPosting(layout, row, (key, number, time) => gathered[number - first]?.add(key, time))
      }
      await pause()
    }
    for (const number of packed) {
      const keys = gathered[number - first]!.copied()
      if (keys.times.length > 0) set(number, layout, keys)
    }
  }
  return found

  function set(number: number, layout: FamilyLayout, { keys, times }: Keys): void {
    found.get(number)?.set(layout.family, { codes: keys.map((key) => layout.codeOf(key)), times })
  }
}
