import { type RecordingStore, storedKeys } from '../recording-store.ts'
import type { Codes } from '../systems/codes.ts'
import { type KeyTimes, PostingsReader } from '../systems/postings.ts'
import type { Family } from '../systems/version.ts'
import { CHUNKS, type FamilyLayout, familyOf } from './layout.ts'
import { forEachPosting } from './rows.ts'

/**
 * Collects the codes of recordings from the whole index, which is sorted by codes. Echoprint's stop
 * codes are lost.
 */
export async function collectCodes(
  store: RecordingStore,
  numbers: readonly number[],
  pause: () => Promise<void>,
  families?: readonly Family[],
): Promise<Map<number, Map<Family, Codes>>> {
  const codesByRecording = new Map(numbers.map((number) => [number, new Map<Family, Codes>()]))
  const { index } = store
  const isAsked = ({ family }: FamilyLayout) => families?.includes(family) ?? true
  // Unpacked codes first: while they are packed they are in both places.
  const heads = new Set(index.headIds())
  for (const number of numbers) {
    if (!heads.has(number)) continue
    for (const { family, codes } of index.headOf(number)) {
      const layout = index.layout()[familyOf(family)]
      if (!isAsked(layout)) continue
      setCodes(number, layout, storedKeys(codes))
    }
  }
  const packed = numbers.filter((number) => !heads.has(number))
  const [first, last] = [packed[0], packed.at(-1)]
  if (first === undefined || last === undefined) return codesByRecording
  for (const layout of Object.values(index.layout())) {
    if (!isAsked(layout)) continue
    // By distance from the first number: a map look-up for each posting is slow.
    const readers: PostingsReader[] = []
    for (const number of packed) readers[number - first] = new PostingsReader()
    for (let chunk = 0; chunk < CHUNKS; chunk++) {
      const lastRow = layout.lastRowOf((chunk + 1) * layout.chunk - 1)
      for (const row of index.postings(layout.rowOf(chunk * layout.chunk), lastRow)) {
        const base = layout.baseOf(row.id)
        if (base + layout.segment <= first || base > last) continue
        forEachPosting(layout, row, (key, number, time) =>
          readers[number - first]?.addPosting(key, time),
        )
      }
      await pause()
    }
    for (const number of packed) {
      const keys = readers[number - first]!.toKeys()
      if (keys.times.length > 0) setCodes(number, layout, keys)
    }
  }
  return codesByRecording

  function setCodes(number: number, layout: FamilyLayout, { keys, times }: KeyTimes): void {
    codesByRecording
      .get(number)
      ?.set(layout.family, { codes: keys.map((key) => layout.codeOf(key)), times })
  }
}
