import type { LibraryValues } from '../track/album-groups.ts'
import { unknownLibraryValue } from '../track/library-columns.ts'
import type { MusicKey } from '../values/music-key.ts'

type Columns = LibraryValues['columns']

/** The key of a track by its number, with its mode; `undefined` where it has none. */
export function musicKeyOf(columns: Columns, num: number | undefined): MusicKey | undefined {
  if (num === undefined) return undefined
  const key = columns.key[num]!
  const mode = columns.mode[num]!
  const unknown = unknownLibraryValue('key')
  return key === unknown || mode === unknown ? undefined : { key, mode: mode === 1 ? 1 : 0 }
}

/** The tempo of one track divided by that of another; `null` where one is not known. */
export function tempoRatioOf(columns: Columns, from: number | undefined, to: number) {
  const ratio = from === undefined ? Number.NaN : columns.tempo[to]! / columns.tempo[from]!
  return Number.isFinite(ratio) && ratio > 0 ? Number(ratio.toFixed(3)) : null
}
